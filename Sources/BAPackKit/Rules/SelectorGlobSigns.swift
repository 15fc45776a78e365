import SourceDiagnostics

/// Signs of patterns stand in 'filePattern' and 'fileExclusion' only.
enum SelectorGlobSigns {
  static let rule = Rule(
    "selector.glob-signs", .always(.warning), mending: .unsafe,
    what: "The path of a file or a folder looks like a pattern.",
    why: """
      '*', '?' and '[...]' mean something in 'filePattern' and 'fileExclusion' only; elsewhere \
      they are ordinary characters of a name.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"file": "Audio/*.wav"}]"#,
      right: #""fileSelectors": [{"filePattern": "Audio/*.wav"}]"#))

  static func check(
    _ path: String, of key: SelectorKey, keyNode: JSONNode, at span: SourceSpan
  ) -> Diagnostic? {
    switch key {
    case .file, .directory, .fileSource, .directorySource: break
    default: return nil
    }
    guard let sign = sign(in: path) else { return nil }
    let finding = rule.finding(
      .warning, "'\(sign)' is an ordinary character in '\(key.rawValue)'", at: span)
    var result = finding
    switch key {
    case .file:
      let isPattern = (try? PathPattern(forFiles: path)) != nil
      result.fixes =
        isPattern ? [.replaceText(of: keyNode, by: SelectorKey.filePattern.rawValue)] : []
    case .directory: result.notes = ["'filePattern' takes patterns; '**' stands for all folders"]
    default: result.notes = ["'filePattern' takes patterns, and files keep their paths"]
    }
    return result
  }

  /// The sign that makes a path look like a pattern.
  static func sign(in path: String) -> String? {
    var opened = false
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "*"): return "*"
      case UInt8(ascii: "?"): return "?"
      case UInt8(ascii: "["): opened = true
      case UInt8(ascii: "]") where opened: return "["
      default: break
      }
    }
    return nil
  }
}
