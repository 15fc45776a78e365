import SourceDiagnostics

/// The record beside a download manifest is written by the program.
enum DownloadRecord {
  static let rule = Rule(
    "download.record",
    what: "The record '<manifest>.lock.json' is not as 'create' and 'update' write it.",
    why: """
      The record says which bytes were published under which version. An update that trusts a \
      damaged one could give two archives one version.
      """,
    example: .init(
      wrong: #"{"id": "tutorial", "version": 0, "sha256": "unknown"}"#,
      right: "a record as it was written, or none at all"))

  private static let fix = Fix(
    "restore the file, or delete it: packs that are given then count as changed", .shownOnly)

  static func version(_ node: JSONNode) -> Diagnostic {
    rule.finding(
      .error, "a version is a whole number of at least 0", at: node.span, fixes: [fix])
  }

  static func digest(_ node: JSONNode) -> Diagnostic {
    rule.finding(
      .error, "a SHA-256 has 64 hexadecimal digits in lower case", at: node.span, fixes: [fix])
  }
}
