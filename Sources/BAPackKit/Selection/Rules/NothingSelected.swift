import SourceDiagnostics

/// Every selector selects something.
enum NothingSelected {
  static let rule = Rule(
    "files.nothing-selected",
    what: "A selector selects nothing, even before exclusions are applied.",
    why: """
      A selector is written because something should be in the pack. A pattern matches files only, \
      case counts, '*' stays within one folder ('**/' crosses folders), and a leading dot is matched \
      only by a written one.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"filePattern": "*.WAV"}]"#,
      right: #""fileSelectors": [{"filePattern": "Audio/*.wav"}]"#))

  /// A pattern that matches no file, with a better one where there is one.
  static func finding(
    pattern: String, better: String?, notes: [Diagnostic.Message], at span: SourceSpan?,
    _ findings: SelectionFindings
  ) -> Diagnostic {
    let question: Diagnostic.Message = better.map { "; did you mean '\(path: $0)'?" } ?? ""
    return rule.finding(
      .error, "no file matches '\(pattern)'\(question)", at: span, notes: notes,
      fixes: better.map { [findings.rewrite(span, $0)] } ?? [])
  }

  static func finding(_ selector: FileSelector, at span: SourceSpan?) -> Diagnostic {
    switch selector {
    case .filePattern(let text):
      rule.finding(.error, "no file matches '\(text)'", at: span)
    case .directory(let path), .renamedDirectory(let path, _):
      rule.finding(.error, "there is nothing in '\(path)'", at: span)
    case .file(let path), .renamedFile(let path, _), .exclusion(let path):
      rule.finding(
        .error, "'\(path)' selects nothing", at: span,
        notes: ["the output of this run is never part of a pack"])
    }
  }
}
