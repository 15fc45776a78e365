import SourceDiagnostics

/// A pattern means something.
enum MalformedPattern {
  static let rule = Rule(
    "files.pattern",
    what: "A pattern ends inside a class or an escape, or has a range that runs backwards.",
    why: """
      Patterns know '*', '?', '[a-z]', '[!a-z]', '**' as a whole component, and '\\' before a \
      character that stands for itself.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"filePattern": "level[1-.dat"}]"#,
      right: #""fileSelectors": [{"filePattern": "level[1-9].dat"}]"#))

  static func finding(_ pattern: String, _ fault: PatternFault, at span: SourceSpan?) -> Diagnostic
  {
    let reason =
      switch fault {
      case .unclosedClass: "has a '[' without a ']' in the same component"
      case .emptyRange: "has a range that runs backwards"
      case .endsInBackslash: "has a backslash with nothing behind it"
      }
    return rule.finding(
      .error, "the pattern '\(pattern)' \(reason)", at: span,
      notes: fault == .emptyRange ? [] : ["write '\\[' or '\\\\' for the sign itself"])
  }
}
