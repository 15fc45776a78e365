package import SourceDiagnostics
package import Testing

/// A text with marks at the places where a test expects findings: `"platforms": ⟦a:"ios"⟧`.
///
/// The marks are removed before the text is used; `⟦a:⟧` marks an empty span. They may be nested.
package struct MarkedText {
  package let bytes: [UInt8]
  package let spans: [String: SourceSpan]

  package init(_ marked: String) {
    var bytes: [UInt8] = []
    var spans: [String: SourceSpan] = [:]
    var open: [(name: String, start: Int)] = []
    var rest = Substring(marked)
    while let character = rest.popFirst() {
      switch character {
      case "⟦":
        let name = rest.prefix { $0 != ":" }
        rest = rest.dropFirst(name.count + 1)
        open.append((String(name), bytes.count))
      case "⟧":
        guard let mark = open.popLast() else { break }
        spans[mark.name] = SourceSpan(mark.start, bytes.count)
      default: bytes += Array(String(character).utf8)
      }
    }
    self.bytes = bytes
    self.spans = spans
  }
}

/// An expected finding.
package struct Expected: Equatable, CustomStringConvertible {
  package let severity: Finding.Severity
  package let id: String
  package let mark: String?
  package let message: String?

  package static func error(_ id: String, at mark: String?, _ message: String? = nil) -> Expected {
    Expected(severity: .error, id: id, mark: mark, message: message)
  }

  package static func warning(
    _ id: String, at mark: String?, _ message: String? = nil
  ) -> Expected {
    Expected(severity: .warning, id: id, mark: mark, message: message)
  }

  package static func note(_ id: String, at mark: String?, _ message: String? = nil) -> Expected {
    Expected(severity: .note, id: id, mark: mark, message: message)
  }

  package var description: String {
    "\(severity.rawValue) \(id) at \(mark ?? "no place")\(message.map { ": \($0)" } ?? "")"
  }

  fileprivate func matches(_ finding: Finding, in text: MarkedText) -> Bool {
    finding.severity == severity && finding.id.name == id
      && finding.span == mark.flatMap { text.spans[$0] }
      && (message == nil || finding.message == message)
  }
}

/// Fails if an expected finding is missing, if there is an unexpected one, or if the order of
/// positions is wrong.
package func expect(
  _ ledger: Ledger, in text: MarkedText, are expected: [Expected],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let source = SourceText(text.bytes, named: "t")
  let findings = ledger.all
  for (index, finding) in findings.enumerated() {
    let isExpected = index < expected.count && expected[index].matches(finding, in: text)
    guard !isExpected else { continue }
    let found = LineRenderer().render(Ledger(about: source, [finding]))
    let wanted = index < expected.count ? expected[index].description : "nothing more"
    Issue.record("found \(found)expected \(wanted)", sourceLocation: sourceLocation)
  }
  for missing in expected.dropFirst(findings.count) {
    Issue.record("expected \(missing.description), found nothing", sourceLocation: sourceLocation)
  }
}

extension Ledger {
  /// A ledger of findings about one text.
  package init(about source: SourceText, _ findings: [Finding]) {
    self.init(about: source)
    for finding in findings { add(finding) }
  }
}
