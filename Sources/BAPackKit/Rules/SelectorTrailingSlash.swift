import SourceDiagnostics

/// A file is not named like a folder.
enum SelectorTrailingSlash {
  static let rule = Rule(
    "selector.trailing-slash",
    what: "The path of a file ends with a '/'.",
    why: """
      Only a folder can be written so. 'directory' chooses a folder; 'fileDestination' is the \
      whole path of the file, with its name.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"fileSource": "build/a.png", "fileDestination": "Textures/"}]"#,
      right: """
        "fileSelectors": [{"fileSource": "build/a.png", "fileDestination": "Textures/a.png"}]
        """))

  static func check(_ path: String, of key: SelectorKey, at span: SourceSpan) -> Diagnostic? {
    guard !key.takesFolder, path.utf8.last == UInt8(ascii: "/") else { return nil }
    return rule.finding(
      .error, "'\(key.rawValue)' takes the path of a file, and '\(path)' is a folder's", at: span)
  }
}
