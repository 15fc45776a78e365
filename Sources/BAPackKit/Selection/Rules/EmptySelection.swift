import SourceDiagnostics

/// A pack has something in it.
enum EmptySelection {
  static let rule = Rule(
    "files.empty", .always(.warning),
    what: "Nothing is left to pack after exclusions.",
    why: "A pack without files can be built, uploaded and downloaded, and helps nobody.",
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Audio"}, {"fileExclusion": "Audio"}]"#,
      right: #""fileSelectors": [{"directory": "Audio"}, {"fileExclusion": "Audio/drafts"}]"#))

  static func finding(at span: SourceSpan?) -> Diagnostic {
    rule.finding(.warning, "nothing is left to pack", at: span)
  }
}
