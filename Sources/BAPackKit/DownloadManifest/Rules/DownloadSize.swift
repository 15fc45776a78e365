import SourceDiagnostics

/// The size of an archive is a number of bytes.
enum DownloadSize {
  static let rule = Rule(
    "download.size",
    what: "The download size of a pack is not a whole number of bytes above 0.",
    why: "Devices measure progress by it and reserve room for it; no archive is empty.",
    example: .init(wrong: #""downloadSize": -1"#, right: #""downloadSize": 596"#))

  static func finding(_ number: String, of name: String, at span: SourceSpan) -> Diagnostic {
    rule.finding(
      .error,
      "the download size of \(name) is a whole number of bytes above 0, not '\(number)'", at: span,
      fixes: [Fix("write how many bytes its archive has", .shownOnly)])
  }
}
