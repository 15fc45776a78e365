package import SourceDiagnostics

/// One thing that can be wrong: its stable name, its severity, and the text that explains it.
///
/// The function of the same name, which follows the rule, checks for it and words the finding.
/// `explain`, the reference and SARIF are made from the rule alone.
package struct Rule: Sendable {
  /// The stable name: `platform.unknown`.
  package let id: Finding.ID
  /// The severity of its findings.
  package let weight: Weight
  /// The best fix that its findings may have; some may have a lesser one, or none.
  package let fixGrade: Fix.Grade
  /// What is found, in one sentence.
  package let what: String
  /// Why it matters, in one to three sentences.
  package let why: String
  /// What can be done about it outside the text, for programs that explain the rule.
  package let remedies: [Remedy]
  /// An example of the mistake and its correction.
  package let example: Example

  /// How severe a finding of a rule is.
  package enum Weight: Sendable {
    /// Always the same.
    case always(Finding.Severity)
    /// Usually the first; the second in the case that the words describe: "when it is left out".
    case usually(Finding.Severity, Finding.Severity, when: String)
    /// Depends on the host: unknown, Apple, your own server; nil if it is no finding.
    case byHost(
      unknown: Finding.Severity?, apple: Finding.Severity?, selfHosted: Finding.Severity?,
      but: Exception? = nil)
  }

  /// A case in which a finding weighs otherwise, in words that follow "when".
  package struct Exception: Sendable {
    package let severity: Finding.Severity
    package let when: String

    init(_ severity: Finding.Severity, when: String) {
      self.severity = severity
      self.when = when
    }
  }

  /// A mistake and its correction, shown to people and run by tests.
  package struct Example: Sendable {
    /// What is wrong.
    package let wrong: String
    /// What is right.
    package let right: String
    /// The hosting for which it is wrong; nil if it is wrong for any.
    package let hosting: Hosting?

    package init(wrong: String, right: String, hosting: Hosting? = nil) {
      self.wrong = wrong
      self.right = right
      self.hosting = hosting
    }
  }

  /// Describes a rule.
  package init(
    _ id: Finding.ID, _ weight: Weight = .always(.error), fixGrade: Fix.Grade = .shownOnly,
    what: String, why: String, remedies: [Remedy] = [], example: Example
  ) {
    self.id = id
    self.weight = weight
    self.fixGrade = fixGrade
    self.what = what
    self.why = why
    self.remedies = remedies
    self.example = example
  }
}

extension Rule {
  /// The usual severity for a host; nil if it is no finding there.
  package func severity(for hosting: Hosting?) -> Finding.Severity? {
    switch (weight, hosting) {
    case (.always(let severity), _), (.usually(let severity, _, _), _): severity
    case (.byHost(let severity, _, _, _), nil): severity
    case (.byHost(_, let severity, _, _), .apple): severity
    case (.byHost(_, _, let severity, _), .selfHosted): severity
    }
  }

  /// The severity in the exceptional case, and the words for that case.
  package var exception: Exception? {
    switch weight {
    case .always: nil
    case .usually(_, let severity, let when): Exception(severity, when: when)
    case .byHost(_, _, _, let exception): exception
    }
  }

  /// The greatest severity that it can have.
  package var greatestSeverity: Finding.Severity {
    let severities = [nil, .apple, .selfHosted].map { severity(for: $0) } + [exception?.severity]
    return severities.compactMap { $0 }.max() ?? .error
  }
}

// MARK: - Findings

extension Rule {
  /// A finding of a rule that does not depend on the host.
  package func finding(
    _ message: Finding.Message, at span: SourceSpan?, labels: [Finding.Label] = [],
    notes: [Finding.Message] = [], fixes: [Fix] = []
  ) -> Finding {
    assert(!weighsByHost, "\(id.name) weighs by host: say which one")
    return Finding(
      id, usualSeverity, message, at: span, labels: labels, notes: notes, fixes: fixes)
  }

  /// What was refused, as a finding with the remedies of the refusal; in other words if some are
  /// given.
  package func finding(_ error: PackError, saying phrase: String? = nil, at span: SourceSpan?)
    -> Finding
  {
    finding(
      .init(whole: phrase ?? error.message), at: span,
      fixes: error.remedies.isEmpty ? [] : [Fix(error.remedies)])
  }

  /// A finding for a host; nil if it is none there.
  func finding(
    _ message: Finding.Message, for hosting: Hosting?, at span: SourceSpan?,
    notes: [Finding.Message] = [], fixes: [Fix] = []
  ) -> Finding? {
    severity(for: hosting).map { Finding(id, $0, message, at: span, notes: notes, fixes: fixes) }
  }

  /// A finding in the exceptional case of the rule.
  package func exception(
    _ message: Finding.Message, at span: SourceSpan?, labels: [Finding.Label] = [],
    notes: [Finding.Message] = [], fixes: [Fix] = []
  ) -> Finding {
    Finding(
      id, exception?.severity ?? usualSeverity, message, at: span, labels: labels, notes: notes,
      fixes: fixes)
  }

  /// A finding about a word that is not among the allowed ones.
  func finding(
    unknown value: JSONNode, _ message: Finding.Message, known: [String]
  ) -> Finding {
    let near = Spelling.nearest(to: value.string ?? "", among: known)
    return finding(
      message, at: value.span,
      notes: near == nil && !known.isEmpty ? ["there are \(Finding.list(known))"] : [],
      fixes: near.map { [.replaceText(of: value, by: $0)] } ?? [])
  }

  private var weighsByHost: Bool { if case .byHost = weight { true } else { false } }

  fileprivate var usualSeverity: Finding.Severity { severity(for: nil) ?? greatestSeverity }
}

extension Ledger {
  /// Adds a finding of a rule; it is worded only if it is kept.
  package mutating func add(_ rule: Rule, _ finding: () -> Finding) {
    add(rule.usualSeverity, finding)
  }
}
