import SourceDiagnostics

/// A list of words of which each may be there once: what it means, and what is wrong with it.
struct WordList<Word: RawRepresentable & CaseIterable & Hashable> where Word.RawValue == String {
  /// The words, each once, in the order in which they were written.
  private(set) var values: [Word] = []
  /// Where each of them was written first.
  private var places: [Word: SourceSpan] = [:]
  private let list: JSONNode
  private let synonyms: [String: String]

  init(_ list: JSONNode, _ word: Word.Type, synonyms: [String: String] = [:]) {
    self.list = list
    self.synonyms = synonyms
    for element in list.elements {
      guard let word = element.string.flatMap(Word.init), places[word] == nil else { continue }
      places[word] = element.span
      values.append(word)
    }
  }

  /// Reports words that were there before, words that mean nothing, and what is no word at all.
  func check(
    in owner: String, into findings: inout FindingList, duplicate: Rule, unknown: Rule,
    note: (String) -> Diagnostic.Message? = { _ in nil },
    message: (String) -> Diagnostic.Message
  ) {
    let known = Word.allCases.map(\.rawValue)
    var removal = ElementRemoval(from: list)
    // Words in the wrong case are mended only into words that are not there already.
    var taken = Set(values.map(\.rawValue))
    for element in list.elements {
      guard let text = element.string else {
        if element.kind != .invalid {
          findings.add(.error) { .wrongType(element, "\(owner) takes strings") }
        }
        continue
      }
      if let word = Word(rawValue: text) {
        guard let first = places[word], first != element.span else { continue }
        findings.add(.warning) {
          duplicate.finding(
            .warning, "'\(text)' stands here twice", at: element.span,
            labels: [.init(first, "first written here")],
            fixes: [removal.fix(for: element.span)])
        }
        continue
      }
      findings.add(.error) {
        let lowered = text.lowercased()
        var fixes: [Fix] = []
        if let near = synonyms[lowered] ?? Spelling.nearest(to: text, among: known) {
          let differsInCase = near.lowercased() == lowered
          if !taken.contains(near) {
            if differsInCase { taken.insert(near) }
            fixes = [.replaceText(of: element, by: near, differsInCase ? .safe : .unsafe)]
          } else if differsInCase {
            fixes = [removal.fix(for: element.span)]
          }
        }
        let notes = note(text) ?? (fixes.isEmpty ? "there are \(Diagnostic.list(known))" : nil)
        return unknown.finding(
          .error, message(text), at: element.span, notes: notes.map { [$0] } ?? [], fixes: fixes)
      }
    }
  }
}
