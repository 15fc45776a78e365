import SourceDiagnostics

/// What can be wrong with patterns, and with what they match.
enum PatternRules {
  static let all: [Rule] = [
    malformed, nothingSelected, unusedExclusion,
  ]

  /// A pattern means something.
  static let malformed = Rule(
    "files.pattern", fixGrade: .unsafe,
    what: "A pattern ends inside a class or an escape, or has a range that runs backwards.",
    why: """
      Patterns know '*', '?', '[a-z]', '[!a-z]', '**' as a whole component, and '\\' before a \
      character that stands for itself.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"filePattern": "level[1-.dat"}]"#,
      right: #""fileSelectors": [{"filePattern": "level[1-9].dat"}]"#))

  /// What is wrong with a pattern as it is written.
  static func malformed(_ text: String, of key: SelectorKey, at node: JSONNode) -> Finding? {
    guard let fault = fault(in: text, of: key) else { return nil }
    var result = malformed(text, fault, at: node.span)
    if let escaped = escaped(text, fault), self.fault(in: escaped, of: key) == nil {
      let sign = fault == .unclosedClass ? "the '['" : "the backslash"
      result.fixes = [
        Fix(
          "write '\(escaped)', where \(sign) stands for itself", .unsafe,
          edits: [node.replacingText(by: escaped)])
      ]
    }
    return result
  }

  private static func fault(in text: String, of key: SelectorKey) -> PatternFault? {
    do throws(PatternFault) {
      _ =
        key.takesExclusion
        ? try PathPattern(forExclusion: text) : try PathPattern(forFiles: text)
      return nil
    } catch {
      return error
    }
  }

  /// The pattern with the wrong sign escaped.
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
      case .emptyRange: "has a range that runs backwards"
      case .endsInBackslash: "has a backslash with nothing behind it"
      }
    return malformed.finding("the pattern '\(pattern)' \(reason)", at: span)
  }

  /// Every selector selects something.
  static let nothingSelected = Rule(
    "files.nothing-selected",
    what: "A selector selects nothing, even before exclusions are applied.",
    why: """
      A selector is written because something should be in the pack. A pattern matches files only, \
      case counts, '*' stays within one folder ('**/' crosses folders), and a leading dot is \
      matched only by a written one.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"filePattern": "*.WAV"}]"#,
      right: #""fileSelectors": [{"filePattern": "Audio/*.wav"}]"#))

  /// A pattern that matches no file, and a better one if there is one.
  static func nothingSelected(
    pattern: String, better: String?, notes: [Finding.Message], at span: SourceSpan?,
    _ places: ManifestLocations
  ) -> Finding {
    let question: Finding.Message = better.map { "; did you mean '\(path: $0)'?" } ?? ""
    return nothingSelected.finding(
      "no file matches '\(pattern)'\(question)", at: span, notes: notes,
      fixes: better.map { [places.rewrite(span, $0)] } ?? [])
  }

  static func nothingSelected(_ selector: FileSelector, at span: SourceSpan?) -> Finding {
    let (kind, path, _) = selector.parts
    return switch kind.subject {
    case .pattern: nothingSelected.finding("no file matches '\(path)'", at: span)
    case .folder: nothingSelected.finding("there is nothing in '\(path)'", at: span)
    case .file, .exclusion:
      nothingSelected.finding(
        "'\(path)' selects nothing", at: span,
        notes: ["the output of this run is never part of a pack"])
    }
  }

  /// Every exclusion drops something.
  static let unusedExclusion = Rule(
    "files.unused-exclusion", .always(.warning),
    what: "An exclusion drops nothing that other selectors chose.",
    why: """
      What it was meant for may be in the pack under another name. Exclusions are matched against \
      source paths, and case counts; './' before a name holds it at the source root.
      """,
    remedies: [.listExcluded],
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Audio"}, {"fileExclusion": "Adio/*.txt"}]"#,
      right: #""fileSelectors": [{"directory": "Audio"}, {"fileExclusion": "Audio/*.txt"}]"#))

  static func unusedExclusion(
    _ pattern: String, notes: [Finding.Message] = [], at span: SourceSpan?
  ) -> Finding {
    unusedExclusion.finding("the exclusion '\(pattern)' drops nothing", at: span, notes: notes)
  }
}
