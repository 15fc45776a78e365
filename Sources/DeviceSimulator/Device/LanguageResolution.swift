package import BAPackKit

/// The one language among those of the packs that suits a device best, and why.
package struct LanguageResolution: Sendable, Equatable {
  /// How it was found.
  package let choice: LanguageChoice
  /// The language that the app chose instead of the preferences of the device, if it chose one.
  package let chosenByApp: LanguageTag?
  /// The rules that led to it.
  package let rules: [SemanticRule]

  /// The language, as the packs write it.
  package var language: LanguageTag? { choice.language }
  /// The preference that it suits.
  package var wanted: LanguageTag? { chosenByApp ?? choice.wanted }

  /// Finds the language for a whole manifest, never pack by pack.
  ///
  /// `languages` are those of the localized packs that the device is offered.
  package init(
    of languages: some Sequence<LanguageTag>, preferring preferences: [LanguageTag],
    primary: LanguageTag?
  ) {
    let languages = Array(languages)
    self.init(
      LanguageChoice(among: languages, preferring: preferences, primary: primary),
      hasLanguages: !languages.isEmpty)
  }

  /// What an app set itself: the best match for that language, or nothing.
  package init(chosen: LanguageTag, of languages: some Sequence<LanguageTag>) {
    let languages = Array(languages)
    self.init(
      LanguageChoice(among: languages, preferring: [chosen], primary: nil),
      hasLanguages: !languages.isEmpty, chosenByApp: chosen)
  }

  private init(_ choice: LanguageChoice, hasLanguages: Bool, chosenByApp: LanguageTag? = nil) {
    self.choice = choice
    self.chosenByApp = chosenByApp
    let passed: [SemanticRule] = choice.isLaterPreference ? [.languageNext] : []
    let rules: [SemanticRule] =
      switch choice.match {
      case .equivalent: passed + [.languageEquivalent]
      case .otherRegion: passed + [.languageRegion, .languageWhichRegion]
      case .parent: passed + [.languageParent]
      case .primary: [.languagePrimary]
      case .none: [hasLanguages ? .languageNone : .noLanguage]
      }
    self.rules = (chosenByApp == nil ? [] : [.resolvedLanguage]) + rules
  }
}
