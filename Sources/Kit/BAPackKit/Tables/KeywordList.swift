import SourceDiagnostics

/// A list of keywords in a text, each of which may occur once.
struct KeywordList<Keyword: RawRepresentable & CaseIterable & Hashable & SendableMetatype>
where Keyword.RawValue == String {
  /// The rules for one kind of keyword.
  struct Rules: Sendable {
    /// The key of the list, for messages.
    var owner: String
    var duplicate: Rule
    var unknown: Rule
    /// Names from other tools, in lower case, with the correct keyword for each.
    var synonyms: [String: String] = [:]
    /// An additional note about an unknown keyword.
    var note: @Sendable (String) -> Finding.Message? = { _ in nil }
    var message: @Sendable (String) -> Finding.Message
  }

  /// The distinct keywords, in the order of the list.
  private(set) var values: [Keyword] = []
  /// The first place of each keyword.
  private var places: [Keyword: SourceSpan] = [:]
  private let list: JSONNode
  private let rules: Rules

  init(_ list: JSONNode, _ rules: Rules) {
    self.list = list
    self.rules = rules
    for element in list.elements {
      guard let keyword = element.string.flatMap(Keyword.init), places[keyword] == nil else {
        continue
      }
      places[keyword] = element.span
      values.append(keyword)
    }
  }

  /// Reports duplicate keywords, unknown keywords, and values that are not strings.
  func check(into findings: inout Ledger) {
    let known = Keyword.allCases.map(\.rawValue)
    var removal = ElementRemoval(from: list)
    // A keyword in the wrong case is corrected only if the correct one is not in the list already.
    var present = Set(values.map(\.rawValue))
    for element in list.elements {
      guard let text = element.string else {
        if element.kind != .invalid {
          findings.add(.error) { .wrongType(element, "\(rules.owner) must contain strings") }
        }
        continue
      }
      if let keyword = Keyword(rawValue: text) {
        guard let first = places[keyword], first != element.span else { continue }
        findings.add(rules.duplicate) {
          rules.duplicate.finding(
            "'\(text)' is listed twice", at: element.span,
            labels: [.init(first, "first listed here")],
            fixes: [removal.fix(for: element.span)])
        }
        continue
      }
      findings.add(rules.unknown) {
        let lowered = text.lowercased()
        var fixes: [Fix] = []
        if let near = rules.synonyms[lowered] ?? Spelling.nearest(to: text, among: known) {
          let differsInCase = near.lowercased() == lowered
          if !present.contains(near) {
            if differsInCase { present.insert(near) }
            fixes = [.replaceText(of: element, by: near, differsInCase ? .safe : .unsafe)]
          } else if differsInCase {
            fixes = [removal.fix(for: element.span)]
          }
        }
        let notes =
          rules.note(text) ?? (fixes.isEmpty ? "valid values: \(Finding.list(known))" : nil)
        return rules.unknown.finding(
          rules.message(text), at: element.span, notes: notes.map { [$0] } ?? [], fixes: fixes)
      }
    }
  }
}
