import SourceDiagnostics

/// Some readers keep a version in 16 bits.
enum DownloadVersionLimit {
  static let rule = Rule(
    "download.version-limit",
    what: "A version is higher than 65,535.",
    why: """
      Devices take larger numbers, but Apple's plug-in for Unity keeps versions in 16 bits and \
      crashes on a larger one. Dates and build numbers make poor versions: count by one.
      """,
    example: .init(wrong: #""version": 20261120"#, right: #""version": 12"#))

  static func check(_ pack: PublishedPack, at span: SourceSpan?) -> Diagnostic? {
    guard pack.version > PublishedPack.highestPortableVersion else { return nil }
    return rule.finding(
      .warning, "version \(pack.version) of '\(pack.id)' is higher than 65535", at: span,
      notes: ["Apple's plug-in for Unity crashes on such a version"],
      fixes: [Fix("count versions by one; a version that is out cannot be taken back", .shownOnly)])
  }

  static func exhausted(_ id: PackID) -> Diagnostic {
    rule.finding(
      .error, "the version of '\(id)' cannot rise any more", at: nil,
      fixes: [Fix("publish the pack under another ID", .shownOnly)])
  }
}
