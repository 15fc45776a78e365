extension LanguageTag {
  /// Reads a tag or a locale identifier: `es_MX` is `es-MX`.
  package init?(locale text: String) { self.init(text.replacing("_", with: "-")) }
}

extension LanguageTag {
  /// Whether validation accepts the codes: they are assigned, not deprecated, and the shortest.
  package var hasCurrentCodes: Bool {
    AssignedCodes.isLanguage(language)
      && AssignedCodes.successor(ofLanguage: language) == nil
      && AssignedCodes.twoLetterCode(of: language) == nil
      && script.map(AssignedCodes.isScript) ?? true
      && region.map { AssignedCodes.isRegion($0) && AssignedCodes.successor(ofRegion: $0) == nil }
        ?? true
  }
}
