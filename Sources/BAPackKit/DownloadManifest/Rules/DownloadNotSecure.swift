import SourceDiagnostics

/// Packs come over https.
enum DownloadNotSecure {
  static let rule = Rule(
    "download.not-https",
    what: "The URL of a pack is http.",
    why: """
      Background Assets downloads over https only, and there is no fallback. With --allow-http the \
      finding is left out, for tests that never reach a device.
      """,
    example: .init(
      wrong: #""url": "http://downloads.example.com/packs/tutorial""#,
      right: #""url": "https://downloads.example.com/packs/tutorial""#))

  static func finding(_ id: String, at span: SourceSpan) -> Diagnostic {
    rule.finding(
      .error, "the URL of '\(id)' is http, and devices download over https only", at: span,
      fixes: [
        Fix("serve it over https; --allow-http lets it pass for a test server", .shownOnly)
      ])
  }
}
