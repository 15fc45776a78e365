import SourceDiagnostics

/// What can be wrong with a download policy.
enum PolicyRules {
  static let all: [Rule] = [
    count, unknown, noEvents, unknownEvent, duplicateEvent, onDemandValue,
  ]

  /// A download policy has exactly one key.
  static let count = Rule(
    "policy.count",
    what: "'downloadPolicy' has no key, or more than one.",
    why: """
      A pack is downloaded in one way. With none or with several keys App Store Connect and \
      devices refuse the manifest.
      """,
    example: .init(
      wrong: #""downloadPolicy": {}"#, right: #""downloadPolicy": {"onDemand": {}}"#))

  /// How many of too many keys a finding points at.
  static let mostShown = 8

  static func count(at span: SourceSpan, keys: [JSONNode], count: Int) -> Finding {
    let known = Finding.list(PolicyKeys.all.map(\.name), "or")
    guard let first = keys.first, keys.count > 1 else {
      return Self.count.finding("'downloadPolicy' needs one of \(known)", at: span)
    }
    return Self.count.finding(
      "'downloadPolicy' has \(count) keys and takes one", at: span,
      labels: keys.dropFirst().map { .init($0.span, "one more than '\(first.string ?? "")'") },
      notes: ["it takes \(known)"])
  }

  /// The download policies that exist.
  static let unknown = Rule(
    "policy.unknown", fixGrade: .unsafe,
    what: "'downloadPolicy' has a key that is no policy.",
    why: "The system knows 'essential', 'prefetch' and 'onDemand', written exactly so.",
    example: .init(
      wrong: #""downloadPolicy": {"ondemand": {}}"#,
      right: #""downloadPolicy": {"onDemand": {}}"#))

  static func unknown(_ key: JSONNode) -> Finding {
    unknown.finding(
      unknown: key, "there is no download policy '\(key.string ?? "")'",
      known: PolicyKeys.all.map(\.name))
  }

  /// A policy applies to at least one kind of installation.
  static let noEvents = Rule(
    "policy.no-events",
    what: "'installationEventTypes' is an empty list.",
    why: """
      A policy that applies to no kind of installation never downloads anything. For a pack that \
      only the app asks for, use 'onDemand'.
      """,
    example: .init(
      wrong: #""downloadPolicy": {"prefetch": {"installationEventTypes": []}}"#,
      right: #""downloadPolicy": {"prefetch": {"installationEventTypes": ["firstInstallation"]}}"#))

  static func noEvents(_ list: JSONNode) -> Finding? {
    guard list.count == 0, !list.isDamaged else { return nil }
    return noEvents.finding(
      "'installationEventTypes' needs at least one event", at: list.span,
      notes: ["there are \(Finding.list(InstallationEvent.allCases.map(\.rawValue)))"])
  }

  /// The kinds of installation that exist.
  static let unknownEvent = Rule(
    "policy.unknown-event", fixGrade: .safe,
    what: "'installationEventTypes' names an event that does not exist.",
    why: "The system knows 'firstInstallation' and 'subsequentUpdate', written exactly so.",
    example: .init(
      wrong: #""downloadPolicy": {"prefetch": {"installationEventTypes": ["firstInstall"]}}"#,
      right: #""downloadPolicy": {"prefetch": {"installationEventTypes": ["firstInstallation"]}}"#))

  /// Events as a list of words.
  static let events = WordList<InstallationEvent>.Rules(
    owner: "'installationEventTypes'", duplicate: duplicateEvent, unknown: unknownEvent,
    message: { "there is no installation event '\($0)'" })

  /// Each event once.
  static let duplicateEvent = Rule(
    "policy.duplicate-event", .always(.warning), fixGrade: .unsafe,
    what: "'installationEventTypes' names an event twice.",
    why: "It changes nothing, so it is probably a slip: was the other event meant?",
    example: .init(
      wrong: """
        "downloadPolicy": {"prefetch": {"installationEventTypes": \
        ["subsequentUpdate", "subsequentUpdate"]}}
        """,
      right: """
        "downloadPolicy": {"prefetch": {"installationEventTypes": \
        ["firstInstallation", "subsequentUpdate"]}}
        """))

  /// The value of `onDemand` is `{}`.
  static let onDemandValue = Rule(
    "policy.on-demand-value", fixGrade: .safe,
    what: "The value of 'onDemand' is something other than '{}'.",
    why: """
      An on-demand policy has nothing to say but its name. Betas of Apple's packager wrote 'null' \
      there, and App Store Connect refused such packs after the upload (ITMS-91140).
      """,
    example: .init(
      wrong: #""downloadPolicy": {"onDemand": null}"#,
      right: #""downloadPolicy": {"onDemand": {}}"#))

  /// The finding for a wrong value.
  ///
  /// Its fix is safe only if the value is 'null' in a policy without other errors; in a damaged one
  /// the value may be part of something else.
  static func onDemandValue(_ value: JSONNode, in policy: JSONNode) -> Finding? {
    guard value.kind != .invalid, !(value.kind == .object && value.count == 0) else { return nil }
    guard !value.isDamaged else { return nil }
    let isSafe = value.kind == .null && !policy.isDamaged
    return onDemandValue.finding(
      "'onDemand' takes '{}' and nothing else", at: value.span,
      fixes: [Fix("write '{}'", isSafe ? .safe : .unsafe, edits: [.init(value.span, "{}")])])
  }
}
