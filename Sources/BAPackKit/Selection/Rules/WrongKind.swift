import SourceDiagnostics

/// `file` names a file, `directory` names a folder.
enum WrongKind {
  static let rule = Rule(
    "selection.wrong-kind",
    what: "A selector for a file names a folder, or one for a folder names a file.",
    why: "A folder is taken with everything below it, which 'file' does not ask for.",
    example: .init(
      wrong: #""fileSelectors": [{"file": "Textures"}]"#,
      right: #""fileSelectors": [{"directory": "Textures"}]"#))

  static func isFolder(_ path: String, at span: SourceSpan?, whole: SourceSpan?) -> Diagnostic {
    rule.finding(
      .error, "'\(path)' is a folder", at: span, fixes: [replacing(whole, "directory", path)])
  }

  static func isFile(_ path: String, at span: SourceSpan?, whole: SourceSpan?) -> Diagnostic {
    rule.finding(
      .error, "'\(path)' is a file", at: span, fixes: [replacing(whole, "file", path)])
  }

  static func destinationIsFolder(
    _ path: String, name: some StringProtocol, at span: SourceSpan?, _ findings: SelectionFindings
  ) -> Diagnostic {
    let folder = path == "." || path == "./" || path.isEmpty ? "" : path
    return rule.finding(
      .error, "'\(path)' names a folder, not a file", at: span,
      fixes: [findings.rewrite(span, folder + name)])
  }

  /// Nothing is edited in a pair: which key to write there depends on the other half.
  private static func replacing(_ whole: SourceSpan?, _ key: String, _ path: String) -> Fix {
    Fix("write {\"\(key)\": \"\(path)\"}", .shownOnly)
  }
}
