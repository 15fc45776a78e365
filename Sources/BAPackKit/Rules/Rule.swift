public import SourceDiagnostics

/// One thing that can be wrong: its stable name and the text that explains it.
///
/// `explain`, the reference and SARIF are made from this; a rule's function stands beside it, in
/// its own file.
public struct Rule: Sendable {
  /// The stable name: `platform.unknown`.
  public let id: Diagnostic.ID
  /// How much a finding weighs.
  public let weight: Weight
  /// The best fix that its findings may carry: some may have a lesser one, or words alone.
  public let mending: Fix.Grade
  /// What is found, in one sentence.
  public let what: String
  /// Why it matters, in one to three sentences.
  public let why: String
  /// Shows the mistake and its correction.
  public let example: Example

  /// How much a finding of a rule weighs, which may depend on who hosts the packs.
  public enum Weight: Sendable {
    /// The same with any host.
    case always(Diagnostic.Severity)
    /// By host: when nobody says, with Apple, on a server of one's own; nil where it is no finding.
    case byHost(
      unknown: Diagnostic.Severity?, apple: Diagnostic.Severity?, selfHosted: Diagnostic.Severity?)
  }

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
  public init(
    _ id: Diagnostic.ID, _ weight: Weight = .always(.error), mending: Fix.Grade = .shownOnly,
    what: String, why: String, example: Example
  ) {
    self.id = id
    self.weight = weight
    self.mending = mending
    self.what = what
    self.why = why
    self.example = example
  }
}

extension Rule {
  /// How much a finding weighs with a host; nil where it is no finding.
  public func severity(for hosting: Hosting?) -> Diagnostic.Severity? {
    switch (weight, hosting) {
    case (.always(let severity), _): severity
    case (.byHost(let severity, _, _), nil): severity
    case (.byHost(_, let severity, _), .apple): severity
    case (.byHost(_, _, let severity), .selfHosted): severity
    }
  }

  /// How much it weighs where it weighs most.
  public var greatestSeverity: Diagnostic.Severity {
    [nil, .apple, .selfHosted].compactMap { severity(for: $0) }.max() ?? .error
  }

  /// A finding of this rule.
  func finding(
    _ severity: Diagnostic.Severity, _ message: Diagnostic.Message, at span: SourceSpan?,
    labels: [Diagnostic.Label] = [], notes: [Diagnostic.Message] = [], fixes: [Fix] = []
  ) -> Diagnostic {
    Diagnostic(id, severity, message, at: span, labels: labels, notes: notes, fixes: fixes)
  }
}
