import SourceDiagnostics

/// A version never falls.
enum DownloadVersionLowered {
  static let rule = Rule(
    "download.version-lowered",
    what: "A version is lower than the one that was published before.",
    why: """
      Devices that have the higher version keep it until the new number has passed it, so that \
      they miss every update on the way. To take back a version, publish the old bytes under the \
      next number.
      """,
    example: .init(
      wrong: #""version": 3, and 4 was published before"#,
      right: #""version": 5, and 4 was published before"#))

  static func finding(
    _ severity: Diagnostic.Severity, id: PackID, from before: Int, to now: Int,
    at span: SourceSpan?
  ) -> Diagnostic {
    rule.finding(
      severity, "the version of '\(id)' falls from \(before) to \(now)", at: span,
      notes: ["devices that have version \(before) will not take version \(now)"],
      fixes: [Fix("publish it as a version above \(before), as 'update' does", .shownOnly)])
  }
}
