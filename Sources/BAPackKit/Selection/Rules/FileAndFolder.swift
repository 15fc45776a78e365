import SourceDiagnostics

/// A path in the pack is a file or a folder.
enum FileAndFolder {
  static let rule = Rule(
    "files.file-and-folder",
    what: "A path in the pack would be a file and a folder at once.",
    why: "No file system can hold both; the pack could not be unpacked.",
    example: .init(
      wrong: """
        "fileSelectors": [
          {"fileSource": "a.txt", "fileDestination": "Data"},
          {"fileSource": "b.txt", "fileDestination": "Data/b.txt"}
        ]
        """,
      right: """
        "fileSelectors": [
          {"fileSource": "a.txt", "fileDestination": "Data/a.txt"},
          {"fileSource": "b.txt", "fileDestination": "Data/b.txt"}
        ]
        """))

  static func finding(
    _ path: String, file: String, below: String, at span: SourceSpan?, other: SourceSpan?
  ) -> Diagnostic {
    rule.finding(
      .error, "'\(path: path)' would be a file ('\(path: file)') and a folder ('\(path: below)')",
      at: span,
      labels: other.map { [.init($0, "the other one comes from here")] } ?? [])
  }
}
