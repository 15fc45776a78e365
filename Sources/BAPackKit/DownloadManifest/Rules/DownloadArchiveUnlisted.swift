import SourceDiagnostics

/// Every archive of a folder is in the manifest.
enum DownloadArchiveUnlisted {
  static let rule = Rule(
    "download.archive-unlisted", .always(.warning),
    what: "An archive is in the folder and its pack is not in the download manifest.",
    why: "Devices know only what the manifest lists. The pack may have been forgotten.",
    example: .init(
      wrong: "Output/level-1.aar, and no pack 'level-1' in the manifest",
      right: "download-manifest update manifest.json Output/level-1.aar"))

  static func finding(_ archive: PublishedArchive) -> Diagnostic {
    rule.finding(
      .warning, "the pack '\(archive.id)' in '\(path: archive.path)' is not in the manifest",
      at: nil,
      fixes: [Fix("add it with 'download-manifest update'", .shownOnly)])
  }
}
