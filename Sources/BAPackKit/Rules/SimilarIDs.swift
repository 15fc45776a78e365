import SourceDiagnostics

/// IDs that a person cannot tell apart are told apart by devices, in manifests of packs and in
/// download manifests.
enum SimilarIDs {
  static let inManifests = rule(
    "packs.similar-ids", what: "Two manifests have IDs that look alike and have other bytes.",
    example: .init(
      wrong: #""assetPackID": "café" and "assetPackID": "cafe\u0301""#,
      right: #""assetPackID": "cafe""#))
  static let published = rule(
    "download.similar-ids", what: "Two packs have IDs that look alike and have other bytes.",
    example: .init(
      wrong: #"{"id": "café"} and {"id": "cafe\u0301"}"#, right: #"{"id": "cafe"}"#))

  private static func rule(_ id: Diagnostic.ID, what: String, example: Rule.Example) -> Rule {
    Rule(
      id, .always(.warning), what: what,
      why: """
        One character can be written in several ways, and some are never seen. Apps and devices \
        compare bytes, so that these are two packs, and one of them is probably a mistake.
        """,
      example: example)
  }

  static func finding(
    _ rule: Rule, _ id: PackID, _ other: PackID, at span: SourceSpan?, first: String? = nil
  ) -> Diagnostic {
    rule.finding(
      .warning, "'\(id.spelled)' looks like '\(other.spelled)' and is another ID", at: span,
      notes: first.map { ["the other one is \(path: $0)"] } ?? [],
      fixes: [Fix("write both alike if they are one pack", .shownOnly)])
  }
}
