import SourceDiagnostics

/// A list of words of which each may be there once: what it means, and what is wrong with it.
struct WordList<Word: RawRepresentable & CaseIterable & Hashable> where Word.RawValue == String {
  /// The words, each once, in the order in which they were written.
  var values: [Word] = []
  /// The words that mean nothing.
  var unknown: [Item] = []
  /// The words that were there before.
  var duplicates: [Item] = []
  private var others: [JSONNode] = []

  /// A word that does not belong there.
  struct Item {
    let node: JSONNode
    let text: String
    let known: [String]
    let fixes: [Fix]
    let first: SourceSpan?
  }

  init(_ list: JSONNode, _ word: Word.Type, synonyms: [String: String] = [:]) {
    let known = Word.allCases.map(\.rawValue)
    var places: [Word: SourceSpan] = [:]
    for element in list.elements {
      guard let text = element.string else {
        if element.kind != .invalid { others.append(element) }
        continue
      }
      guard let word = Word(rawValue: text) else { continue }
      if let first = places[word] {
        duplicates.append(
          Item(
            node: element, text: text, known: known,
            fixes: [Self.removal(of: element, from: list)], first: first))
      } else {
        places[word] = element.span
        values.append(word)
      }
    }
    // Words in the wrong case are mended only into words that are not there already.
    var taken = Set(values.map(\.rawValue))
    for element in list.elements {
      guard let text = element.string, Word(rawValue: text) == nil else { continue }
      let lowered = text.lowercased()
      let near = synonyms[lowered] ?? Spelling.nearest(to: text, among: known)
      var fixes: [Fix] = []
      if let near, near.lowercased() == lowered {
        fixes = [
          taken.insert(near).inserted
            ? .replaceText(of: element, by: near, .safe) : Self.removal(of: element, from: list)
        ]
      } else if let near, !taken.contains(near) {
        fixes = [.replaceText(of: element, by: near)]
      }
      unknown.append(Item(node: element, text: text, known: known, fixes: fixes, first: nil))
    }
  }

  /// Findings for what is no word at all.
  func wrongTypes(in owner: String) -> [Diagnostic] {
    others.map { .wrongType($0, "\(owner) takes strings") }
  }

  private static func removal(of element: JSONNode, from list: JSONNode) -> Fix {
    Fix("take it away", .safe, edits: ElementRemoval.edits(for: element.span, in: list))
  }
}

extension WordList.Item {
  /// A finding about the word: a warning for one that is there twice, else an error.
  func finding(_ rule: Rule, _ message: Diagnostic.Message, note: Diagnostic.Message? = nil)
    -> Diagnostic
  {
    if let first {
      return rule.finding(
        .warning, message, at: node.span, labels: [.init(first, "first written here")],
        fixes: fixes)
    }
    let notes = note ?? (fixes.isEmpty ? "there are \(Diagnostic.list(known))" : nil)
    return rule.finding(
      .error, message, at: node.span, notes: notes.map { [$0] } ?? [], fixes: fixes)
  }
}
