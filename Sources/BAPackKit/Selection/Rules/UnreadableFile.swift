import SourceDiagnostics

/// What is selected can be read.
enum UnreadableFile {
  static let rule = Rule(
    "files.unreadable",
    what: "A selected file or folder may not be read, or an archive holds it in no usable form.",
    why: "Packing would stop there, or would leave out what was selected.",
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Saves"}]"#,
      right: #""fileSelectors": [{"directory": "Saves"}, {"fileExclusion": "Saves/private"}]"#))

  static func finding(_ path: String, _ reason: String, at span: SourceSpan?) -> Diagnostic {
    rule.finding(
      .error, "cannot read '\(path: path)': \(reason)", at: span,
      fixes: [Fix("make it readable, or leave it out with a 'fileExclusion'", .shownOnly)])
  }

  /// A file that an archive holds under a password.
  static func encrypted(_ path: String, at span: SourceSpan?) -> Diagnostic {
    rule.finding(
      .error, "cannot read '\(path: path)': it is encrypted in the archive", at: span,
      fixes: [
        Fix(
          "make the archive again without a password, or leave the file out with a 'fileExclusion'",
          .shownOnly)
      ])
  }

  /// What an archive holds damaged, or under a path where nothing can be.
  static func flawed(_ path: String, _ flaw: String, at span: SourceSpan?) -> Diagnostic {
    // What is too long for a pack is told by its beginning.
    let name: Diagnostic.Message =
      path.utf8.count <= DestinationPath.limit ? "'\(path: path)' " : "'\(path)' "
    return rule.finding(
      .error, name + Diagnostic.Message(whole: flaw), at: span,
      fixes: [
        Fix("make the archive again, or leave it out with a 'fileExclusion'", .shownOnly)
      ])
  }
}
