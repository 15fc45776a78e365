import SourceDiagnostics

/// A source needs a destination, and a destination a source.
enum SelectorHalfPair {
  static let rule = Rule(
    "selector.half-pair",
    what: "A selector has a source without a destination, or the other way round.",
    why: """
      'fileSource' and 'fileDestination' belong together, and so do 'directorySource' and \
      'directoryDestination'. To keep a path as it is, use 'file' or 'directory'.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"fileSource": "build/a.png"}]"#,
      right: #""fileSelectors": [{"fileSource": "build/a.png", "fileDestination": "a.png"}]"#))

  static func finding(_ selector: JSONNode, has key: JSONNode, lacks other: String) -> Diagnostic {
    rule.finding(
      .error, "'\(key.string ?? "")' needs '\(other)' beside it", at: key.span,
      labels: [.init(SourceSpan(selector.span.start, selector.span.start + 1), "in this selector")])
  }
}
