import SourceDiagnostics

/// The manifest of a pack and the download manifest say the same.
enum DownloadPackDiffers {
  static let rule = Rule(
    "download.pack-differs", .always(.warning),
    what: "The download manifest says something about a pack that its archive does not say.",
    why: """
      Devices go by the download manifest. A policy or a userInfo that was changed by hand there is \
      lost with the next version of the pack.
      """,
    example: .init(
      wrong: #""downloadPolicy": {"onDemand": {}} for a pack that was packed as essential"#,
      right: "the policy of the pack's own manifest"))

  static func finding(
    _ part: String, of id: PackID, _ archive: PublishedArchive, at span: SourceSpan?
  ) -> Diagnostic {
    rule.finding(
      .warning, "the \(part) of '\(id)' is not the one in '\(path: archive.path)'", at: span,
      fixes: [Fix("change the pack's manifest, pack it again and update", .shownOnly)])
  }
}
