import SourceDiagnostics

/// What can be wrong with the language of a pack.
enum LanguageRules {
  static let all: [Rule] = [
    malformed, subtag, separator, letterCase, unassigned, deprecated, threeLetters, selfHosted,
    systems,
  ]

  /// What a tag looks like, as far as a schema can say it.
  static let shape = JSONShape.string(
    pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$")

  /// Reads a tag; nil when that was an error, which has been reported.
  static func read(_ node: JSONNode, into findings: inout Ledger) -> LanguageTag? {
    guard let text = node.string else { return nil }
    switch WrittenLanguageTag.parse(text) {
    case .failure(.malformed(let reason)):
      findings.add(malformed(reason, at: node.span))
      return nil
    case .failure(.unsupported(let kind, let found)):
      findings.add(subtag(found, kind: kind, at: node))
      return nil
    case .success(let written):
      let place = LanguagePlace(node: node)
      findings.add(separator(written, at: node))
      findings.add(letterCase(written, text: text, at: node))
      findings.add(threeLetters(written, at: place))
      deprecated(written, at: place, &findings)
      unassigned(written, at: place, &findings)
      return written.tag
    }
  }

  /// The grammar of language tags.
  static let malformed = Rule(
    "language.malformed",
    what: "'language' is not of the form 'language[-Script][-REGION]'.",
    why: """
      A language has two or three letters, a script four, a region two letters or three digits: \
      'ja', 'zh-Hant', 'es-419', 'zh-Hans-VN'. Devices compare tags, not names of languages.
      """,
    example: .init(wrong: #""language": "english""#, right: #""language": "en""#))

  static func malformed(_ reason: Finding.Message, at span: SourceSpan) -> Finding {
    malformed.finding(
      "not a language tag: \(reason)", at: span,
      notes: ["a tag is 'language[-Script][-REGION]': 'ja', 'es-419', 'zh-Hant'"])
  }

  /// The subtags that packs take.
  static let subtag = Rule(
    "language.subtag", fixGrade: .unsafe,
    what: """
      'language' has a variant, an extended language, an extension or a private use subtag.
      """,
    why: "Packs take a language, a script and a region, and nothing else that BCP 47 knows.",
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
      "'\(text)' is \(kind); a pack takes language, script and region only",
      at: node.span)
  }

  /// The sign between subtags is `-`.
  static let separator = Rule(
    "language.separator", fixGrade: .safe,
    what: "'language' has '_' where '-' belongs.",
    why: "'zh_Hant' is how some systems write locales; a language tag has '-' between its parts.",
    example: .init(wrong: #""language": "zh_hant""#, right: #""language": "zh-Hant""#))

  static func separator(_ written: WrittenLanguageTag, at node: JSONNode) -> Finding? {
    guard written.hasUnderscore else { return nil }
    return separator.finding(
      "a language tag has '-' between its parts, not '_'", at: node.span,
      fixes: [.replaceText(of: node, by: written.tag.description, .safe)])
  }

  /// Subtags are told apart by their case.
  static let letterCase = Rule(
    "language.case", .always(.warning), fixGrade: .safe,
    what: "'language' is not in the usual case.",
    why: """
      Case does not change the meaning of a tag, but not every program knows that: a language is \
      lower case, a region upper case, a script begins with a capital.
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

  /// A language tag consists of codes that were assigned.
  static let unassigned = Rule(
    "language.unassigned", .always(.warning), fixGrade: .unsafe,
    what: "'language' has a code that stands for no language, script or region.",
    why: """
      A device offers a localized pack to people whose languages match; a code that nobody \
      assigned matches nobody. Languages are those of ISO 639-3, scripts those of ISO 15924: if \
      yours is newer than this program, all is well.
      """,
    example: .init(wrong: #""language": "en-UK""#, right: #""language": "en-GB""#))

  static func unassigned(
    _ written: WrittenLanguageTag, at place: LanguagePlace, _ findings: inout Ledger
  ) {
    let tag = written.tag
    if AssignedCodes.successor(ofLanguage: tag.language) == nil,
      AssignedCodes.twoLetterCode(of: tag.language) == nil,
      !AssignedCodes.isLanguage(tag.language)
    {
      findings.add(unassigned("language", tag.language, at: place.span(written.language)))
    }
    if let script = tag.script, let range = written.script, !AssignedCodes.isScript(script) {
      findings.add(unassigned("script", script, at: place.span(range)))
    }
    if let region = tag.region, let range = written.region,
      AssignedCodes.successor(ofRegion: region) == nil, !AssignedCodes.isRegion(region)
    {
      var finding = unassigned("region", region, at: place.span(range))
      if region == "UK" { finding.fixes = [place.fix(tag, replacing: \.region, by: "GB", .unsafe)] }
      findings.add(finding)
    }
  }

  private static func unassigned(_ kind: String, _ code: String, at span: SourceSpan) -> Finding {
    unassigned.finding("'\(code)' is not the code of a \(kind)", at: span)
  }

  /// Codes that were replaced.
  static let deprecated = Rule(
    "language.deprecated", .always(.warning), fixGrade: .safe,
    what: "'language' has a code that is no longer in use.",
    why: """
      Some codes were replaced, or their country is gone. Devices report languages by the codes \
      of today, and an old one may match nobody.
      """,
    example: .init(wrong: #""language": "iw""#, right: #""language": "he""#))

  static func deprecated(
    _ written: WrittenLanguageTag, at place: LanguagePlace, _ findings: inout Ledger
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
    let old: Finding.Message = "the \(kind) code '\(code)' is no longer in use"
    guard let replacement else { return old }
    return "\(old); it is '\(replacement)' now"
  }

  /// The shortest code of a language is the one to use.
  static let threeLetters = Rule(
    "language.three-letters", .always(.warning), fixGrade: .safe,
    what: "'language' has three letters although the language has a code of two.",
    why: "BCP 47 asks for the shorter code, and devices report it: 'deu' and 'de' do not match.",
    example: .init(wrong: #""language": "deu-AT""#, right: #""language": "de-AT""#))

  static func threeLetters(_ written: WrittenLanguageTag, at place: LanguagePlace) -> Finding? {
    let tag = written.tag
    guard let short = AssignedCodes.twoLetterCode(of: tag.language) else { return nil }
    return threeLetters.finding(
      "the code of this language has two letters: '\(short)', not '\(tag.language)'",
      at: place.span(written.language),
      fixes: [place.fix(tag, replacing: \.language, by: short, .safe)])
  }

  /// Nobody knows what becomes of a language outside the App Store.
  static let selfHosted = Rule(
    "language.self-hosted", .byHost(unknown: nil, apple: nil, selfHosted: .warning),
    what: "A pack for a server of your own has a 'language'.",
    why: """
      Localized packs are documented for App Store Connect. How a download manifest carries the \
      language, and what devices make of it, is not known.
      """,
    example: .init(
      wrong: #""language": "ja""#, right: #""userInfo": {"edition": 2}"#, hosting: .selfHosted))

  static func selfHosted(at span: SourceSpan, for hosting: Hosting?) -> Finding? {
    selfHosted.finding(
      "how a server of your own offers localized packs is not known", for: hosting, at: span)
  }

  /// The language of a published archive is not in the download manifest.
  static func selfHosted(_ language: LanguageTag?, of id: PackID) -> Finding? {
    guard let language else { return nil }
    return selfHosted.finding(
      "the language '\(language)' of '\(id)' is not written", for: .selfHosted, at: nil,
      notes: ["how a download manifest carries a language is not known"])
  }

  /// Localized packs need systems that know them.
  static let systems = Rule(
    "language.systems", .always(.note),
    what: "A pack has a language, and systems before version 27 get no localized packs.",
    why: """
      What is only in localized packs is not there on older systems. An app that runs on them \
      needs the files in a pack without a language, or in the app itself.
      """,
    example: .init(
      wrong: #""language": "fr", in an app that runs on iOS 26"#,
      right: "the files of one language in the app as well"))

  static func systems(at span: SourceSpan?) -> Finding {
    systems.finding("systems before version 27 get no localized packs", at: span)
  }
}

/// The place of a language tag, so that findings can point at its subtags.
struct LanguagePlace {
  let node: JSONNode

  /// The place of a part of the tag; that of the whole value if it is written with escapes.
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
