// The messages about the structure of a text: one wording for each kind of mistake.

extension Finding.ID {
  // These IDs are spelled only here; the rules refer to the constants.
  package static let syntax: Self = "json.syntax"
  package static let encoding: Self = "json.encoding"
  package static let escape: Self = "json.escape"
  package static let number: Self = "json.number"
  package static let duplicateKey: Self = "json.duplicate-key"
  package static let tooDeep: Self = "json.too-deep"
  package static let tooLarge: Self = "json.too-large"
  package static let emptyText: Self = "json.empty"
  package static let trailingText: Self = "json.trailing-text"
  package static let wrongType: Self = "json.wrong-type"
  package static let missingKey: Self = "json.missing-key"
  package static let unknownKey: Self = "json.unknown-key"
}

extension Finding {
  package static func wrongType(
    _ value: JSONNode, _ expectation: Message, notes: [Message] = [], fixes: [Fix] = []
  ) -> Finding {
    Finding(
      .wrongType, .error, "\(expectation), not \(value.kind.description)", at: value.span,
      notes: notes, fixes: fixes)
  }

  /// Returns the finding for a value of the right type that is not allowed.
  package static func wrongValue(_ value: JSONNode, _ expectation: Message) -> Finding {
    guard let written = value.string ?? value.number else {
      return wrongType(value, expectation)
    }
    return Finding(
      "json.wrong-type", .error, "\(expectation), not '\(written)'", at: value.span)
  }

  /// Returns texts as a choice: "'a' or 'b'".
  package static func choices(_ texts: [String]) -> String {
    texts.count > 1
      ? texts.dropLast().map { "'\($0)'" }.joined(separator: ", ")
        + " or '\(texts[texts.count - 1])'"
      : texts.map { "'\($0)'" }.joined()
  }

  /// Returns the finding for a missing required key, with an example of the key.
  package static func missingKey(
    _ key: JSONKey, of object: JSONNode, owner: String
  ) -> Finding {
    let start = object.span.start
    return Finding(
      .missingKey, .error, "\(owner) must contain the key '\(key.name)'",
      at: SourceSpan(start, start + 1),
      fixes: key.sample.isEmpty
        ? []
        : [Fix(.init(whole: "add the key, such as \"\(key.name)\": \(key.sample)"), .shownOnly)])
  }

  package static func unknownKey(
    _ key: JSONNode, _ name: String, owner: String, known: [String], near: String?
  ) -> Finding {
    Finding(
      .unknownKey, .error, "unknown key '\(name)' in \(owner)", at: key.span,
      notes: near == nil && !known.isEmpty ? ["valid keys: \(list(known))"] : [],
      fixes: near.map { [.replaceText(of: key, by: $0)] } ?? [])
  }
}

extension Fix {
  /// Returns a fix that replaces the text of a string or a key; its quotes are kept.
  package static func replaceText(
    of node: JSONNode, by text: String, _ grade: Grade = .unsafe
  ) -> Fix {
    Fix("write '\(text)'", grade, edits: [node.replacingText(by: text)])
  }
}

extension JSONNode {
  /// Returns the edit that replaces the text of a string or a key.
  ///
  /// A key without quotes gets them, because the new text may not be an identifier.
  package func replacingText(by text: String) -> Fix.Edit {
    let written = JSONWriter.string(.string(text), .compact)
    guard quote == UInt8(ascii: "'"), !text.contains("'"), !written.contains("\\") else {
      return Fix.Edit(span, written)
    }
    return Fix.Edit(span, "'\(text)'")
  }
}
