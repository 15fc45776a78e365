extension JSONShape {
  /// Returns a fix for a value of the wrong type: the value in brackets, or a word as the only key
  /// of an object; nil if there is no candidate.
  ///
  /// The fix is safe if there is only one candidate, and its value is valid. After a syntax error,
  /// the value may belong to another key.
  func correction(of node: JSONNode, in object: JSONNode) -> Fix? {
    guard !node.isDamaged else { return nil }
    switch self {
    case .array(let element, _):
      guard node.kind != .array, element.accepts(node.kind) else { return nil }
      // Only a known word is certainly a valid element.
      var isValid = false
      if case .word(let words) = element {
        isValid = words.contains(node.string ?? "")
        guard isValid else { return nil }
      }
      return Fix(
        "write the value in brackets: [ ]", isValid && !object.isDamaged ? .safe : .unsafe,
        edits: [
          .init(SourceSpan(node.span.start, node.span.start), "["),
          .init(SourceSpan(node.span.end, node.span.end), "]"),
        ])
    case .alternatives(let sets):
      guard let word = node.string else { return nil }
      let keys = sets.compactMap { $0.count == 1 ? $0[0] : nil }
      let near = Spelling.nearest(to: word, among: keys.map(\.name))
      guard let key = keys.first(where: { $0.name == near }), !key.example.isEmpty else {
        return nil
      }
      let isOnly: Bool
      if case .emptyObject = key.shape {
        isOnly = Self.letters(word) == Self.letters(key.name) && !object.isDamaged
      } else {
        isOnly = false
      }
      let text = "{\"\(key.name)\": \(key.example)}"
      return Fix(
        .init(whole: "write \(text)"), isOnly ? .safe : .unsafe, edits: [.init(node.span, text)])
    case .string, .word, .bool, .number, .integer, .size, .record, .nullable, .either, .emptyObject,
      .values, .anyObject, .anything:
      return nil
    }
  }

  private static func letters(_ word: String) -> String {
    String(word.lowercased().filter { $0.isLetter })
  }
}
