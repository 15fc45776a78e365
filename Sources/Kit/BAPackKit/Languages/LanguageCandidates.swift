/// The languages of localized packs, in a form in which the best match of a preference is found
/// without a search among all of them.
package struct LanguageCandidates: Sendable {
  /// One tag of each meaning, in order of spelling.
  package let tags: [LanguageTag]
  /// The places of tags, by their meaning, by language and script, and by the parent language.
  private var places: [LanguageMeaning: Int] = [:]
  private var regions: [LanguageTag: [Int]] = [:]
  private var children: [LanguageTag: [Int]] = [:]

  /// Creates candidates from the languages of packs.
  package init(_ languages: some Sequence<LanguageTag>) {
    tags = languages.inOrder
    for (place, tag) in tags.enumerated() {
      let full = tag.maximized
      places[tag.meaning] = place
      regions[full.withoutRegion, default: []].append(place)
      if let parent = LikelySubtags.parent(ofLanguage: full.language) {
        children[LanguageTag(language: parent, script: full.script), default: []].append(place)
      }
    }
  }

  /// Returns the candidate with the meaning of a language; nil if there is none.
  package func equivalent(to wanted: LanguageTag) -> LanguageTag? {
    places[wanted.meaning].map { tags[$0] }
  }

  /// Returns the candidates with the language and the script of a preference.
  func regions(of wanted: LanguageTag) -> [LanguageTag] {
    regions[wanted.maximized.withoutRegion, default: []].map { tags[$0] }
  }

  /// Returns the first candidate that is a parent or child language of a preference.
  func parentOrChild(of wanted: LanguageTag) -> LanguageTag? {
    let full = wanted.maximized
    var found = children[full.withoutRegion]?.first
    if let parent = LikelySubtags.parent(ofLanguage: full.language),
      let place = regions[LanguageTag(language: parent, script: full.script)]?.first
    {
      found = min(found ?? place, place)
    }
    return found.map { tags[$0] }
  }
}

extension LanguageTag {
  fileprivate var withoutRegion: LanguageTag { LanguageTag(language: language, script: script) }
}
