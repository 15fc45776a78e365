import SourceDiagnostics

/// The sign between folders is `/`.
enum SelectorBackslash {
  static let rule = Rule(
    "selector.backslash", .always(.warning), mending: .unsafe,
    what: "A path that is no pattern has a backslash in it.",
    why: #"""
      Folders are separated by '/', also on Windows. A backslash is an ordinary character of a \#
      name here, so 'Textures\hero.png' is one file with a strange name. (In a pattern it takes \#
      the meaning from the sign behind it.)
      """#,
    example: .init(
      wrong: #""fileSelectors": [{"file": "Textures\\hero.png"}]"#,
      right: #""fileSelectors": [{"file": "Textures/hero.png"}]"#))

  static func check(_ path: String, of key: SelectorKey, at node: JSONNode) -> Diagnostic? {
    guard !key.takesPattern, path.utf8.contains(UInt8(ascii: "\\")) else { return nil }
    let slashes = String(
      decoding: path.utf8.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }, as: UTF8.self)
    // With slashes it may be a path that nobody takes.
    let isPath = SelectorPath.fault(in: slashes, of: key, at: node.span) == nil
    return rule.finding(
      .warning, "the path has a backslash in it; folders are separated by '/'", at: node.span,
      fixes: isPath ? [.replaceText(of: node, by: slashes)] : [])
  }
}
