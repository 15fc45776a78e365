import SourceDiagnostics

/// Paths start at the source root.
enum SelectorAbsolute {
  static let rule = Rule(
    "selector.absolute",
    what: "The path of a selector is absolute.",
    why: """
      Paths are relative to the source root, and a destination to the root of the pack; an \
      absolute one would hold on one machine only.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"file": "/home/me/game/a.png"}]"#,
      right: #""fileSelectors": [{"file": "a.png"}]"#))

  static func check(_ path: String, of key: SelectorKey, at span: SourceSpan) -> Diagnostic? {
    guard isAbsolute(path) else { return nil }
    return rule.finding(
      .error, "the path '\(path)' is absolute", at: span,
      notes: [
        key.isDestination
          ? "a destination starts at the root of the pack, without a '/' before it"
          : "paths are relative to the source root, which '--source-root' can set"
      ])
  }

  /// Whether a path starts at the root of a file system, or at a drive of Windows.
  static func isAbsolute(_ path: String) -> Bool {
    var bytes = path.utf8.makeIterator()
    guard let first = bytes.next() else { return false }
    if first == UInt8(ascii: "/") { return true }
    guard bytes.next() == UInt8(ascii: ":"), let third = bytes.next() else { return false }
    let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20
    return isLetter && (third == UInt8(ascii: "/") || third == UInt8(ascii: "\\"))
  }
}
