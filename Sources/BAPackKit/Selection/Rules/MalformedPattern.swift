import SourceDiagnostics

/// A pattern means something.
enum MalformedPattern {
  static let rule = Rule(
    "files.pattern", mending: .unsafe,
    what: "A pattern ends inside a class or an escape, or has a range that runs backwards.",
    why: """
      Patterns know '*', '?', '[a-z]', '[!a-z]', '**' as a whole component, and '\\' before a \
      character that stands for itself.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"filePattern": "level[1-.dat"}]"#,
      right: #""fileSelectors": [{"filePattern": "level[1-9].dat"}]"#))

  /// What is wrong with a pattern as it is written.
  static func check(_ text: String, of key: SelectorKey, at node: JSONNode) -> Diagnostic? {
    guard let fault = fault(in: text, of: key) else { return nil }
    var result = finding(text, fault, at: node.span)
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
        key == .fileExclusion
        ? try PathPattern(forExclusion: text) : try PathPattern(forFiles: text)
      return nil
    } catch {
      return error
    }
  }

  /// The pattern with the sign that is wrong standing for itself.
  private static func escaped(_ text: String, _ fault: PatternFault) -> String? {
    switch fault {
    case .emptyRange: return nil
    case .endsInBackslash: return text + "\\"
    case .unclosedClass:
      // The last bracket that no backslash stands before: what comes before it is closed.
      var opening: String.Index?
      var isEscaped = false
      for index in text.indices {
        if text[index] == "[", !isEscaped { opening = index }
        isEscaped = text[index] == "\\" && !isEscaped
      }
      return opening.map { text[..<$0] + "\\" + text[$0...] }
    }
  }

  static func finding(_ pattern: String, _ fault: PatternFault, at span: SourceSpan?) -> Diagnostic
  {
    let reason =
      switch fault {
      case .unclosedClass: "has a '[' without a ']' in the same component"
      case .emptyRange: "has a range that runs backwards"
      case .endsInBackslash: "has a backslash with nothing behind it"
      }
    return rule.finding(.error, "the pattern '\(pattern)' \(reason)", at: span)
  }
}
