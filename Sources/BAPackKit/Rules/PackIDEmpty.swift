import SourceDiagnostics

/// An ID has at least one character.
enum PackIDEmpty {
  static let rule = Rule(
    "id.empty",
    what: "'assetPackID' is empty.",
    why: "Apps ask for a pack by its ID, and its archive is named after it.",
    example: .init(wrong: #""assetPackID": """#, right: #""assetPackID": "Tutorial""#))

  static func check(_ id: String, at span: SourceSpan) -> Diagnostic? {
    id.isEmpty ? rule.finding(.error, "the ID is empty", at: span) : nil
  }
}
