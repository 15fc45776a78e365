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
    let languages = Array(languages)
    let choice = LanguageChoice(among: languages, preferring: preferences, primary: primary)
    let passed: [SemanticRule] = choice.isLaterPreference ? [.languageNext] : []
    let (match, rules): (Match, [SemanticRule]) =
      switch choice.match {
      case .equivalent: (.equivalent, passed + [.languageEquivalent])
      case .otherRegion: (.otherRegion, passed + [.languageRegion, .languageWhichRegion])
      case .parent: (.parent, passed + [.languageParent])
      case .primary: (.primary, [.languagePrimary])
      case .none: (.none, [languages.isEmpty ? .noLanguage : .languageNone])
      }
    self.init(choice.language, choice.wanted, match, rules)
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
}
