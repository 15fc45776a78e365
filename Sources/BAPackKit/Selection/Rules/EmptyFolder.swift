import SourceDiagnostics

/// A folder that is named has files in it.
enum EmptyFolder {
  static let rule = Rule(
    "files.empty-folder", .always(.warning),
    what: "A folder that a selector names holds no file.",
    why: """
      The pack gets the empty folder, as was asked for. More often a build step has not run yet, or \
      large files were not checked out.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"directory": "build/empty"}]"#,
      right: #""fileSelectors": [{"directory": "build/assets"}]"#))

  static func finding(_ path: String, at span: SourceSpan?) -> Diagnostic {
    rule.finding(.warning, "there is no file in '\(path: path)'", at: span)
  }
}
