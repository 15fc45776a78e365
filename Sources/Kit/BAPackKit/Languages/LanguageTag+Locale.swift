extension LanguageTag {
  /// Reads a tag or a locale identifier: `es_MX` is `es-MX`.
  package init?(locale text: String) { self.init(text.replacing("_", with: "-")) }
}

extension LanguageTag {
  /// Whether validation accepts the codes: they are assigned, not deprecated, and the shortest.
  package var hasCurrentCodes: Bool {
    AssignedCodes.isLanguage(language)
      && AssignedCodes.successor(ofLanguage: language) == nil
      && AssignedCodes.twoLetterCode(of: language) == nil
      && script.map(AssignedCodes.isScript) ?? true
      && region.map { AssignedCodes.isRegion($0) && AssignedCodes.successor(ofRegion: $0) == nil }
        ?? true
  }
}

/// A code in a language tag that is not assigned.
package struct UnassignedCode: Sendable {
  package enum Part: String, Sendable { case language, script, region }

  package let part: Part
  package let code: String
  /// The code that was probably meant.
  package let suggestion: String?

  package var phrase: String { "'\(code)' is not the code of a \(part.rawValue)" }
  package var phraseWithSuggestion: String {
    phrase + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
  }
}

extension LanguageTag {
  /// The codes that are neither assigned nor deprecated.
  package var unassignedCodes: [UnassignedCode] {
    var codes: [UnassignedCode] = []
    if AssignedCodes.successor(ofLanguage: language) == nil,
      AssignedCodes.twoLetterCode(of: language) == nil, !AssignedCodes.isLanguage(language)
    {
      let meant = LanguageName(Array(language.utf8)[...])?.tag.language
      codes.append(UnassignedCode(part: .language, code: language, suggestion: meant))
    }
    if let script, !AssignedCodes.isScript(script) {
      codes.append(UnassignedCode(part: .script, code: script, suggestion: nil))
    }
    if let region, AssignedCodes.successor(ofRegion: region) == nil,
      !AssignedCodes.isRegion(region)
    {
      codes.append(
        UnassignedCode(part: .region, code: region, suggestion: region == "UK" ? "GB" : nil))
    }
    return codes
  }
}
