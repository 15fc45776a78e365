package import SourceDiagnostics

/// The keys of a download policy; a policy has exactly one of them.
enum PolicyKeys {
  static let all = [essential, prefetch, onDemand]

  static let essential = JSONKey(
    "essential", .object([events]),
    "The pack is downloaded during installation or update; the app opens after the download.",
    example: #"{"installationEventTypes": ["firstInstallation", "subsequentUpdate"]}"#)

  static let prefetch = JSONKey(
    "prefetch", .object([events]),
    "The download starts during installation or update and may continue after the app opens.",
    example: #"{"installationEventTypes": ["firstInstallation", "subsequentUpdate"]}"#)

  static let onDemand = JSONKey(
    "onDemand", .emptyObject, "The pack is downloaded when the app requests it; the value is '{}'.",
    example: "{}")

  static let events = JSONKey(
    "installationEventTypes",
    .array(of: .word(InstallationEvent.allCases.map(\.rawValue)), atLeast: 1),
    "The events that the policy applies to: first installation, update of the app, or both.",
    example: #"["firstInstallation", "subsequentUpdate"]"#)
}

extension DownloadPolicy {
  /// The shape of a policy, in manifests of packs and in download manifests.
  static let shape = JSONShape.alternatives(PolicyKeys.all.map { [$0] })

  /// Returns whether the policy of a manifest is `{"onDemand": null}`, which no service accepts.
  package static func isOnDemandWithNull(_ manifest: JSONNode) -> Bool {
    let policy = manifest[ManifestKeys.downloadPolicy.name]
    return policy?[PolicyKeys.onDemand.name]?.kind == .null
  }

  /// The key of the policy in manifests.
  package var name: String {
    switch self {
    case .essential: PolicyKeys.essential.name
    case .prefetch: PolicyKeys.prefetch.name
    case .onDemand: PolicyKeys.onDemand.name
    }
  }

  /// The policy as JSON, with the events in a fixed order.
  package var jsonValue: JSONValue {
    func policy(_ key: JSONKey, _ events: [InstallationEvent]) -> JSONValue {
      let list = JSONValue.array(events.map { .string($0.rawValue) })
      return .object([.init(key.name, .object([.init(PolicyKeys.events.name, list)]))])
    }
    return switch self {
    case .essential(let events): policy(PolicyKeys.essential, Self.inOrder(events))
    case .prefetch(let events): policy(PolicyKeys.prefetch, Self.inOrder(events))
    case .onDemand: .object([.init(PolicyKeys.onDemand.name, .object([]))])
    }
  }

  /// The policy as a text for users.
  var phrase: String {
    func on(_ events: Set<InstallationEvent>) -> String {
      Self.inOrder(events).map(\.rawValue).joined(separator: ", ")
    }
    return switch self {
    case .essential(let events): "essential (\(on(events)))"
    case .prefetch(let events): "prefetch (\(on(events)))"
    case .onDemand: "on demand"
    }
  }

  private static func inOrder(_ events: Set<InstallationEvent>) -> [InstallationEvent] {
    InstallationEvent.allCases.filter(events.contains)
  }

  /// Reads a policy; returns nil after it has reported an error.
  package static func read(_ node: JSONNode, into findings: inout Ledger) -> DownloadPolicy? {
    var members: [JSONNode.Member] = []
    var names: Set<String> = []
    for member in node.members where !member.key.isDamaged {
      if names.insert(member.key.string ?? "").inserted, members.count < PolicyRules.mostShown {
        members.append(member)
      }
    }
    guard let member = members.first, names.count == 1 else {
      if !(members.isEmpty && node.isDamaged) {
        findings.add(
          PolicyRules.count(at: node.span, keys: members.map(\.key), count: names.count))
      }
      return nil
    }
    switch member.key.string ?? "" {
    case PolicyKeys.essential.name:
      return readEvents(member, into: &findings).map { .essential($0) }
    case PolicyKeys.prefetch.name: return readEvents(member, into: &findings).map { .prefetch($0) }
    case PolicyKeys.onDemand.name:
      guard let finding = PolicyRules.onDemandValue(member.value, in: node) else {
        return .onDemand
      }
      findings.add(finding)
    default: findings.add(PolicyRules.unknown(member.key))
    }
    return nil
  }

  /// Returns a fix for events without their key, or with another value instead.
  private static func eventsAsObject(_ value: JSONNode) -> Fix {
    let known = InstallationEvent.allCases.map(\.rawValue)
    let isEvents =
      value.kind == .array && value.count > 0 && !value.isDamaged
      && value.elements.allSatisfy { known.contains($0.string ?? "") }
    let key = "{\"\(PolicyKeys.events.name)\": "
    guard isEvents else {
      return Fix(.init(whole: "write \(PolicyKeys.essential.example)"), .shownOnly)
    }
    return Fix(
      .init(whole: "write \(key)[…]}"), .unsafe,
      edits: [
        .init(SourceSpan(value.span.start, value.span.start), key),
        .init(SourceSpan(value.span.end, value.span.end), "}"),
      ])
  }

  private static func readEvents(
    _ policy: JSONNode.Member, into findings: inout Ledger
  ) -> Set<InstallationEvent>? {
    let name = policy.key.string ?? ""
    guard policy.value.kind == .object else {
      if policy.value.kind != .invalid {
        findings.add(
          .wrongType(
            policy.value, "'\(name)' must be an object", fixes: [eventsAsObject(policy.value)]))
      }
      return nil
    }
    let object = JSONObjectReader(
      policy.value, keys: [PolicyKeys.events], owner: "'\(name)'", into: &findings)
    guard let list = object[PolicyKeys.events.name] else { return nil }
    if let finding = PolicyRules.noEvents(list) {
      findings.add(finding)
      return nil
    }
    let events = KeywordList(list, PolicyRules.events)
    events.check(into: &findings)
    return Set(events.values)
  }
}

extension JSONForm<DownloadPolicy> {
  package static var policy: JSONForm {
    JSONForm(DownloadPolicy.shape, write: \.jsonValue, reading: DownloadPolicy.read)
  }
}

extension DownloadTime {
  /// The key of the policy for this time in manifests.
  package var name: String {
    switch self {
    case .beforeLaunch: PolicyKeys.essential.name
    case .inBackground: PolicyKeys.prefetch.name
    case .onRequest: PolicyKeys.onDemand.name
    }
  }
}
