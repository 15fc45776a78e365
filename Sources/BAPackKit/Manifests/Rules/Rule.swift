public import SourceDiagnostics

/// One thing that can be wrong: its stable name, how much it weighs, and the text that explains it.
///
/// The function of the same name, which stands behind it, looks whether it is so and puts the finding into
/// words. `explain`, the reference and SARIF are made from the rule alone.
public struct Rule: Sendable {
  /// The stable name: `platform.unknown`.
  public let id: Finding.ID
  /// How much a finding weighs.
  public let weight: Weight
  /// The best fix that its findings may carry: some may have a lesser one, or words alone.
  public let mending: Fix.Grade
  /// What is found, in one sentence.
  public let what: String
  /// Why it matters, in one to three sentences.
  public let why: String
  /// What can be done about it outside of the text, for who explains the rule.
  public let remedies: [Remedy]
  /// Shows the mistake and its correction.
  public let example: Example

  /// How much a finding of a rule weighs.
  public enum Weight: Sendable {
    /// Always the same.
    case always(Finding.Severity)
    /// The first one, and the other where something is as the words say: "when it is left out".
    case usually(Finding.Severity, Finding.Severity, when: String)
    /// By host: when nobody says, with Apple, on a server of one's own; nil where it is no finding.
    case byHost(
      unknown: Finding.Severity?, apple: Finding.Severity?, selfHosted: Finding.Severity?)
  }

  /// A mistake and its correction, as people read them and as tests try them.
  public struct Example: Sendable {
    /// What is wrong.
    public let wrong: String
    /// What is right.
    public let right: String
    /// The hosting with which it is wrong; nil when it is wrong with any.
    public let hosting: Hosting?
    private let makeTrial: @Sendable () -> Trial

    /// Shows a text; what it stands in is made only when somebody tries it out.
    init(
      wrong: String, right: String, hosting: Hosting? = nil,
      trial: @autoclosure @escaping @Sendable () -> Trial = .text
    ) {
      self.wrong = wrong
      self.right = right
      self.hosting = hosting
      makeTrial = trial
    }

    /// What stands around the two when they are tried out.
    package var trial: Trial { makeTrial() }
  }

  /// Describes a rule.
  init(
    _ id: Finding.ID, _ weight: Weight = .always(.error), mending: Fix.Grade = .shownOnly,
    what: String, why: String, remedies: [Remedy] = [], example: Example
  ) {
    self.id = id
    self.weight = weight
    self.mending = mending
    self.what = what
    self.why = why
    self.remedies = remedies
    self.example = example
  }
}

extension Rule {
  /// How much a finding weighs with a host, unless it is the exception; nil where it is no finding.
  public func severity(for hosting: Hosting?) -> Finding.Severity? {
    switch (weight, hosting) {
    case (.always(let severity), _), (.usually(let severity, _, _), _): severity
    case (.byHost(let severity, _, _), nil): severity
    case (.byHost(_, let severity, _), .apple): severity
    case (.byHost(_, _, let severity), .selfHosted): severity
    }
  }

  /// How much it weighs in the case that is an exception, and which one that is.
  public var exception: (severity: Finding.Severity, when: String)? {
    if case .usually(_, let severity, let when) = weight { (severity, when) } else { nil }
  }

  /// How much it weighs where it weighs most.
  public var greatestSeverity: Finding.Severity {
    let severities = [nil, .apple, .selfHosted].map { severity(for: $0) } + [exception?.severity]
    return severities.compactMap { $0 }.max() ?? .error
  }
}

// MARK: - Findings

extension Rule {
  /// A finding of a rule that asks for no host.
  func finding(
    _ message: Finding.Message, at span: SourceSpan?, labels: [Finding.Label] = [],
    notes: [Finding.Message] = [], fixes: [Fix] = []
  ) -> Finding {
    assert(!weighsByHost, "\(id.name) weighs by host: say which one")
    return Finding(
      id, usualSeverity, message, at: span, labels: labels, notes: notes, fixes: fixes)
  }

  /// A finding with a host; nil where it is none.
  func finding(
    _ message: Finding.Message, for hosting: Hosting?, at span: SourceSpan?,
    notes: [Finding.Message] = [], fixes: [Fix] = []
  ) -> Finding? {
    severity(for: hosting).map { Finding(id, $0, message, at: span, notes: notes, fixes: fixes) }
  }

  /// A finding in the case that is the rule's exception.
  func exception(
    _ message: Finding.Message, at span: SourceSpan?, labels: [Finding.Label] = [],
    notes: [Finding.Message] = [], fixes: [Fix] = []
  ) -> Finding {
    Finding(
      id, exception?.severity ?? usualSeverity, message, at: span, labels: labels, notes: notes,
      fixes: fixes)
  }

  /// A finding about a word that is none of those which may stand there.
  func finding(
    unknown value: JSONNode, _ message: Finding.Message, known: [String]
  ) -> Finding {
    let near = Spelling.nearest(to: value.string ?? "", among: known)
    return finding(
      message, at: value.span,
      notes: near == nil && !known.isEmpty ? ["there are \(Finding.list(known))"] : [],
      fixes: near.map { [.replaceText(of: value, by: $0)] } ?? [])
  }

  /// Whether it is a finding at all with a host.
  func holds(for hosting: Hosting?) -> Bool { severity(for: hosting) != nil }

  private var weighsByHost: Bool { if case .byHost = weight { true } else { false } }

  fileprivate var usualSeverity: Finding.Severity { severity(for: nil) ?? greatestSeverity }
}

extension Ledger {
  /// Adds a finding of a rule, which is put into words only if it is kept.
  mutating func add(_ rule: Rule, _ finding: () -> Finding) {
    add(rule.usualSeverity, finding)
  }
}
