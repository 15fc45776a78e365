import SourceDiagnostics

/// The same bytes need no new version.
enum DownloadVersionRaised {
  static let rule = Rule(
    "download.version-raised", .always(.warning),
    what: "The version of a pack rose and its bytes did not change.",
    why: "Every device downloads the whole pack again, and gets what it has.",
    example: .init(
      wrong: #""version": 5 with the bytes of version 4"#,
      right: #""version": 4 with the bytes of version 4"#))

  static func finding(
    _ id: PackID, from before: Int, to now: Int, at span: SourceSpan?
  ) -> Diagnostic {
    rule.finding(
      .warning, "the version of '\(id)' rose from \(before) to \(now), its bytes are the same",
      at: span, notes: ["every device downloads the pack again"],
      fixes: [Fix("keep version \(before), unless \(now) is published already", .shownOnly)])
  }
}
