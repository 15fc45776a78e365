import SourceDiagnostics

/// A pack has at least one selector.
enum SelectorNone {
  static let rule = Rule(
    "selector.none",
    what: "'fileSelectors' is an empty list.",
    why: "Without selectors the pack would be empty, and it would upload and publish all the same.",
    example: .init(
      wrong: #""fileSelectors": []"#, right: #""fileSelectors": [{"directory": "Textures"}]"#))

  static func check(_ list: JSONNode) -> Diagnostic? {
    guard list.count == 0, !list.isDamaged else { return nil }
    return rule.finding(.error, "'fileSelectors' needs at least one selector", at: list.span)
  }
}
