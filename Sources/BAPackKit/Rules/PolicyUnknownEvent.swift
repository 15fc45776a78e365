import SourceDiagnostics

/// The kinds of installation that exist.
enum PolicyUnknownEvent {
  static let rule = Rule(
    "policy.unknown-event", mending: .safe,
    what: "'installationEventTypes' names an event that does not exist.",
    why: "The system knows 'firstInstallation' and 'subsequentUpdate', written exactly so.",
    example: .init(
      wrong: #""downloadPolicy": {"prefetch": {"installationEventTypes": ["firstInstall"]}}"#,
      right: #""downloadPolicy": {"prefetch": {"installationEventTypes": ["firstInstallation"]}}"#))
}
