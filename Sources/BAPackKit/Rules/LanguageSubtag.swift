import SourceDiagnostics

/// The subtags that packs take.
enum LanguageSubtag {
  static let rule = Rule(
    "language.subtag", mending: .unsafe,
    what: """
      'language' has a variant, an extended language, an extension or a private use subtag.
      """,
    why: "Packs take a language, a script and a region, and nothing else that BCP 47 knows.",
    example: .init(wrong: #""language": "de-CH-1996""#, right: #""language": "de-CH""#))

  static func finding(kind: String, subtag: String, at node: JSONNode) -> Diagnostic {
    if let region = AssignedCodes.regionCode(of: subtag), let text = node.string {
      let mended = text.split(separator: "-", omittingEmptySubsequences: false)
        .map { $0 == subtag ? region : String($0) }.joined(separator: "-")
      return rule.finding(
        .error, "a region has two letters: '\(region)', not '\(subtag)'", at: node.span,
        fixes: LanguageTag(mended) == nil ? [] : [.replaceText(of: node, by: mended)])
    }
    return rule.finding(
      .error, "'\(subtag)' is \(kind); a pack takes language, script and region only",
      at: node.span)
  }
}
