import SourceDiagnostics

extension LanguageSelfHosted {
  /// The language of an archive stays behind when it is published.
  static func check(_ archive: PublishedArchive) -> Diagnostic? {
    guard let language = archive.manifest.language else { return nil }
    return rule.finding(
      .warning, "the language '\(language)' of '\(archive.id)' is not written", at: nil,
      notes: ["how a download manifest carries a language is not known"])
  }
}
