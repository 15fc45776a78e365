import SourceDiagnostics

/// Every pack has an address of its own.
enum DownloadDuplicateURL {
  static let rule = Rule(
    "download.duplicate-url",
    what: "Two packs of a download manifest have one URL.",
    why: "At one address there is one archive, and it is one pack; the other download fails.",
    example: .init(
      wrong: "--url-template https://downloads.example.com/packs.aar",
      right: "--url-template https://downloads.example.com/{id}.aar"))

  static func finding(
    _ pack: PublishedPack, _ other: PublishedPack, at span: SourceSpan?
  ) -> Diagnostic {
    rule.finding(
      .error, "'\(other.id)' and '\(pack.id)' have one URL: '\(pack.url)'", at: span,
      fixes: [Fix("tell them apart, with {id} in the URL template", .shownOnly)])
  }
}
