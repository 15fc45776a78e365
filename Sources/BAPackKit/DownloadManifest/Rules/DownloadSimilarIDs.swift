import SourceDiagnostics

/// IDs that a person cannot tell apart are told apart by devices.
enum DownloadSimilarIDs {
  static let rule = Rule(
    "download.similar-ids", .always(.warning),
    what: "Two packs have IDs that look alike and have other bytes.",
    why: """
      One character can be written in several ways, and some are never seen. Apps and devices \
      compare bytes, so that these are two packs, and one of them is probably a mistake.
      """,
    example: .init(
      wrong: #"{"id": "café"} and {"id": "cafe\u0301"}"#, right: #"{"id": "cafe"}"#))

  static func finding(_ id: PackID, _ other: PackID, at span: SourceSpan?) -> Diagnostic {
    rule.finding(
      .warning, "'\(id.spelled)' looks like '\(other.spelled)' and is another ID", at: span,
      fixes: [Fix("write both alike if they are one pack", .shownOnly)])
  }
}
