import SourceDiagnostics

/// An ID can stand in a file name and in a URL.
enum PackIDCharacters {
  static let rule = Rule(
    "id.characters",
    what: "'assetPackID' is '.' or '..', or has a control character or a '/' in it.",
    why: """
      The ID becomes the name of the archive and the last part of its address; neither may hold \
      such characters or mean a folder, whoever serves the pack.
      """,
    example: .init(wrong: #""assetPackID": "level/1""#, right: #""assetPackID": "level-1""#))

  static func check(_ id: String, at span: SourceSpan) -> Diagnostic? {
    if id == "." || id == ".." {
      return rule.finding(.error, "the ID '\(id)' means a folder", at: span)
    }
    guard
      let bad = id.unicodeScalars.first(where: {
        $0 == "/" || $0.properties.generalCategory == .control
      })
    else { return nil }
    let name = bad == "/" ? "a '/'" : "the control character U+\(hexadecimal(bad))"
    return rule.finding(.error, "the ID has \(name) in it", at: span)
  }

  private static func hexadecimal(_ scalar: UnicodeScalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
