import SourceDiagnostics

/// Subtags are told apart by their case.
enum LanguageCase {
  static let rule = Rule(
    "language.case", .always(.warning), mending: .safe,
    what: "'language' is not in the usual case.",
    why: """
      Case does not change the meaning of a tag, but not every program knows that: a language is \
      lower case, a region upper case, a script begins with a capital.
      """,
    example: .init(wrong: #""language": "zh-hant-tw""#, right: #""language": "zh-Hant-TW""#))

  static func check(
    _ written: WrittenLanguageTag, text: String, at node: JSONNode
  ) -> Diagnostic? {
    guard !written.hasUnderscore, text != written.tag.description else { return nil }
    return rule.finding(
      .warning, "'\(text)' is usually written '\(written.tag)'", at: node.span,
      fixes: [.replaceText(of: node, by: written.tag.description, .safe)])
  }
}
