import SourceDiagnostics

/// Every exclusion drops something.
enum UnusedExclusion {
  static let rule = Rule(
    "files.unused-exclusion", .always(.warning),
    what: "An exclusion drops nothing that other selectors chose.",
    why: """
      What it was meant for may be in the pack under another name. Exclusions are matched against \
      source paths, and case counts; './' before a name holds it at the source root. 'evaluate \
      --excluded' lists what exclusions drop.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Audio"}, {"fileExclusion": "Adio/*.tmp"}]"#,
      right: #""fileSelectors": [{"directory": "Audio"}, {"fileExclusion": "Audio/*.tmp"}]"#))

  static func finding(
    _ pattern: String, notes: [Diagnostic.Message] = [], at span: SourceSpan?
  ) -> Diagnostic {
    rule.finding(.warning, "the exclusion '\(pattern)' drops nothing", at: span, notes: notes)
  }
}
