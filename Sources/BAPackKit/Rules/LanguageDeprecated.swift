import SourceDiagnostics

/// Codes that were replaced.
enum LanguageDeprecated {
  static let rule = Rule(
    "language.deprecated", .always(.warning), mending: .safe,
    what: "'language' has a code that is no longer in use.",
    why: """
      Some codes were replaced, or their country is gone. Devices report languages by the codes \
      of today, and an old one may match nobody.
      """,
    example: .init(wrong: #""language": "iw""#, right: #""language": "he""#))

  static func check(_ written: WrittenLanguageTag, at place: LanguagePlace) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    let tag = written.tag
    if let successor = AssignedCodes.successor(ofLanguage: tag.language) {
      let replacement = successor.code
      findings.append(
        rule.finding(
          .warning, message("language", tag.language, replacement),
          at: place.span(written.language),
          fixes: replacement.map { [place.fix(tag, replacing: \.language, by: $0, .safe)] } ?? []))
    }
    if let region = tag.region, let range = written.region,
      let successor = AssignedCodes.successor(ofRegion: region)
    {
      let replacement = successor.code
      findings.append(
        rule.finding(
          .warning, message("region", region, replacement), at: place.span(range),
          fixes: replacement.map { [place.fix(tag, replacing: \.region, by: $0, .safe)] } ?? []))
    }
    return findings
  }

  private static func message(_ kind: String, _ code: String, _ replacement: String?)
    -> Diagnostic.Message
  {
    let old: Diagnostic.Message = "the \(kind) code '\(code)' is no longer in use"
    guard let replacement else { return old }
    return "\(old); it is '\(replacement)' now"
  }
}
