import SourceDiagnostics

/// The download size is that of the file.
enum DownloadSizeDiffers {
  static let rule = Rule(
    "download.size-differs",
    what: "The download size of a pack is not the size of its archive.",
    why: """
      Devices measure progress by it and check the download with it: there is no digest in a \
      download manifest.
      """,
    example: .init(
      wrong: #""downloadSize": 595 for a file of 596 bytes"#,
      right: #""downloadSize": 596 for a file of 596 bytes"#))

  static func finding(
    _ pack: PublishedPack, _ archive: PublishedArchive, at span: SourceSpan?
  ) -> Diagnostic {
    rule.finding(
      .error,
      "the download size of '\(pack.id)' is \(pack.downloadSize), '\(path: archive.path)' has "
        + "\(archive.size) bytes",
      at: span,
      fixes: [
        Fix("publish the archive with 'download-manifest update', or restore it", .shownOnly)
      ])
  }
}
