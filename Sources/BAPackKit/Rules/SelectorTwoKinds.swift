import SourceDiagnostics

/// A selector is of one kind.
enum SelectorTwoKinds {
  static let rule = Rule(
    "selector.two-kinds",
    what: "A selector has keys of two kinds.",
    why: "Each selector chooses files in one way; it would not be clear which key counts.",
    example: .init(
      wrong: #""fileSelectors": [{"file": "a.png", "directory": "Textures"}]"#,
      right: #""fileSelectors": [{"file": "a.png"}, {"directory": "Textures"}]"#))

  static func finding(_ first: JSONNode, _ second: JSONNode) -> Diagnostic {
    rule.finding(
      .error,
      "'\(first.string ?? "")' and '\(second.string ?? "")' do not go together in one selector",
      at: second.span, labels: [.init(first.span, "the first kind")],
      fixes: [Fix("write two selectors", .shownOnly)])
  }
}
