import SourceDiagnostics

/// IDs that App Store Connect is not known to refuse, but that nobody has tried at length.
enum PackIDStyle {
  static let longest = 64

  static let rule = Rule(
    "id.style", .byHost(unknown: nil, apple: .warning, selfHosted: nil),
    what: "'assetPackID' has '--' inside or is longer than 64 characters.",
    why: """
      Apple publishes neither a length nor a rule for doubled signs. An ID can never be changed \
      or used again, so it is better not to be the first to find out.
      """,
    example: .init(
      wrong: #""assetPackID": "level--1""#, right: #""assetPackID": "level-1""#, hosting: .apple))

  static func check(_ id: String, at span: SourceSpan, for hosting: Hosting?) -> Diagnostic? {
    guard hosting == .apple else { return nil }
    if id.unicodeScalars.count > longest {
      return rule.finding(
        .warning, "the ID is longer than \(longest) characters", at: span)
    }
    return id.contains("--") ? rule.finding(.warning, "the ID has '--' inside", at: span) : nil
  }
}
