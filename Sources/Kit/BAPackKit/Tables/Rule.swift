package import SourceDiagnostics

/// A kind of finding: its stable ID, its severity, and its explanation.
///
/// The function with the same name, which follows the rule, detects the problem and makes the
/// finding. `explain`, the reference and SARIF logs are generated from the rules.
package struct Rule: Sendable {
  /// The stable ID: `platform.unknown`.
  package let id: Finding.ID
  /// The severity of its findings.
  package let weight: Weight
  /// The best grade of fix that its findings may have; a finding may have a lower one, or none.
  package let fixGrade: Fix.Grade
  /// Whether a project may lower its errors.
  package let canLower: Bool
  /// The problem, in one sentence.
  package let what: String
  /// The reason why it matters, in one to three sentences.
  package let why: String
  /// Remedies outside the text, for programs that explain the rule.
  package let remedies: [Remedy]
  /// An example of the mistake and its correction.
  package let example: Example

  /// The severity of the findings of a rule.
  package enum Weight: Sendable {
    /// The same severity in all cases.
    case always(Finding.Severity)
    /// The first severity, except in one case, which `when` describes: "the pack is omitted".
    case usually(Finding.Severity, Finding.Severity, when: String)
    /// A severity for each hosting (`unknown`: none is given); nil if the rule does not apply.
    case byHost(
      unknown: Finding.Severity?, apple: Finding.Severity?, selfHosted: Finding.Severity?,
      but: Exception? = nil)
  }

  /// A case with another severity; its description continues "when …".
  package struct Exception: Sendable {
    package let severity: Finding.Severity
    package let when: String

    init(_ severity: Finding.Severity, when: String) {
      self.severity = severity
      self.when = when
    }
  }

  /// A mistake and its correction; tests run both.
  package struct Example: Sendable {
    /// The text with the mistake.
    package let wrong: String
    /// The corrected text.
    package let right: String
    /// The host for which it is a mistake; nil for every host.
    package let hosting: Hosting?

    package init(wrong: String, right: String, hosting: Hosting? = nil) {
      self.wrong = wrong
      self.right = right
      self.hosting = hosting
    }
  }

  package init(
    _ id: Finding.ID, _ weight: Weight = .always(.error), fixGrade: Fix.Grade = .shownOnly,
    canLower: Bool = false,
    what: String, why: String, remedies: [Remedy] = [], example: Example
  ) {
    self.id = id
    self.weight = weight
    self.fixGrade = fixGrade
    self.canLower = canLower
    self.what = what
    self.why = why
    self.remedies = remedies
    self.example = example
  }
}

extension Rule {
  /// Returns the usual severity for a host; nil if the rule does not apply to it.
  package func severity(for hosting: Hosting?) -> Finding.Severity? {
    switch (weight, hosting) {
    case (.always(let severity), _), (.usually(let severity, _, _), _): severity
    case (.byHost(let severity, _, _, _), nil): severity
    case (.byHost(_, let severity, _, _), .apple): severity
    case (.byHost(_, _, let severity, _), .selfHosted): severity
    }
  }

  /// The exceptional case, with its severity.
  package var exception: Exception? {
    switch weight {
    case .always: nil
    case .usually(_, let severity, let when): Exception(severity, when: when)
    case .byHost(_, _, _, let exception): exception
    }
  }

  /// The greatest severity of its findings.
  package var greatestSeverity: Finding.Severity {
    let severities = [nil, .apple, .selfHosted].map { severity(for: $0) } + [exception?.severity]
    return severities.compactMap { $0 }.max() ?? .error
  }

  /// Whether all of its findings are errors that a project must not lower.
  package var isAlwaysError: Bool {
    if case .always(.error) = weight { !canLower } else { false }
  }
}

// MARK: - Findings

extension Rule {
  /// Returns a finding of a rule that does not depend on the host.
  package func finding(
    _ message: Finding.Message, at span: SourceSpan?, labels: [Finding.Label] = [],
    notes: [Finding.Message] = [], fixes: [Fix] = []
  ) -> Finding {
    assert(!weighsByHost, "the severity of \(id.name) depends on the host")
    return finding(usualSeverity, message, at: span, labels, notes, fixes)
  }

  /// Returns a finding for an error, with its remedies; `message` replaces the error's message.
  package func finding(_ error: PackError, message: String? = nil, at span: SourceSpan?)
    -> Finding
  {
    finding(
      .init(whole: message ?? error.message), at: span,
      fixes: error.remedies.isEmpty ? [] : [Fix(error.remedies)])
  }

  /// Returns a finding for a host; nil if the rule does not apply to it.
  func finding(
    _ message: Finding.Message, for hosting: Hosting?, at span: SourceSpan?,
    notes: [Finding.Message] = [], fixes: [Fix] = []
  ) -> Finding? {
    severity(for: hosting).map { finding($0, message, at: span, [], notes, fixes) }
  }

  /// Returns a finding for the exceptional case of the rule.
  package func exception(
    _ message: Finding.Message, at span: SourceSpan?, labels: [Finding.Label] = [],
    notes: [Finding.Message] = [], fixes: [Fix] = []
  ) -> Finding {
    finding(exception?.severity ?? usualSeverity, message, at: span, labels, notes, fixes)
  }

  private func finding(
    _ severity: Finding.Severity, _ message: Finding.Message, at span: SourceSpan?,
    _ labels: [Finding.Label], _ notes: [Finding.Message], _ fixes: [Fix]
  ) -> Finding {
    var finding = Finding(
      id, severity, message, at: span, labels: labels, notes: notes, fixes: fixes)
    finding.canLower = canLower
    return finding
  }

  /// Returns a finding about a value that is not one of the known ones.
  func finding(
    unknown value: JSONNode, _ message: Finding.Message, known: [String]
  ) -> Finding {
    let near = Spelling.nearest(to: value.string ?? "", among: known)
    return finding(
      message, at: value.span,
      notes: near == nil && !known.isEmpty ? ["valid values: \(Finding.list(known))"] : [],
      fixes: near.map { [.replaceText(of: value, by: $0)] } ?? [])
  }

  private var weighsByHost: Bool { if case .byHost = weight { true } else { false } }

  fileprivate var usualSeverity: Finding.Severity { severity(for: nil) ?? greatestSeverity }
}

extension Finding {
  /// Returns the finding with the path in the pack of the file that it is about.
  func about(_ path: AssetPath) -> Finding {
    var finding = self
    finding.path = path.text
    return finding
  }
}

extension Ledger {
  /// Adds a finding of a rule; the finding is made only if it is kept.
  package mutating func add(_ rule: Rule, _ finding: () -> Finding) {
    add(rule.usualSeverity, finding)
  }
}

/// The certainty of a statement about systems and services.
package enum Certainty: String, Sendable, CaseIterable {
  /// Apple's own text, header or source, or a measurement with the version of the tool.
  case high = "H"
  /// The report of an independent project that observed the behavior.
  case medium = "M"
  /// A single unsupported statement, or a conclusion of this project.
  case low = "L"
}
