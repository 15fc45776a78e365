import SourceDiagnostics

/// Turns a JSON text into the value that it says, and collects the findings.
struct KeyedReader<Subject: Keyed> {
  let hosting: Hosting?
  let source: SourceText
  var findings: Ledger
  var locations = Subject.Locations()
  /// What was read so far; the rest is as in a text that says nothing.
  var draft = Subject.blank
  /// The keys that every such text has and whose values were not read.
  private var unread = Set(Subject.shapes.filter { $0.presence == .required }.map(\.name))

  init(about source: SourceText, hosting: Hosting?, keeping limit: Int = Ledger.limit) {
    self.hosting = hosting
    self.source = source
    findings = Ledger(about: source, keeping: limit)
  }

  /// Makes a reader with one finding, for input that is not a text.
  init(about source: SourceText, reporting finding: Finding) {
    hosting = nil
    self.source = source
    findings = Ledger(about: source)
    findings.add(finding)
  }

  /// What was read; nil if a part that every such text has is missing.
  var value: Subject? { unread.isEmpty ? draft : nil }

  /// Reads a text; if a sign is missing in it, the most sensible place for it is assumed.
  mutating func read(_ text: SourceText) -> JSONDocument {
    var limits = JSONLimits()
    limits.findings = findings.limit
    let hosting = hosting
    let json = JSONDocument(parsing: text, limits: limits) { json in
      var trial = KeyedReader(about: json.source, hosting: hosting)
      trial.read(json)
      return trial.findings.count
    }
    read(json)
    return json
  }

  private mutating func read(_ json: JSONDocument) {
    findings.add(contentsOf: json.findings)
    guard let root = json.root else { return }
    guard root.kind == .object else {
      if root.kind != .invalid { findings.add(.wrongType(root, "\(Subject.noun) is an object")) }
      return
    }
    read(Subject.keys, of: root, owner: Subject.noun)
    Subject.conclude(root, in: &self)
  }

  /// Reads an object by a table; the places of its values get the prefix.
  mutating func read(
    _ keys: [TextKey<Subject>], of object: JSONNode, owner: String, prefix: String = ""
  ) {
    let values = JSONObjectReader(
      object, keys: keys.map(\.json), owner: owner, into: &findings)
    for key in keys {
      guard let node = values[key.name] else { continue }
      locations[prefix + key.name] = node.span
      if key.read(node, into: &self) { unread.remove(prefix + key.name) }
    }
  }
}
