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
