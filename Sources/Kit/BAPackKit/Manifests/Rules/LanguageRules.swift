import SourceDiagnostics

/// The rules about the language of a pack.
enum LanguageRules {
  static let all: [Rule] = [
    malformed, subtag, separator, letterCase, unassigned, deprecated, threeLetters, selfHosted,
    systems,
  ]

  /// The shape of a tag in a schema.
  static let shape = JSONShape.string(
    pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$")

  /// Reads a tag; returns nil after it has reported an error.
  static func read(_ node: JSONNode, into findings: inout Ledger) -> LanguageTag? {
    guard let text = node.string else { return nil }
    switch WrittenLanguageTag.parse(text) {
    case .failure(.malformed(let reason)):
      findings.add(malformed(reason, at: node))
      return nil
    case .failure(.unsupported(let kind, let found)):
      findings.add(subtag(found, kind: kind, at: node))
      return nil
    case .success(let written):
      let place = LanguageTagNode(node: node)
      findings.add(separator(written, at: node))
      findings.add(letterCase(written, text: text, at: node))
      findings.add(threeLetters(written, at: place))
      deprecated(written, at: place, &findings)
      unassigned(written, at: place, &findings)
      return written.tag
    }
  }

  /// A malformed language tag.
  static let malformed = Rule(
    "language.malformed", fixGrade: .unsafe,
    what: "'language' is not of the form 'language[-Script][-REGION]'.",
    why: """
      A language has two or three letters, a script has four letters, and a region has two letters \
      or three digits: 'ja', 'zh-Hant', 'es-419', 'zh-Hans-VN'. Devices compare tags, not names of \
      languages.
      """,
    example: .init(wrong: #""language": "english""#, right: #""language": "en""#))

  static func malformed(_ reason: Finding.Message, at node: JSONNode) -> Finding {
    let code = LanguageName(Array((node.string ?? "").utf8)[...])?.tag.description
    return malformed.finding(
      "not a language tag: \(reason)", at: node.span,
      notes: code == nil
        ? ["the form is 'language[-Script][-REGION]': 'ja', 'es-419', 'zh-Hant'"] : [],
      fixes: code.map { [.replaceText(of: node, by: $0)] } ?? [])
  }

  /// An unsupported kind of subtag.
  static let subtag = Rule(
    "language.subtag", fixGrade: .unsafe,
    what: """
      'language' has a variant, an extended language, an extension or a private use subtag.
      """,
    why: "Packs support only a language, a script and a region, not the other subtags of BCP 47.",
    example: .init(wrong: #""language": "de-CH-1996""#, right: #""language": "de-CH""#))

  static func subtag(_ text: String, kind: String, at node: JSONNode) -> Finding {
    if let region = AssignedCodes.regionCode(of: text), let tag = node.string {
      let fixed = tag.split(separator: "-", omittingEmptySubsequences: false)
        .map { $0 == text ? region : String($0) }.joined(separator: "-")
      return subtag.finding(
        "a region has two letters: '\(region)', not '\(text)'", at: node.span,
        fixes: LanguageTag(fixed) == nil ? [] : [.replaceText(of: node, by: fixed)])
    }
    return subtag.finding(
      "'\(text)' is \(kind); packs support only language, script and region",
      at: node.span)
  }

  /// The separator of subtags.
  static let separator = Rule(
    "language.separator", fixGrade: .safe,
    what: "'language' has '_' instead of '-'.",
    why: "'zh_Hant' is the form of a locale. The separator in language tags is '-'.",
    example: .init(wrong: #""language": "zh_hant""#, right: #""language": "zh-Hant""#))

  static func separator(_ written: WrittenLanguageTag, at node: JSONNode) -> Finding? {
    guard written.hasUnderscore else { return nil }
    return separator.finding(
      "the separator in a language tag is '-', not '_'", at: node.span,
      fixes: [.replaceText(of: node, by: written.tag.description, .safe)])
  }

  /// The case of subtags.
  static let letterCase = Rule(
    "language.case", .always(.warning), fixGrade: .safe,
    what: "'language' does not have the usual letter case.",
    why: """
      Language tags are case-insensitive, but some programs compare them case-sensitively. A \
      language is in lower case, a region is in upper case, and a script begins with a capital \
      letter.
      """,
    example: .init(wrong: #""language": "zh-hant-tw""#, right: #""language": "zh-Hant-TW""#))

  static func letterCase(
    _ written: WrittenLanguageTag, text: String, at node: JSONNode
  ) -> Finding? {
    guard !written.hasUnderscore, text != written.tag.description else { return nil }
    return letterCase.finding(
      "'\(text)' is usually written '\(written.tag)'", at: node.span,
      fixes: [.replaceText(of: node, by: written.tag.description, .safe)])
  }

  /// A code that is not assigned.
  static let unassigned = Rule(
    "language.unassigned", .always(.warning), fixGrade: .unsafe,
    what: "'language' contains a code that is not assigned.",
    why: """
      A device downloads a localized pack if its language matches. A code that is not assigned \
      never matches. Languages are codes of ISO 639-3, scripts are codes of ISO 15924. Ignore this \
      warning for codes that are newer than this program.
      """,
    example: .init(wrong: #""language": "en-UK""#, right: #""language": "en-GB""#))

  static func unassigned(
    _ written: WrittenLanguageTag, at place: LanguageTagNode, _ findings: inout Ledger
  ) {
    let tag = written.tag
    for code in tag.unassignedCodes {
      let span: SourceSpan
      var fix: Fix?
      switch code.part {
      case .language:
        span = place.span(written.language)
        fix = code.suggestion.map { place.fix(tag, replacing: \.language, by: $0, .unsafe) }
      case .script:
        guard let range = written.script else { continue }
        span = place.span(range)
      case .region:
        guard let range = written.region else { continue }
        span = place.span(range)
        fix = code.suggestion.map { place.fix(tag, replacing: \.region, by: $0, .unsafe) }
      }
      var finding = unassigned.finding(.init(whole: code.phrase), at: span)
      finding.fixes = fix.map { [$0] } ?? []
      findings.add(finding)
    }
  }

  static let deprecated = Rule(
    "language.deprecated", .always(.warning), fixGrade: .safe,
    what: "'language' contains a deprecated code.",
    why: """
      The code was replaced or withdrawn. Devices use the current codes, so the pack may match no \
      device.
      """,
    example: .init(wrong: #""language": "iw""#, right: #""language": "he""#))

  static func deprecated(
    _ written: WrittenLanguageTag, at place: LanguageTagNode, _ findings: inout Ledger
  ) {
    let tag = written.tag
    if let successor = AssignedCodes.successor(ofLanguage: tag.language) {
      let replacement = successor.code
      findings.add(
        deprecated.finding(
          deprecation("language", tag.language, replacement),
          at: place.span(written.language),
          fixes: replacement.map { [place.fix(tag, replacing: \.language, by: $0, .safe)] } ?? []))
    }
    if let region = tag.region, let range = written.region,
      let successor = AssignedCodes.successor(ofRegion: region)
    {
      let replacement = successor.code
      findings.add(
        deprecated.finding(
          deprecation("region", region, replacement), at: place.span(range),
          fixes: replacement.map { [place.fix(tag, replacing: \.region, by: $0, .safe)] } ?? []))
    }
  }

  private static func deprecation(_ kind: String, _ code: String, _ replacement: String?)
    -> Finding.Message
  {
    let old: Finding.Message = "the \(kind) code '\(code)' is deprecated"
    guard let replacement else { return old }
    return "\(old); use '\(replacement)'"
  }

  static let threeLetters = Rule(
    "language.three-letters", .always(.warning), fixGrade: .safe,
    what: "'language' contains a three-letter code, and the language has a two-letter code.",
    why: "BCP 47 requires the shorter code, and devices use it: 'deu' does not match 'de'.",
    example: .init(wrong: #""language": "deu-AT""#, right: #""language": "de-AT""#))

  static func threeLetters(_ written: WrittenLanguageTag, at place: LanguageTagNode) -> Finding? {
    let tag = written.tag
    guard let short = AssignedCodes.twoLetterCode(of: tag.language) else { return nil }
    return threeLetters.finding(
      "the code of this language is '\(short)', not '\(tag.language)'",
      at: place.span(written.language),
      fixes: [place.fix(tag, replacing: \.language, by: short, .safe)])
  }

  static let selfHosted = Rule(
    "language.self-hosted", .byHost(unknown: nil, apple: nil, selfHosted: .warning),
    what: "A pack for your own server has a 'language'.",
    why: """
      Apple documents localized packs only for App Store Connect. The form of the language in a \
      download manifest, and its effect on devices, are undocumented.
      """,
    example: .init(
      wrong: #""language": "ja""#, right: #""userInfo": {"edition": 2}"#, hosting: .selfHosted))

  static func selfHosted(at span: SourceSpan, for hosting: Hosting?) -> Finding? {
    selfHosted.finding(
      "localized packs on your own server are undocumented", for: hosting, at: span)
  }

  /// Returns a finding if a published archive has a language, which the download manifest omits.
  static func selfHosted(_ language: LanguageTag?, of id: PackID) -> Finding? {
    guard let language else { return nil }
    return selfHosted.finding(
      "the language '\(language)' of '\(id)' is omitted", for: .selfHosted, at: nil,
      notes: ["the form of the language in a download manifest is undocumented"])
  }

  /// Systems without support for localized packs.
  static let systems = Rule(
    "language.systems", .always(.warning),
    what: "A pack has a language. Systems before version 27 do not support localized packs.",
    why: """
      On older systems, files that are only in localized packs are missing. An app for these \
      systems needs the files in a pack without a language, or in the app itself.
      """,
    example: .init(
      wrong: #""language": "fr", in an app that runs on iOS 26"#,
      right: "the files of one language also in the app"))

  static func systems(at span: SourceSpan?) -> Finding {
    systems.finding("systems before version 27 do not support localized packs", at: span)
  }
}

/// The place of a language tag and its subtags.
struct LanguageTagNode {
  let node: JSONNode

  /// Returns the place of a subtag; the place of the whole value if it contains escapes.
  func span(_ range: Range<Int>) -> SourceSpan {
    let span = node.span
    guard node.string?.utf8.count == span.length - 2 else { return span }
    return SourceSpan(span.start + 1 + range.lowerBound, span.start + 1 + range.upperBound)
  }

  func fix<Subtag>(
    _ tag: LanguageTag, replacing part: WritableKeyPath<LanguageTag, Subtag>, by subtag: Subtag,
    _ grade: Fix.Grade
  ) -> Fix {
    var tag = tag
    tag[keyPath: part] = subtag
    return .replaceText(of: node, by: tag.description, grade)
  }
}
