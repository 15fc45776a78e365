import TerminalText

/// Writes one finding on a line, as compilers do when their output is not a terminal.
///
/// Names are escaped as on a terminal, also in a log. Programs read JSON.
///
/// The line is `path:line:col: error: message [id]`. A line `path:line:col: hint: …` follows for
/// every other place and every reason, and a line `path:line:col: fix: …` for every fix. If the
/// finding has no position, the lines begin with `path: `; if the text has no name, they begin with
/// the severity.
public struct LineRenderer: FindingsRenderer {
  /// Creates a renderer.
  public init() {}

  /// Returns the text of all findings; each line, also the last, ends with a line feed.
  public func render(_ ledger: Ledger) -> String {
    var output = ""
    for page in ledger.pages {
      for finding in page.findings { render(finding, in: page.source, to: &output) }
    }
    return output
  }

  func render(
    _ finding: Finding, in source: SourceText, to output: inout String
  ) {
    let place = place(of: finding.span, in: source)
    output += "\(place)\(finding.severity.rawValue): \(finding.message)"
    output += " [\(finding.id.name)]\n"
    for label in finding.labels {
      output += "\(self.place(of: label.span, in: source))hint: \(label.text)\n"
    }
    for note in finding.notes { output += "\(place)hint: \(note)\n" }
    for fix in finding.fixes { output += "\(place)fix: \(fix.message)\n" }
  }

  private func place(of span: SourceSpan?, in source: SourceText) -> String {
    if source.name.isEmpty { return "" }
    let name = shown(source.name)
    guard let span else { return "\(name): " }
    let position = source.position(of: span.start)
    return "\(name):\(position.line):\(position.column): "
  }
}
