import TerminalText

/// One finding a line, as compilers print them when nobody looks.
///
/// The line is `path:line:col: error: message [id]`; then follows a line
/// `path:line:col: note: …` for every other place, every reason and every fix.
public struct LineRenderer: FindingsRenderer {
  /// Makes a renderer.
  public init() {}

  /// The text of all findings, each line with its end.
  public func render(_ findings: [Findings]) -> String {
    var output = ""
    for group in findings {
      for diagnostic in group.diagnostics { render(diagnostic, in: group.source, to: &output) }
    }
    return output
  }

  private func render(
    _ diagnostic: Diagnostic, in source: SourceText, to output: inout String
  ) {
    let place = place(of: diagnostic.span, in: source)
    output += "\(place): \(diagnostic.severity.rawValue): \(diagnostic.message)"
    output += " [\(diagnostic.id.name)]\n"
    for label in diagnostic.labels {
      output += "\(self.place(of: label.span, in: source)): note: \(label.text)\n"
    }
    for note in diagnostic.notes { output += "\(place): note: \(note)\n" }
    for fix in diagnostic.fixes { output += "\(place): note: \(fix.message)\n" }
  }

  private func place(of span: SourceSpan?, in source: SourceText) -> String {
    let name = shown(source.name)
    guard let span else { return name }
    let position = source.position(of: span.start)
    return "\(name):\(position.line):\(position.column)"
  }
}
