package import BAPackKit

/// What a language tag leaves unsaid: the usual script and region of a language, and which regions are
/// near each other.
///
/// Foundation knows this too, but with data for seven hundred languages, 40 MB; these tables of CLDR have
/// ten thousand bytes, and a test holds them against Foundation. They are read when the first tag is asked
/// for.
package enum LikelySubtags {
  private struct Rest {
    var script: Substring
    var region: Substring

    /// Reads `Latn-ES`; where nobody knows the region, `ZZ` stands for it.
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

  fileprivate static func complete(_ tag: LanguageTag) -> LanguageTag {
    var tag = tag
    tag.language = replacements[tag.language] ?? tag.language
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

  fileprivate static func parent(_ tag: LanguageTag) -> LanguageTag? {
    if let parent = parentTags[tag.description[...]] { return LanguageTag(String(parent)) }
    if tag.region != nil { return LanguageTag(language: tag.language, script: tag.script) }
    return tag.script == nil ? nil : LanguageTag(language: tag.language)
  }
}

extension LanguageTag {
  /// The tag with its usual script and region: `en` is `en-Latn-US`.
  package var maximized: LanguageTag { LikelySubtags.complete(self) }

  /// The shortest tag that means the same: `zh-Hant-TW` is `zh-TW`.
  package var minimized: LanguageTag {
    let full = maximized
    let shorter = [
      LanguageTag(language: full.language),
      LanguageTag(language: full.language, region: full.region),
      LanguageTag(language: full.language, script: full.script),
    ]
    return shorter.first { $0.maximized == full } ?? full
  }

  /// Whether both mean the same: `en`, `en-US` and `en-Latn-US`.
  package func isEquivalent(to other: LanguageTag) -> Bool { maximized == other.maximized }

  /// Its relatives, the nearest first: of `es-MX` these are `es-419` and `es`.
  package var ancestors: [LanguageTag] {
    let full = maximized
    // CLDR leaves a script out where it is the usual one.
    let usual = LanguageTag(language: full.language).maximized.script
    let script = usual == full.script ? nil : full.script
    var tag = LanguageTag(language: full.language, script: script, region: full.region)
    var found: [LanguageTag] = []
    while let parent = LikelySubtags.parent(tag), !found.contains(parent) {
      found.append(parent)
      tag = parent
    }
    return found
  }
}
