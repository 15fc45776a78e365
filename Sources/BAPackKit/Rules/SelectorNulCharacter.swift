import SourceDiagnostics

/// No path has a NUL in it.
enum SelectorNulCharacter {
  static let rule = Rule(
    "selector.nul-character",
    what: #"The path of a selector has a NUL character, written '\u0000', in it."#,
    why: "No file system has such names: nothing can be found there.",
    example: .init(
      wrong: ##""fileSelectors": [{"file": "a\u0000.png"}]"##,
      right: #""fileSelectors": [{"file": "a.png"}]"#))

  static func check(_ path: String, at span: SourceSpan) -> Diagnostic? {
    guard path.utf8.contains(0) else { return nil }
    return rule.finding(.error, "the path has a NUL character in it", at: span)
  }
}
