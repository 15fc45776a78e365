extension LanguageTag {
  /// Reads a tag, or a locale as systems write it: `es_MX` is `es-MX`.
  package init?(locale text: String) { self.init(text.replacing("_", with: "-")) }
}
