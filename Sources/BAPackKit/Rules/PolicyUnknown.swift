import SourceDiagnostics

/// The download policies that exist.
enum PolicyUnknown {
  static let rule = Rule(
    "policy.unknown", mending: .unsafe,
    what: "'downloadPolicy' has a key that is no policy.",
    why: "The system knows 'essential', 'prefetch' and 'onDemand', written exactly so.",
    example: .init(
      wrong: #""downloadPolicy": {"ondemand": {}}"#,
      right: #""downloadPolicy": {"onDemand": {}}"#))

  static func finding(_ key: JSONNode) -> Diagnostic {
    .unknownValue(
      rule.id, key, "there is no download policy '\(key.string ?? "")'",
      known: ManifestKeys.policies.map(\.name))
  }
}
