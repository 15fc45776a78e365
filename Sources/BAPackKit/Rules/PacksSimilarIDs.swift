import SourceDiagnostics

/// IDs of packs that a person cannot tell apart are told apart by devices.
enum PacksSimilarIDs {
  static let rule = Rule(
    "packs.similar-ids", .always(.warning),
    what: "Two manifests have IDs that look alike and have other bytes.",
    why: """
      One character can be written in several ways, and some are never seen. Apps and devices \
      compare bytes, so that these are two packs, and one of them is probably a mistake.
      """,
    example: .init(
      wrong: #""assetPackID": "café" and "assetPackID": "cafe\u0301""#,
      right: #""assetPackID": "cafe""#))

  static func finding(
    _ id: PackID, _ other: PackID, at span: SourceSpan?, first: String
  ) -> Diagnostic {
    rule.finding(
      .warning, "'\(id.spelled)' looks like '\(other.spelled)' and is another ID", at: span,
      notes: ["the other one is \(path: first)"],
      fixes: [Fix("write both alike if they are one pack", .shownOnly)])
  }
}
