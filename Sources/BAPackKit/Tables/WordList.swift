import SourceDiagnostics

/// Reads a list of words, each of which may occur once, and collects the findings.
struct WordList<Word: RawRepresentable & CaseIterable & Hashable & SendableMetatype>
where Word.RawValue == String {
  /// The rules for one kind of word.
  struct Rules: Sendable {
    /// What the list belongs to, for messages.
    var owner: String
    var duplicate: Rule
    var unknown: Rule
    /// Words that people know from other tools, in lower case, and the right word for each.
    var synonyms: [String: String] = [:]
    /// An additional note about an unknown word.
    var note: @Sendable (String) -> Finding.Message? = { _ in nil }
    var message: @Sendable (String) -> Finding.Message
  }

  /// The words, each once, in the order in which they were written.
  private(set) var values: [Word] = []
  /// The first place of each word.
  private var places: [Word: SourceSpan] = [:]
  private let list: JSONNode
  private let rules: Rules

  init(_ list: JSONNode, _ rules: Rules) {
    self.list = list
    self.rules = rules
    for element in list.elements {
      guard let word = element.string.flatMap(Word.init), places[word] == nil else { continue }
      places[word] = element.span
      values.append(word)
    }
  }

  /// Reports repeated words, unknown words, and values that are not words.
  func check(into findings: inout Ledger) {
    let known = Word.allCases.map(\.rawValue)
    var removal = ElementRemoval(from: list)
    // A word in the wrong case is corrected only if the right one is not in the list already.
    var taken = Set(values.map(\.rawValue))
    for element in list.elements {
      guard let text = element.string else {
        if element.kind != .invalid {
          findings.add(.error) { .wrongType(element, "\(rules.owner) takes strings") }
        }
        continue
      }
      if let word = Word(rawValue: text) {
        guard let first = places[word], first != element.span else { continue }
        findings.add(rules.duplicate) {
          rules.duplicate.finding(
            "'\(text)' stands here twice", at: element.span,
            labels: [.init(first, "first written here")],
            fixes: [removal.fix(for: element.span)])
        }
        continue
      }
      findings.add(rules.unknown) {
        let lowered = text.lowercased()
        var fixes: [Fix] = []
        if let near = rules.synonyms[lowered] ?? Spelling.nearest(to: text, among: known) {
          let differsInCase = near.lowercased() == lowered
          if !taken.contains(near) {
            if differsInCase { taken.insert(near) }
            fixes = [.replaceText(of: element, by: near, differsInCase ? .safe : .unsafe)]
          } else if differsInCase {
            fixes = [removal.fix(for: element.span)]
          }
        }
        let notes =
          rules.note(text) ?? (fixes.isEmpty ? "there are \(Finding.list(known))" : nil)
        return rules.unknown.finding(
          rules.message(text), at: element.span, notes: notes.map { [$0] } ?? [], fixes: fixes)
      }
    }
  }
}
