package import BAPackKit

/// The language of the packs that matches a device best, and the reason.
package struct LanguageResolution: Sendable, Equatable {
  /// The choice of the language.
  package let choice: LanguageChoice
  /// The language that the app set instead of the device's preferences, if any.
  package let chosenByApp: LanguageTag?
  /// The rules that apply.
  package let rules: [SemanticRule]

  /// The language tag, spelled as in the packs.
  package var language: LanguageTag? { choice.language }
  /// The preference that it matches.
  package var wanted: LanguageTag? { chosenByApp ?? choice.wanted }

  /// Resolves the language for a whole manifest, never for a single pack.
  ///
  /// `languages` contains those of the localized packs that the device is offered.
  package init(
    of languages: some Sequence<LanguageTag>, preferring preferences: [LanguageTag],
    primary: LanguageTag?
  ) {
    let languages = Array(languages)
    self.init(
      LanguageChoice(among: languages, preferring: preferences, primary: primary),
      hasLanguages: !languages.isEmpty)
  }

  /// Resolves a language that the app set: the best match for it, or none.
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
