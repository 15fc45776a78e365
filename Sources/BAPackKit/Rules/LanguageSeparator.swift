import SourceDiagnostics

/// The sign between subtags is `-`.
enum LanguageSeparator {
  static let rule = Rule(
    "language.separator", mending: .safe,
    what: "'language' has '_' where '-' belongs.",
    why: "'zh_Hant' is how some systems write locales; a language tag has '-' between its parts.",
    example: .init(wrong: #""language": "zh_hant""#, right: #""language": "zh-Hant""#))

  static func check(_ written: WrittenLanguageTag, at node: JSONNode) -> Diagnostic? {
    guard written.hasUnderscore else { return nil }
    return rule.finding(
      .error, "a language tag has '-' between its parts, not '_'", at: node.span,
      fixes: [.replaceText(of: node, by: written.tag.description, .safe)])
  }
}
