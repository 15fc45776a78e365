import SourceDiagnostics

/// What the template leaves for a person to fill in.
enum PlaceholderLeft {
  static let id = "[Asset-Pack ID]"
  static let file = "[Path to File]"
  static let folder = "[Path to Directory]"

  static let rule = Rule(
    "manifest.placeholder",
    what: "A placeholder of the template is still there.",
    why: """
      The template marks what you have to write with '[Asset-Pack ID]', '[Path to File]' and \
      '[Path to Directory]'. A selector whose placeholder you do not need can go altogether.
      """,
    example: .init(
      wrong: #""assetPackID": "[Asset-Pack ID]""#, right: #""assetPackID": "Tutorial""#))

  static func check(_ text: String, at span: SourceSpan) -> Diagnostic? {
    guard text.utf8.contains(UInt8(ascii: "[")),
      let placeholder = [id, file, folder].first(where: text.contains)
    else { return nil }
    return rule.finding(.error, "the placeholder '\(placeholder)' is still there", at: span)
  }
}
