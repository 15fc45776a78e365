import SourceDiagnostics

/// The grammar of language tags.
enum LanguageMalformed {
  static let rule = Rule(
    "language.malformed",
    what: "'language' is not of the form 'language[-Script][-REGION]'.",
    why: """
      A language has two or three letters, a script four, a region two letters or three digits: \
      'ja', 'zh-Hant', 'es-419', 'zh-Hans-VN'. Devices compare tags, not names of languages.
      """,
    example: .init(wrong: #""language": "english""#, right: #""language": "en""#))

  static func finding(_ reason: Diagnostic.Message, at span: SourceSpan) -> Diagnostic {
    rule.finding(
      .error, "not a language tag: \(reason)", at: span,
      notes: ["a tag is 'language[-Script][-REGION]': 'ja', 'es-419', 'zh-Hant'"])
  }
}
