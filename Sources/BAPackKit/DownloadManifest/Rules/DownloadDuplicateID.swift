import SourceDiagnostics

/// A pack is in a download manifest once.
enum DownloadDuplicateID {
  static let rule = Rule(
    "download.duplicate-id",
    what: "Two packs of a download manifest have one ID.",
    why: "The app asks for a pack by its ID; which of the two a device takes is not known.",
    example: .init(
      wrong: #""assetPacks": [{"id": "tutorial", …}, {"id": "tutorial", …}]"#,
      right: #""assetPacks": [{"id": "tutorial", …}, {"id": "level-1", …}]"#))

  static func finding(_ id: PackID, at span: SourceSpan, first: SourceSpan) -> Diagnostic {
    rule.finding(
      .error, "the pack '\(id)' is in the manifest twice", at: span,
      labels: [.init(first, "first written here")],
      fixes: [Fix("take one of them away", .shownOnly)])
  }

  /// Several archives of one pack on a command line.
  static func given(_ archive: PublishedArchive, first: PublishedArchive) -> Diagnostic {
    rule.finding(
      .error, "the pack '\(archive.id)' is given twice, first as '\(path: first.path)'", at: nil,
      fixes: [Fix("give one of the two archives", .shownOnly)])
  }
}
