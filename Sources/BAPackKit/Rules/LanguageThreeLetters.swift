import SourceDiagnostics

/// The shortest code of a language is the one to use.
enum LanguageThreeLetters {
  static let rule = Rule(
    "language.three-letters", .always(.warning), mending: .safe,
    what: "'language' has three letters although the language has a code of two.",
    why: "BCP 47 asks for the shorter code, and devices report it: 'deu' and 'de' do not match.",
    example: .init(wrong: #""language": "deu-AT""#, right: #""language": "de-AT""#))

  static func check(_ written: WrittenLanguageTag, at place: LanguagePlace) -> Diagnostic? {
    let tag = written.tag
    guard let short = AssignedCodes.twoLetterCode(of: tag.language) else { return nil }
    return rule.finding(
      .warning, "the code of this language has two letters: '\(short)', not '\(tag.language)'",
      at: place.span(written.language),
      fixes: [place.fix(tag, replacing: \.language, by: short, .safe)])
  }
}
