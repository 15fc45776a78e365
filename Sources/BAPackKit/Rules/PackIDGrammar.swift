import SourceDiagnostics

/// The grammar of IDs that App Store Connect enforces.
enum PackIDGrammar {
  static let rule = Rule(
    "id.grammar", .byHost(unknown: .warning, apple: .error, selfHosted: nil),
    what: "'assetPackID' is not made of letters, digits and inner '-' signs.",
    why: """
      App Store Connect takes A-Z, a-z, 0-9 and '-', which may be neither first nor last. It says \
      so only after the upload (ITMS-91133, or 'Found invalid values'). A server of your own may \
      take other IDs: this is an error with '--hosting apple', nothing with '--hosting self', and \
      a warning as long as the hosting is not known.
      """,
    example: .init(
      wrong: #""assetPackID": "com.example.level1""#,
      right: #""assetPackID": "com-example-level1""#))

  static func check(_ id: String, at span: SourceSpan, for hosting: Hosting?) -> Diagnostic? {
    guard hosting != .selfHosted else { return nil }
    let severity: Diagnostic.Severity = hosting == .apple ? .error : .warning
    let message: Diagnostic.Message
    if let bad = id.unicodeScalars.first(where: { !isAllowed($0) }) {
      message = "App Store Connect takes letters, digits and '-' in an ID, not '\(String(bad))'"
    } else if id.hasPrefix("-") || id.hasSuffix("-") {
      message = "App Store Connect takes no '-' at the beginning or the end of an ID"
    } else {
      return nil
    }
    let notes: [Diagnostic.Message] =
      hosting == nil ? ["on a server of your own it may stay: '--hosting self'"] : []
    return rule.finding(severity, message, at: span, notes: notes)
  }

  private static func isAllowed(_ scalar: UnicodeScalar) -> Bool {
    switch scalar {
    case "A"..."Z", "a"..."z", "0"..."9", "-": true
    default: false
    }
  }
}
