import SourceDiagnostics

/// The platforms that asset packs can be offered on.
enum PlatformUnknown {
  static let rule = Rule(
    "platform.unknown", mending: .safe,
    what: "'platforms' names a platform that takes no asset packs.",
    why: """
      Packs are offered on 'iOS', 'macOS', 'tvOS' and 'visionOS', written exactly so. 'iOS' \
      covers iPads; watchOS has no asset packs. App Store Connect checks this only after the \
      upload.
      """,
    example: .init(
      wrong: #""platforms": ["iPadOS", "macOS"]"#, right: #""platforms": ["iOS", "macOS"]"#))

  /// Names that people know from elsewhere, in lower case.
  static let synonyms = [
    "ipados": "iOS", "iphoneos": "iOS", "osx": "macOS", "mac": "macOS", "xros": "visionOS",
  ]

  /// What to say about names that people know from elsewhere.
  static func note(about name: String) -> Diagnostic.Message? {
    switch name.lowercased() {
    case "ipados": "'iOS' covers iPads"
    case "watchos": "watchOS has no asset packs"
    default: nil
    }
  }
}
