import SourceDiagnostics

/// The subtags that packs take.
enum LanguageSubtag {
  static let rule = Rule(
    "language.subtag",
    what: """
      'language' has a variant, an extended language, an extension or a private use subtag.
      """,
    why: "Packs take a language, a script and a region, and nothing else that BCP 47 knows.",
    example: .init(wrong: #""language": "de-CH-1996""#, right: #""language": "de-CH""#))

  static func finding(kind: String, subtag: String, at span: SourceSpan) -> Diagnostic {
    rule.finding(
      .error, "'\(subtag)' is \(kind); a pack takes language, script and region only", at: span)
  }
}
