/// A text and what was found in it.
public struct Findings: Sendable {
  /// The text.
  public let source: SourceText
  /// What was found, in order of position.
  public let diagnostics: [Diagnostic]

  /// Puts a text and its findings together.
  public init(_ source: SourceText, _ diagnostics: [Diagnostic]) {
    self.source = source
    self.diagnostics = diagnostics
  }

  /// How many findings have a severity.
  public func count(_ severity: Diagnostic.Severity) -> Int {
    diagnostics.count { $0.severity == severity }
  }
}

/// One finding a line, as compilers print them when nobody looks:
/// `path:line:col: error: message [id]`, then a line `path:line:col: note: …` for every reason,
/// every other place and every fix.
public enum LineRenderer {
  /// The text of all findings, each line with its end.
  public static func render(_ findings: [Findings]) -> String {
    var output = ""
    for group in findings {
      for diagnostic in group.diagnostics { render(diagnostic, in: group.source, to: &output) }
    }
    return output
  }

  private static func render(
    _ diagnostic: Diagnostic, in source: SourceText, to output: inout String
  ) {
    let place = place(of: diagnostic.span, in: source)
    let message = Plain.line(diagnostic.message)
    output += "\(place): \(diagnostic.severity.rawValue): \(message) [\(diagnostic.id.name)]\n"
    for label in diagnostic.labels {
      output += "\(self.place(of: label.span, in: source)): note: \(Plain.line(label.text))\n"
    }
    for note in diagnostic.notes { output += "\(place): note: \(Plain.line(note))\n" }
    for fix in diagnostic.fixes { output += "\(place): note: \(Plain.line(fix.message))\n" }
  }

  private static func place(of span: SourceSpan?, in source: SourceText) -> String {
    guard let span else { return source.name }
    let position = source.position(of: span.start)
    return "\(source.name):\(position.line):\(position.column)"
  }
}

/// Text that may be shown on a terminal.
enum Plain {
  /// The text on one line, with control characters, which could command a terminal, made visible.
  static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      result.append(contentsOf: isControl(scalar) ? escaped(scalar) : String(scalar).unicodeScalars)
    }
    return String(result)
  }

  static func isControl(_ scalar: UnicodeScalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    // Marks that turn the direction of the text around.
    case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func escaped(_ scalar: UnicodeScalar) -> String.UnicodeScalarView {
    "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
  }
}
