import SourceDiagnostics

/// Paths stay below the source root.
enum SelectorParent {
  static let rule = Rule(
    "selector.parent",
    what: "The path of a selector has a '..' in it.",
    why: """
      Everything in a pack comes from below the source root and keeps its place there. To reach \
      further up, choose another root with 'sourceRoot' or '--source-root'.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"directory": "../Shared"}]"#,
      right: #""fileSelectors": [{"directory": "Shared"}], "sourceRoot": "..""#))

  static func check(_ path: String, of key: SelectorKey, at span: SourceSpan) -> Diagnostic? {
    guard hasParent(path) else { return nil }
    return rule.finding(
      .error, "the path '\(path)' has a '..' in it", at: span,
      notes: [
        key.isDestination
          ? "a destination stays in the pack, and starts at its root"
          : "a source root further up reaches more: 'sourceRoot' or '--source-root'"
      ])
  }

  /// Whether one of the components is `..`; looked for in bytes, since every path comes by here.
  private static func hasParent(_ path: String) -> Bool {
    var dots = 0
    var isDotsOnly = true
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "/"):
        if isDotsOnly, dots == 2 { return true }
        dots = 0
        isDotsOnly = true
      case UInt8(ascii: "."): dots += 1
      default: isDotsOnly = false
      }
    }
    return isDotsOnly && dots == 2
  }
}
