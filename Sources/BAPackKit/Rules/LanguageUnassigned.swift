import SourceDiagnostics

/// A language tag consists of codes that were assigned.
enum LanguageUnassigned {
  static let rule = Rule(
    "language.unassigned", .always(.warning), mending: .unsafe,
    what: "'language' has a code that stands for no language, script or region.",
    why: """
      A device offers a localized pack to people whose languages match; a code that nobody \
      assigned matches nobody. Languages are those of ISO 639-3, scripts those of ISO 15924: if \
      yours is newer than this program, all is well.
      """,
    example: .init(wrong: #""language": "en-UK""#, right: #""language": "en-GB""#))

  static func check(_ written: WrittenLanguageTag, at place: LanguagePlace) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    let tag = written.tag
    if AssignedCodes.successor(ofLanguage: tag.language) == nil,
      AssignedCodes.twoLetterCode(of: tag.language) == nil,
      !AssignedCodes.isLanguage(tag.language)
    {
      findings.append(finding("language", tag.language, at: place.span(written.language)))
    }
    if let script = tag.script, let range = written.script, !AssignedCodes.isScript(script) {
      findings.append(finding("script", script, at: place.span(range)))
    }
    if let region = tag.region, let range = written.region,
      AssignedCodes.successor(ofRegion: region) == nil, !AssignedCodes.isRegion(region)
    {
      var finding = finding("region", region, at: place.span(range))
      if region == "UK" { finding.fixes = [place.fix(tag, replacing: \.region, by: "GB", .unsafe)] }
      findings.append(finding)
    }
    return findings
  }

  private static func finding(_ kind: String, _ code: String, at span: SourceSpan) -> Diagnostic {
    rule.finding(.warning, "'\(code)' is not the code of a \(kind)", at: span)
  }
}

/// Where a language tag stands, so that its subtags can be pointed at.
struct LanguagePlace {
  let node: JSONNode

  /// The place of a part of the tag; the whole value when it was written with escapes.
  func span(_ range: Range<Int>) -> SourceSpan {
    let span = node.span
    guard node.string?.utf8.count == span.length - 2 else { return span }
    return SourceSpan(span.start + 1 + range.lowerBound, span.start + 1 + range.upperBound)
  }

  /// Writes the tag with another subtag.
  func fix<Subtag>(
    _ tag: LanguageTag, replacing part: WritableKeyPath<LanguageTag, Subtag>, by subtag: Subtag,
    _ grade: Fix.Grade
  ) -> Fix {
    var tag = tag
    tag[keyPath: part] = subtag
    return .replaceText(of: node, by: tag.description, grade)
  }
}
