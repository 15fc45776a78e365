import SourceDiagnostics

/// Nobody knows what becomes of a language outside the App Store.
enum LanguageSelfHosted {
  static let rule = Rule(
    "language.self-hosted", .byHost(unknown: nil, apple: nil, selfHosted: .warning),
    what: "A pack for a server of your own has a 'language'.",
    why: """
      Localized packs are documented for App Store Connect. How a download manifest carries the \
      language, and what devices make of it, is not known.
      """,
    example: .init(
      wrong: #""language": "ja""#, right: #""userInfo": {"edition": 2}"#, hosting: .selfHosted))

  static func check(at span: SourceSpan, for hosting: Hosting?) -> Diagnostic? {
    guard hosting == .selfHosted else { return nil }
    return rule.finding(
      .warning, "how a server of your own offers localized packs is not known", at: span)
  }
}
