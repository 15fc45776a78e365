import SourceDiagnostics

/// A reader of a text in JSON5 that collects the findings.
struct KeyedReader<Value: Keyed> {
  private(set) var draft: Draft<Value>
  private(set) var findings: Ledger
  /// The text as JSON; empty if the text is another kind of file.
  let json: JSONDocument
  private var isComplete = false

  /// Reads a text.
  ///
  /// If one inserted character repairs the text, the parser inserts it where the fewest findings
  /// remain.
  init(_ text: SourceText, for hosting: Hosting?, keeping limit: Int = Ledger.limit) {
    if let finding = Value.refusal(of: text.bytes) {
      self.init(about: text, reporting: finding)
      return
    }
    var limits = JSONLimits()
    limits.findings = limit
    let json = JSONDocument(parsing: text, limits: limits) { json in
      KeyedReader(json, Ledger(about: json.source), for: hosting).findings.count
    }
    self.init(json, Ledger(about: text, keeping: limit), for: hosting)
  }

  private init(_ json: JSONDocument, _ findings: Ledger, for hosting: Hosting?) {
    self.json = json
    self.findings = findings
    draft = Draft(hosting: hosting)
    read()
  }

  /// Creates a reader with one finding, for input that is not a text.
  init(about source: SourceText, reporting finding: Finding) {
    draft = Draft()
    json = JSONDocument(parsing: SourceText([], named: source.name))
    findings = Ledger(about: source)
    findings.add(finding)
  }

  /// The value; nil if a required part is missing.
  var value: Value? { isComplete ? draft.value : nil }

  private mutating func read() {
    findings.add(contentsOf: json.findings)
    guard let root = json.root else { return }
    guard root.kind == .object else {
      if root.kind != .invalid {
        findings.add(.wrongType(root, "\(Value.table.noun) must be an object"))
      }
      return
    }
    isComplete = Value.table.read(root, into: &draft, &findings)
    Value.conclude(root, &draft, &findings)
  }
}
