import SourceDiagnostics

/// The rules about the platforms of a pack.
enum PlatformRules {
  static let all: [Rule] = [
    unknown, duplicate,
  ]

  /// A platform without asset packs.
  static let unknown = Rule(
    "platform.unknown", fixGrade: .safe,
    what: "'platforms' contains a platform that does not support asset packs.",
    why: """
      The values are 'iOS', 'macOS', 'tvOS' and 'visionOS'. They are case-sensitive. 'iOS' \
      includes iPads; watchOS does not support asset packs. App Store Connect checks this only \
      after the upload.
      """,
    example: .init(
      wrong: #""platforms": ["iPadOS", "macOS"]"#, right: #""platforms": ["iOS", "macOS"]"#))

  static let list = KeywordList<Platform>.Rules(
    owner: "'platforms'", duplicate: duplicate, unknown: unknown, synonyms: synonyms, note: note,
    message: { "there is no platform '\($0)' for asset packs" })

  /// Names of platforms from other tools, in lower case.
  private static let synonyms = [
    "ipados": "iOS", "iphoneos": "iOS", "osx": "macOS", "mac": "macOS", "xros": "visionOS",
  ]

  /// Returns a note about a name of another platform.
  private static func note(about name: String) -> Finding.Message? {
    switch name.lowercased() {
    case "ipados": "'iOS' includes iPads"
    case "watchos": "watchOS does not support asset packs"
    default: nil
    }
  }

  /// A platform that is listed twice.
  static let duplicate = Rule(
    "platform.duplicate", .always(.warning), fixGrade: .unsafe,
    what: "'platforms' contains a platform twice.",
    why: "The second entry has no effect. Probably another platform was intended.",
    example: .init(
      wrong: #""platforms": ["iOS", "iOS"]"#, right: #""platforms": ["iOS", "tvOS"]"#))
}
