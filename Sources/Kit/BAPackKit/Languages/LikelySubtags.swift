/// The likely scripts and regions of languages, and the parents of language tags, from CLDR.
///
/// Foundation includes these data as a part of 40 MB for 700 languages; these tables have 10 KB,
/// and a test compares them with Foundation. They are parsed at the first access.
enum LikelySubtags {
  private struct Rest {
    var script: Substring
    var region: Substring

    /// Reads `Latn-ES`; `ZZ` is an unknown region.
    init(_ text: Substring) {
      let parts = text.split(separator: "-")
      script = parts.first ?? ""
      region = parts.last ?? ""
    }
  }

  private static let rests: [Substring: Rest] = {
    var rests: [Substring: Rest] = [:]
    for group in groups(ofLanguages) {
      for language in group.dropFirst() { rests[language] = Rest(group[0]) }
    }
    for pair in ofOthers.split(separator: " ") {
      let sides = pair.split(separator: "=")
      rests[sides[0]] = Rest(sides[1])
    }
    return rests
  }()

  private static let parentTags: [Substring: Substring] = {
    var tags: [Substring: Substring] = [:]
    for group in groups(parents) {
      for child in group.dropFirst() { tags[child] = group[0] }
    }
    return tags
  }()

  private static func groups(_ table: String) -> [[Substring]] {
    table.split(separator: ";").map { $0.split(separator: " ") }
  }

  /// Codes that were replaced by others for the same language.
  private static let replacements = ["in": "id", "iw": "he", "ji": "yi", "jw": "jv", "mo": "ro"]

  /// Deprecated region codes, with their replacements.
  private static let newRegions = [
    "BU": "MM", "DD": "DE", "FX": "FR", "TP": "TL", "YD": "YE", "ZR": "CD",
  ]

  /// Returns the canonical code of a language: `de` for `deu`, `he` for `iw`.
  static func canonical(_ language: String) -> String {
    let short = AssignedCodes.shortCode(ofLanguage: language) ?? language
    return replacements[short] ?? short
  }

  /// Returns the parent of a language in CLDR, such as `no` for `nb`; nil for nearly all languages.
  static func parent(ofLanguage language: String) -> String? {
    guard let parent = parentTags[language[...]], LanguageTag(String(parent))?.region == nil else {
      return nil
    }
    return String(parent)
  }

  static func complete(_ tag: LanguageTag) -> LanguageTag {
    var tag = tag
    tag.language = canonical(tag.language)
    tag.region = tag.region.map { newRegions[$0] ?? $0 }
    let (language, script, region) = (tag.language, tag.script, tag.region)
    let names = [
      region.flatMap { region in script.map { "\(language)-\($0)-\(region)" } },
      region.map { "\(language)-\($0)" }, script.map { "\(language)-\($0)" }, language,
    ]
    guard let rest = names.lazy.compactMap({ $0 }).compactMap({ rests[$0[...]] }).first else {
      return tag
    }
    tag.script = script ?? String(rest.script)
    tag.region = region ?? (rest.region == "ZZ" ? nil : String(rest.region))
    return tag
  }

  static func parent(_ tag: LanguageTag) -> LanguageTag? {
    if let parent = parentTags[tag.description[...]] { return LanguageTag(String(parent)) }
    if tag.region != nil { return LanguageTag(language: tag.language, script: tag.script) }
    return tag.script == nil ? nil : LanguageTag(language: tag.language)
  }
}
