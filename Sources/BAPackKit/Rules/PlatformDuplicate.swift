import SourceDiagnostics

/// Each platform once.
enum PlatformDuplicate {
  static let rule = Rule(
    "platform.duplicate", .always(.warning), mending: .unsafe,
    what: "'platforms' names a platform twice.",
    why: "It changes nothing, so it is probably a slip: was another platform meant?",
    example: .init(
      wrong: #""platforms": ["iOS", "iOS"]"#, right: #""platforms": ["iOS", "tvOS"]"#))
}
