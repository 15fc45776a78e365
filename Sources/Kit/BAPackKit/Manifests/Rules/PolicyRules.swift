import SourceDiagnostics

/// The rules about the download policy.
enum PolicyRules {
  static let all: [Rule] = [
    count, unknown, noEvents, unknownEvent, duplicateEvent, onDemandValue,
  ]

  /// The number of keys of a download policy.
  static let count = Rule(
    "policy.count",
    what: "'downloadPolicy' has no key or several keys.",
    why: """
      A pack has exactly one policy. App Store Connect and devices reject manifests with no policy \
      or several policies.
      """,
    example: .init(
      wrong: #""downloadPolicy": {}"#, right: #""downloadPolicy": {"onDemand": {}}"#))

  /// The maximum number of keys that a finding marks.
  static let mostShown = 8

  static func count(at span: SourceSpan, keys: [JSONNode], count: Int) -> Finding {
    let known = Finding.list(PolicyKeys.all.map(\.name), "or")
    guard let first = keys.first, keys.count > 1 else {
      return Self.count.finding("'downloadPolicy' requires one of \(known)", at: span)
    }
    return Self.count.finding(
      "'downloadPolicy' has \(count) keys; exactly one is allowed", at: span,
      labels: keys.dropFirst().map { .init($0.span, "in addition to '\(first.string ?? "")'") },
      notes: ["valid keys: \(known)"])
  }

  static let unknown = Rule(
    "policy.unknown", fixGrade: .unsafe,
    what: "'downloadPolicy' has an unknown key.",
    why: "The policies are 'essential', 'prefetch' and 'onDemand'. They are case-sensitive.",
    example: .init(
      wrong: #""downloadPolicy": {"ondemand": {}}"#,
      right: #""downloadPolicy": {"onDemand": {}}"#))

  static func unknown(_ key: JSONNode) -> Finding {
    unknown.finding(
      unknown: key, "there is no download policy '\(key.string ?? "")'",
      known: PolicyKeys.all.map(\.name))
  }

  /// A policy without events.
  static let noEvents = Rule(
    "policy.no-events",
    what: "'installationEventTypes' is an empty list.",
    why: """
      Without events, the policy never downloads the pack. For packs that are downloaded only when \
      the app requests them, use 'onDemand'.
      """,
    example: .init(
      wrong: #""downloadPolicy": {"prefetch": {"installationEventTypes": []}}"#,
      right: #""downloadPolicy": {"prefetch": {"installationEventTypes": ["firstInstallation"]}}"#))

  static func noEvents(_ list: JSONNode) -> Finding? {
    guard list.count == 0, !list.isDamaged else { return nil }
    return noEvents.finding(
      "'installationEventTypes' requires at least one event", at: list.span,
      notes: ["valid values: \(Finding.list(InstallationEvent.allCases.map(\.rawValue)))"])
  }

  static let unknownEvent = Rule(
    "policy.unknown-event", fixGrade: .safe,
    what: "'installationEventTypes' contains an unknown event.",
    why: "The events are 'firstInstallation' and 'subsequentUpdate'. They are case-sensitive.",
    example: .init(
      wrong: #""downloadPolicy": {"prefetch": {"installationEventTypes": ["firstInstall"]}}"#,
      right: #""downloadPolicy": {"prefetch": {"installationEventTypes": ["firstInstallation"]}}"#))

  static let events = KeywordList<InstallationEvent>.Rules(
    owner: "'installationEventTypes'", duplicate: duplicateEvent, unknown: unknownEvent,
    message: { "there is no installation event '\($0)'" })

  /// An event that is listed twice.
  static let duplicateEvent = Rule(
    "policy.duplicate-event", .always(.warning), fixGrade: .unsafe,
    what: "'installationEventTypes' contains an event twice.",
    why: "The second entry has no effect. Probably the other event was intended.",
    example: .init(
      wrong: """
        "downloadPolicy": {"prefetch": {"installationEventTypes": \
        ["subsequentUpdate", "subsequentUpdate"]}}
        """,
      right: """
        "downloadPolicy": {"prefetch": {"installationEventTypes": \
        ["firstInstallation", "subsequentUpdate"]}}
        """))

  /// A value of `onDemand` other than `{}`.
  static let onDemandValue = Rule(
    "policy.on-demand-value", fixGrade: .safe,
    what: "The value of 'onDemand' is not '{}'.",
    why: """
      The on-demand policy has no parameters. Beta versions of Apple's packager wrote 'null', and \
      App Store Connect rejected such packs after the upload (ITMS-91140).
      """,
    example: .init(
      wrong: #""downloadPolicy": {"onDemand": null}"#,
      right: #""downloadPolicy": {"onDemand": {}}"#))

  /// Returns a finding for a wrong value.
  ///
  /// The fix is safe only for 'null' in a policy without syntax errors. After a syntax error, the
  /// value may belong to another key.
  static func onDemandValue(_ value: JSONNode, in policy: JSONNode) -> Finding? {
    guard value.kind != .invalid, !(value.kind == .object && value.count == 0) else { return nil }
    guard !value.isDamaged else { return nil }
    let isSafe = value.kind == .null && !policy.isDamaged
    return onDemandValue.finding(
      "the value of 'onDemand' must be '{}'", at: value.span,
      fixes: [Fix("write '{}'", isSafe ? .safe : .unsafe, edits: [.init(value.span, "{}")])])
  }
}
