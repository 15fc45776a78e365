package import BAPackKit

/// The one language among those of the packs that suits a device best, and why.
package struct LanguageResolution: Sendable, Equatable {
  /// How a language was found, as far as it matters to people.
  package enum Match: Sendable, Equatable {
    /// It means the same as what is wanted.
    case equivalent
    /// The same language and script, for another region.
    case otherRegion
    /// The parent language according to CLDR, or a child language.
    case parent
    /// Nothing suits what is wanted; it is the app's primary language.
    case primary
    /// Nothing suits, or no pack is localized.
    case none
    /// The app chose it.
    case chosen
  }

  /// The language, as the packs write it.
  package let language: LanguageTag?
  /// The preference that it suits.
  package let wanted: LanguageTag?
  /// How it was found.
  package let match: Match
  /// The rules that led to it.
  package let rules: [SemanticRule]

  /// Finds the language for a whole manifest, never pack by pack.
  ///
  /// `languages` are those of the localized packs that the device is offered.
  package init(
    of languages: some Sequence<LanguageTag>, preferring preferences: [LanguageTag],
    primary: LanguageTag?
  ) {
    let candidates = languages.inOrder
    var passed: [SemanticRule] = []
    for wanted in preferences where !candidates.isEmpty {
      if let (language, match, rules) = Self.find(wanted, among: candidates) {
        self.init(language, wanted, match, passed + rules)
        return
      }
      passed = [.languageNext]
    }
    if candidates.isEmpty {
      self.init(nil, nil, .none, [.noLanguage])
    } else if let primary, let found = candidates.first(where: { $0.isEquivalent(to: primary) }) {
      self.init(found, preferences.first, .primary, [.languagePrimary])
    } else {
      self.init(nil, preferences.first, .none, [.languageNone])
    }
  }

  private init(
    _ language: LanguageTag?, _ wanted: LanguageTag?, _ match: Match, _ rules: [SemanticRule]
  ) {
    self.language = language
    self.wanted = wanted
    self.match = match
    self.rules = rules
  }

  /// What an app set itself: the best match for that language, or nothing.
  package init(chosen: LanguageTag, of languages: some Sequence<LanguageTag>) {
    let found = LanguageResolution(of: languages, preferring: [chosen], primary: nil)
    self.init(found.language, chosen, .chosen, [.resolvedLanguage] + found.rules)
  }

  /// Returns the language that matches a preference; nil if none does.
  ///
  /// An equivalent language has priority, then the same language for another region, then a parent
  /// or child language.
  private static func find(
    _ wanted: LanguageTag, among candidates: [LanguageTag]
  ) -> (LanguageTag, Match, [SemanticRule])? {
    if let same = candidates.first(where: { $0.isEquivalent(to: wanted) }) {
      return (same, .equivalent, [.languageEquivalent])
    }
    let related = candidates.filter { $0.isAnotherRegion(of: wanted) }
    if let first = related.first {
      let found = nearest(to: wanted, among: related) ?? first
      return (found, .otherRegion, [.languageRegion, .languageWhichRegion])
    }
    return candidates.first { $0.isParentOrChild(of: wanted) }
      .map { ($0, .parent, [.languageParent]) }
  }

  /// The nearest relative: an ancestor, else one that shares the nearest ancestor, else the usual region.
  private static func nearest(
    to wanted: LanguageTag, among related: [LanguageTag]
  ) -> LanguageTag? {
    let lines = related.map { (tag: $0, ancestors: [$0.minimized] + $0.ancestors) }
    // The language alone, which all of them share, says nothing.
    for ancestor in wanted.ancestors where ancestor.region != nil {
      if let found = related.first(where: { $0.isEquivalent(to: ancestor) }) { return found }
      if let found = lines.first(where: { $0.ancestors.contains(ancestor) }) { return found.tag }
    }
    let usual = LanguageTag(language: wanted.language, script: wanted.maximized.script)
    return related.first { $0.isEquivalent(to: usual) }
  }
}
