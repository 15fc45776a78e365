public import SourceDiagnostics

/// One thing that can be wrong: its stable name and the text that explains it.
///
/// `explain`, the reference and SARIF are made from this; a rule's function stands beside it, in
/// its own file.
public struct Rule: Sendable {
  /// The stable name: `platform.unknown`.
  public let id: Diagnostic.ID
  /// What is found, in one sentence.
  public let what: String
  /// Why it matters, in one to three sentences.
  public let why: String
  /// Shows the mistake and its correction.
  public let example: Example

  /// A mistake and its correction, each a member of a manifest or a whole text.
  public struct Example: Sendable {
    /// What is wrong.
    public let wrong: String
    /// What is right.
    public let right: String
    /// The hosting with which it is wrong; nil when it is wrong with any.
    public let hosting: Hosting?

    /// Makes an example.
    public init(wrong: String, right: String, hosting: Hosting? = nil) {
      self.wrong = wrong
      self.right = right
      self.hosting = hosting
    }
  }

  /// Describes a rule.
  public init(_ id: Diagnostic.ID, what: String, why: String, example: Example) {
    self.id = id
    self.what = what
    self.why = why
    self.example = example
  }
}

extension Rule {
  /// A finding of this rule.
  func finding(
    _ severity: Diagnostic.Severity, _ message: String, at span: SourceSpan?,
    labels: [Diagnostic.Label] = [], notes: [String] = [], fixes: [Fix] = []
  ) -> Diagnostic {
    Diagnostic(id, severity, message, at: span, labels: labels, notes: notes, fixes: fixes)
  }
}
