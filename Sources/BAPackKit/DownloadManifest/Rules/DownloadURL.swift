import SourceDiagnostics

/// The address of a pack is whole.
enum DownloadURL {
  static let rule = Rule(
    "download.url",
    what: "The URL of a pack is not a whole address.",
    why: """
      Devices take the address as it is: it needs a scheme and a host, and signs that mean nothing \
      in an address must be percent-encoded.
      """,
    example: .init(
      wrong: #""url": "packs/tutorial""#,
      right: #""url": "https://downloads.example.com/packs/tutorial""#))

  static func finding(_ url: String, of id: String, at span: SourceSpan) -> Diagnostic {
    rule.finding(
      .error, "the URL of '\(id)' is not a whole address: '\(url)'", at: span,
      fixes: [Fix("write it as https://downloads.example.com/packs/\(id)", .shownOnly)])
  }
}
