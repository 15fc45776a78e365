import SourceDiagnostics

/// New bytes need a new version.
enum DownloadVersionKept {
  static let rule = Rule(
    "download.version-not-raised",
    what: "The bytes of a pack changed and its version did not.",
    why: """
      Devices that have the pack do not look at it again, and those that are downloading it get a \
      file that is not the one the manifest describes.
      """,
    example: .init(
      wrong: #""version": 4 with other bytes than version 4 had"#,
      right: #""version": 5 with other bytes than version 4 had"#))

  static func finding(
    _ id: PackID, version: Int, because difference: Diagnostic.Message, at span: SourceSpan?
  ) -> Diagnostic {
    rule.finding(
      .error, "the bytes of '\(id)' changed and its version is still \(version)", at: span,
      notes: [difference],
      fixes: [Fix("raise the version, as 'download-manifest update' does", .shownOnly)])
  }
}
