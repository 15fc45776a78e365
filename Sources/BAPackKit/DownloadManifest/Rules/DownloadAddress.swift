import SourceDiagnostics

/// An update must know where a pack will be served.
enum DownloadAddress {
  static let rule = Rule(
    "download.address",
    what: "An update without a base URL has a pack whose new address it cannot know.",
    why: """
      A pack that keeps its address '…/<ID>' needs no base URL. A new pack, or one whose address \
      was made from a template, would be looked for in the wrong place.
      """,
    example: .init(
      wrong: "download-manifest update manifest.json new.aar",
      right: """
        download-manifest update manifest.json new.aar --download-base-url \
        https://downloads.example.com/packs
        """))

  static func unknown(_ archive: PublishedArchive) -> Diagnostic {
    rule.finding(
      .error, "where the new pack '\(archive.id)' is served is not known", at: nil,
      fixes: [Fix("name it with --download-base-url or --url-template", .shownOnly)])
  }

  static func checkKept(_ pack: PublishedPack) -> Diagnostic? {
    guard WebAddress(pack.url)?.fileName != pack.id else { return nil }
    return rule.finding(
      .error, "where the new version of '\(pack.id)' is served is not known", at: nil,
      notes: ["version \(pack.version) is at '\(pack.url)', which does not end in the ID"],
      fixes: [Fix("name it with --download-base-url or --url-template", .shownOnly)])
  }
}
