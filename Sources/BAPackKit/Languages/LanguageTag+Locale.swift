extension LanguageTag {
  /// Reads a tag or a locale identifier: `es_MX` is `es-MX`.
  package init?(locale text: String) { self.init(text.replacing("_", with: "-")) }
}
