import SourceDiagnostics

/// The rules about patterns and their matches.
enum PatternRules {
  static let all: [Rule] = [
    malformed, nothingSelected, unusedExclusion,
  ]

  static let malformed = Rule(
    "files.pattern", fixGrade: .unsafe,
    what: "A pattern has an unclosed character class, an incomplete escape or a reversed range.",
    why: """
      Patterns support '*', '?', '[a-z]', '[!a-z]', '**' as a whole component, and '\\' before a \
      literal character.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"filePattern": "level[1-.dat"}]"#,
      right: #""fileSelectors": [{"filePattern": "level[1-9].dat"}]"#))

  /// Returns a finding if a pattern is malformed.
  static func malformed(_ text: String, of key: SelectorKey, at node: JSONNode) -> Finding? {
    guard let fault = fault(in: text, of: key) else { return nil }
    var result = malformed(text, fault, at: node.span)
    if let escaped = escaped(text, fault), self.fault(in: escaped, of: key) == nil {
      let character = fault == .unclosedClass ? "'['" : "backslash"
      result.fixes = [
        Fix(
          "write '\(escaped)' for a literal \(character)", .unsafe,
          edits: [node.replacingText(by: escaped)])
      ]
    }
    return result
  }

  private static func fault(in text: String, of key: SelectorKey) -> PatternFault? {
    do throws(PatternFault) {
      _ =
        key.isExclusion
        ? try PathPattern(forExclusion: text) : try PathPattern(forFiles: text)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the pattern with the wrong character escaped.
  private static func escaped(_ text: String, _ fault: PatternFault) -> String? {
    switch fault {
    case .emptyRange: return nil
    case .endsInBackslash: return text + "\\"
    case .unclosedClass:
      // The last bracket that is not escaped; those before it are closed.
      var opening: String.Index?
      var isEscaped = false
      for index in text.indices {
        if text[index] == "[", !isEscaped { opening = index }
        isEscaped = text[index] == "\\" && !isEscaped
      }
      return opening.map { text[..<$0] + "\\" + text[$0...] }
    }
  }

  static func malformed(
    _ pattern: String, _ fault: PatternFault, at span: SourceSpan?
  ) -> Finding {
    let reason =
      switch fault {
      case .unclosedClass: "has a '[' without a ']' in the same component"
      case .emptyRange: "has a reversed range"
      case .endsInBackslash: "ends with a backslash"
      }
    return malformed.finding("the pattern '\(pattern)' \(reason)", at: span)
  }

  /// A selector that selects no file.
  static let nothingSelected = Rule(
    "files.nothing-selected", canLower: true,
    what: "A selector selects no file, even without exclusions.",
    why: """
      Probably the path is wrong, and files are missing from the pack. A pattern matches files, \
      not folders, and is case-sensitive. '*' does not match '/'; '**/' matches any number of \
      folders. Wildcards do not match a leading dot.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"filePattern": "*.WAV"}]"#,
      right: #""fileSelectors": [{"filePattern": "Audio/*.wav"}]"#))

  /// Returns a finding for a pattern that matches no file, with a better pattern if there is one.
  static func nothingSelected(
    pattern: String, better: String?, notes: [Finding.Message], at span: SourceSpan?,
    _ places: ManifestLocations
  ) -> Finding {
    nothingSelected.finding(
      "no file matches '\(pattern)'", at: span, notes: notes,
      fixes: better.map { [places.rewrite(span, $0)] } ?? [])
  }

  static func nothingSelected(_ selector: FileSelector, at span: SourceSpan?) -> Finding {
    let (kind, path, _) = selector.parts
    return switch kind.subject {
    case .pattern: nothingSelected.finding("no file matches '\(path)'", at: span)
    case .folder: nothingSelected.finding("the folder '\(path)' is empty", at: span)
    case .file, .exclusion:
      nothingSelected.finding(
        "'\(path)' selects no file", at: span,
        notes: ["output files of this run are never part of a pack"])
    }
  }

  /// An exclusion without effect.
  static let unusedExclusion = Rule(
    "files.unused-exclusion", .always(.warning),
    what: "An exclusion matches no file that other selectors select.",
    why: """
      The files that it should exclude may be in the pack. Exclusions match source paths and are \
      case-sensitive. A name with a leading './' matches only in the source root.
      """,
    remedies: [.listExcluded],
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Audio"}, {"fileExclusion": "Adio/*.txt"}]"#,
      right: #""fileSelectors": [{"directory": "Audio"}, {"fileExclusion": "Audio/*.txt"}]"#))

  static func unusedExclusion(
    _ pattern: String, notes: [Finding.Message] = [], at span: SourceSpan?
  ) -> Finding {
    unusedExclusion.finding(
      "the exclusion '\(pattern)' matches no selected file", at: span, notes: notes)
  }
}
