import SourceDiagnostics

/// Each selector once.
enum SelectorDuplicate {
  static let rule = Rule(
    "selector.duplicate", .always(.warning), mending: .unsafe,
    what: "The same selector stands there twice.",
    why: "It chooses nothing new, so it is probably a slip: was another path meant?",
    example: .init(
      wrong: #""fileSelectors": [{"file": "a.png"}, {"file": "./a.png"}]"#,
      right: #""fileSelectors": [{"file": "a.png"}, {"file": "b.png"}]"#))

  /// Compares all selectors that could be read.
  static func check(
    _ selectors: [FileSelector], _ locations: [SelectorLocation], in list: JSONNode,
    into findings: inout FindingList
  ) {
    var seen = FirstOccurrences(count: selectors.count)
    var removal = ElementRemoval(from: list)
    for (number, selector) in selectors.enumerated() {
      let earlier = seen.firstOccurrence(of: number, hash: selector.hashValue) {
        selectors[$0] == selector
      }
      guard let earlier else { continue }
      let span = locations[number].whole
      findings.add(.warning) {
        rule.finding(
          .warning, "the same selector stands there twice", at: span,
          labels: [.init(locations[earlier].whole, "first written here")],
          fixes: [removal.fix(for: span)])
      }
    }
  }
}
