/// Writes workflow commands that GitHub shows as annotations in a pull request.
///
/// The path is exact, with GitHub's escapes. In the message, names are escaped as on a terminal, so
/// no name begins a line.
public struct GitHubRenderer: FindingsRenderer {
  private let place: (String) -> String

  /// Creates a renderer.
  ///
  /// GitHub finds a file by its path relative to the root of the repository. `place` returns this
  /// path for the name of a text.
  public init(place: @escaping (String) -> String = { $0 }) { self.place = place }

  /// Returns the text of all findings; each line, also the last, ends with a line feed.
  public func render(_ ledger: Ledger) -> String {
    var output = ""
    for page in ledger.pages {
      let path = place(page.source.name)
      for finding in page.findings {
        output += Self.command(finding, in: page.source, at: path)
      }
    }
    return output
  }

  private static func command(
    _ finding: Finding, in source: SourceText, at path: String
  ) -> String {
    let name =
      switch finding.severity {
      case .error: "error"
      case .warning: "warning"
      case .note: "notice"
      }
    var properties = source.name.isEmpty ? [] : ["file=\(property(path))"]
    if let span = finding.span {
      let start = source.position(of: span.start)
      let end = source.position(of: span.end)
      properties += ["line=\(start.line)", "endLine=\(end.line)"]
      // GitHub accepts columns only if the place is within one line.
      if start.line == end.line {
        properties += ["col=\(start.column)", "endColumn=\(max(start.column, end.column - 1))"]
      }
    }
    properties.append("title=\(property(finding.id.name))")
    var text = [finding.message]
    for label in finding.labels {
      let position = source.position(of: label.span.start)
      text.append("line \(position.line), column \(position.column): \(label.text)")
    }
    text += finding.notes + finding.fixes.map(\.message)
    return "::\(name) \(properties.joined(separator: ","))::\(data(text.joined(separator: "\n")))\n"
  }

  private static func data(_ text: String) -> String {
    escape(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  private static func property(_ text: String) -> String {
    escape(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
  }

  private static func escape(_ text: String, _ codes: [UnicodeScalar: String]) -> String {
    var result = ""
    for scalar in text.unicodeScalars { result += codes[scalar] ?? String(scalar) }
    return result
  }
}
