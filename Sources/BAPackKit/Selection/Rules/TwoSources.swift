import SourceDiagnostics

/// A path in the pack has one source.
enum TwoSources {
  static let rule = Rule(
    "files.two-sources",
    what: "Two different files would get the same path in the pack.",
    why: "Only one of them could be there, and it would not be clear which.",
    example: .init(
      wrong: """
        "fileSelectors": [
          {"file": "icon.png"},
          {"fileSource": "draft.png", "fileDestination": "icon.png"}
        ]
        """,
      right: """
        "fileSelectors": [
          {"file": "icon.png"},
          {"fileSource": "draft.png", "fileDestination": "draft.png"}
        ]
        """))

  static func finding(
    _ path: String, first: String, second: String, at span: SourceSpan?, other: SourceSpan?
  ) -> Diagnostic {
    rule.finding(
      .error, "two sources for '\(path: path)': '\(path: first)' and '\(path: second)'", at: span,
      labels: other.map { [.init($0, "'\(path: first)' comes from here")] } ?? [])
  }
}
