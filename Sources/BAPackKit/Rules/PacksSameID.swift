import SourceDiagnostics

/// Two packs of an app have two IDs.
enum PacksSameID {
  static let rule = Rule(
    "packs.same-id",
    what: "Two manifests have the same 'assetPackID'.",
    why: """
      The packs of an app share one space of names: the second would replace the first, on disk \
      and in App Store Connect.
      """,
    example: .init(
      wrong: #""assetPackID": "Tutorial""#, right: #""assetPackID": "Tutorial-2""#))

  static func finding(_ id: String, at span: SourceSpan?, first: String) -> Diagnostic {
    rule.finding(
      .error, "the ID '\(id)' is taken by another manifest", at: span,
      notes: ["the other one is \(path: first)"])
  }
}
