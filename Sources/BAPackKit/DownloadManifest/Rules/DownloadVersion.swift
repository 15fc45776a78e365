import SourceDiagnostics

/// A version is a whole number.
enum DownloadVersion {
  static let rule = Rule(
    "download.version",
    what: "The version of a pack is not a whole number of at least 0.",
    why: "Devices compare versions as whole numbers, and refuse a manifest that has anything else.",
    example: .init(wrong: #""version": 1.5"#, right: #""version": 2"#))

  static func finding(_ number: String, of name: String, at span: SourceSpan) -> Diagnostic {
    rule.finding(
      .error, "the version of \(name) is a whole number of at least 0, not '\(number)'", at: span,
      fixes: [
        Fix("write the number of the archive that is served; the record knows it", .shownOnly)
      ])
  }
}
