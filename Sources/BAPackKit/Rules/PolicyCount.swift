import SourceDiagnostics

/// A download policy has exactly one key.
enum PolicyCount {
  static let rule = Rule(
    "policy.count",
    what: "'downloadPolicy' has no key, or more than one.",
    why: """
      A pack is downloaded in one way. With none or with several keys App Store Connect and \
      devices refuse the manifest.
      """,
    example: .init(
      wrong: #""downloadPolicy": {}"#, right: #""downloadPolicy": {"onDemand": {}}"#))

  /// How many of too many keys are pointed at.
  static let mostShown = 8

  static func finding(at span: SourceSpan, keys: [JSONNode], count: Int) -> Diagnostic {
    let known = Diagnostic.list(ManifestKeys.policies.map(\.name), "or")
    guard let first = keys.first, keys.count > 1 else {
      return rule.finding(.error, "'downloadPolicy' needs one of \(known)", at: span)
    }
    return rule.finding(
      .error, "'downloadPolicy' has \(count) keys and takes one", at: span,
      labels: keys.dropFirst().map { .init($0.span, "one more than '\(first.string ?? "")'") },
      notes: ["it takes \(known)"])
  }
}
