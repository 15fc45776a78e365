import SourceDiagnostics

/// What a selector names is there.
enum MissingFile {
  static let rule = Rule(
    "files.missing",
    what: "A file or folder that a selector names is not in the source root.",
    why: """
      An app that asks for the file would find out on a customer's device. Paths start at the source \
      root: '--source-root', else the manifest's 'sourceRoot', else the current folder.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"file": "Textures/hero.pgn"}]"#,
      right: #""fileSelectors": [{"file": "Textures/hero.png"}]"#))

  static func finding(
    _ path: String, isFolder: Bool, root: String, nearest: String?, at span: SourceSpan?,
    _ findings: SelectionFindings
  ) -> Diagnostic {
    let names = SimilarNames.distinguishable(path, nearest ?? "")
    let question: Diagnostic.Message =
      nearest == nil ? "" : "; did you mean '\(path: names.second)'?"
    return rule.finding(
      .error, "there is no \(isFolder ? "folder" : "file") '\(names.first)'\(question)", at: span,
      notes: ["paths start at the source root, '\(path: root)'"],
      fixes: nearest.map { [findings.rewrite(span, $0)] } ?? [])
  }
}
