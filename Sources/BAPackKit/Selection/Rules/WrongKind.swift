import SourceDiagnostics

/// `file` names a file, `directory` names a folder.
enum WrongKind {
  static let rule = Rule(
    "files.wrong-kind",
    what: "A selector for a file names a folder, or one for a folder names a file.",
    why: "A folder is taken with everything below it, which 'file' does not ask for.",
    example: .init(
      wrong: #""fileSelectors": [{"file": "Textures"}]"#,
      right: #""fileSelectors": [{"directory": "Textures"}]"#))

  static func isFolder(_ path: String, at span: SourceSpan?, whole: SourceSpan?) -> Diagnostic {
    rule.finding(
      .error, "'\(path: path)' is a folder", at: span, fixes: [replacing(whole, "directory", path)])
  }

  static func isFile(_ path: String, at span: SourceSpan?, whole: SourceSpan?) -> Diagnostic {
    rule.finding(
      .error, "'\(path: path)' is a file", at: span, fixes: [replacing(whole, "file", path)])
  }

  static func destinationIsRoot(at span: SourceSpan?) -> Diagnostic {
    rule.finding(
      .error, "'fileDestination' takes the path of a file, and '.' is the root of the pack",
      at: span)
  }

  /// Nothing is edited in a pair: which key to write there depends on the other half.
  private static func replacing(_ whole: SourceSpan?, _ key: String, _ path: String) -> Fix {
    Fix("write {\"\(key)\": \"\(path: path)\"}", .shownOnly)
  }
}
