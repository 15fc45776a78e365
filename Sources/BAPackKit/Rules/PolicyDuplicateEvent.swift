import SourceDiagnostics

/// Each event once.
enum PolicyDuplicateEvent {
  static let rule = Rule(
    "policy.duplicate-event", .always(.warning), mending: .unsafe,
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
}
