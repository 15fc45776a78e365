import SourceDiagnostics

/// A path names something.
enum SelectorEmptyPath {
  static let rule = Rule(
    "selector.empty-path",
    what: "The path of a selector is empty.",
    why: "An empty path names no file. The whole source root is '.'.",
    example: .init(
      wrong: #""fileSelectors": [{"directory": ""}]"#,
      right: #""fileSelectors": [{"directory": "."}]"#))

  static func check(_ path: String, of key: SelectorKey, at span: SourceSpan) -> Diagnostic? {
    guard path.isEmpty else { return nil }
    let note: Diagnostic.Message? =
      switch key {
      case .directory, .directorySource: "the whole source root is '.'"
      case .directoryDestination: "the root of the pack is '.'"
      case .fileExclusion: "an exclusion names what it drops: a file, a folder or a pattern"
      case .file, .filePattern, .fileSource, .fileDestination: nil
      }
    return rule.finding(
      .error, "the path of '\(key.rawValue)' is empty", at: span, notes: note.map { [$0] } ?? [])
  }
}
