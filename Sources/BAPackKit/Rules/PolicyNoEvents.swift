import SourceDiagnostics

/// A policy applies to at least one kind of installation.
enum PolicyNoEvents {
  static let rule = Rule(
    "policy.no-events",
    what: "'installationEventTypes' is an empty list.",
    why: """
      A policy that applies to no kind of installation never downloads anything. For a pack that \
      only the app asks for, use 'onDemand'.
      """,
    example: .init(
      wrong: #""downloadPolicy": {"prefetch": {"installationEventTypes": []}}"#,
      right: #""downloadPolicy": {"prefetch": {"installationEventTypes": ["firstInstallation"]}}"#))

  static func check(_ list: JSONNode) -> Diagnostic? {
    guard list.count == 0, !list.isDamaged else { return nil }
    return rule.finding(
      .error, "'installationEventTypes' needs at least one event", at: list.span,
      notes: ["there are \(Diagnostic.list(InstallationEvent.allCases.map(\.rawValue)))"])
  }
}
