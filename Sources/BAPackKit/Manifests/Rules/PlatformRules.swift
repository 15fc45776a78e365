import SourceDiagnostics

/// What can be wrong with the platforms of a pack.
enum PlatformRules {
  static let all: [Rule] = [
    unknown, duplicate,
  ]

  /// The platforms that asset packs can be offered on.
  static let unknown = Rule(
    "platform.unknown", fixGrade: .safe,
    what: "'platforms' names a platform that takes no asset packs.",
    why: """
      Packs are offered on 'iOS', 'macOS', 'tvOS' and 'visionOS', written exactly so. 'iOS' \
      covers iPads; watchOS has no asset packs. App Store Connect checks this only after the \
      upload.
      """,
    example: .init(
      wrong: #""platforms": ["iPadOS", "macOS"]"#, right: #""platforms": ["iOS", "macOS"]"#))

  /// Platforms as a list of words.
  static let words = WordList<Platform>.Rules(
    owner: "'platforms'", duplicate: duplicate, unknown: unknown, synonyms: synonyms, note: note,
    message: { "there is no platform '\($0)' for asset packs" })

  /// Names that people know from other places, in lower case.
  private static let synonyms = [
    "ipados": "iOS", "iphoneos": "iOS", "osx": "macOS", "mac": "macOS", "xros": "visionOS",
  ]

  /// A note about a name that people know from other places.
  private static func note(about name: String) -> Finding.Message? {
    switch name.lowercased() {
    case "ipados": "'iOS' covers iPads"
    case "watchos": "watchOS has no asset packs"
    default: nil
    }
  }

  /// Each platform once.
  static let duplicate = Rule(
    "platform.duplicate", .always(.warning), fixGrade: .unsafe,
    what: "'platforms' names a platform twice.",
    why: "It changes nothing, so it is probably a slip: was another platform meant?",
    example: .init(
      wrong: #""platforms": ["iOS", "iOS"]"#, right: #""platforms": ["iOS", "tvOS"]"#))
}
