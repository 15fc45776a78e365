import SourceDiagnostics

/// Turns a JSON text into a manifest and collects the findings.
struct ManifestReader {
  let hosting: Hosting?
  var findings: Ledger
  var locations = ManifestLocations()
  /// What was read so far; the rest is as in a manifest that says nothing.
  var draft = Manifest(
    assetPackID: "", downloadPolicy: .onDemand, fileSelectors: [], platforms: [])
  /// The keys that every manifest has and whose values were not read.
  private var unread = Self.required
  /// The place of a value that is meant as the source root but cannot be read as one.
  private(set) var unreadSourceRoot: SourceSpan?

  private static let required = Set(
    ManifestKeys.shapes.filter { $0.presence == .required }.map(\.name))

  init(about source: SourceText, hosting: Hosting?, keeping limit: Int = Ledger.limit) {
    self.hosting = hosting
    findings = Ledger(about: source, keeping: limit)
  }

  /// Makes a reader with one finding, for input that is not a text.
  init(about source: SourceText, reporting finding: Finding) {
    hosting = nil
    findings = Ledger(about: source)
    findings.add(finding)
  }

  /// What was read; nil if a part that every manifest has is missing.
  var manifest: Manifest? { unread.isEmpty ? draft : nil }

  /// The ID, if it was read.
  var assetPackID: String? { locations.assetPackID == nil ? nil : draft.assetPackID }

  /// Reads a text; if a sign is missing in it, the most sensible place for it is assumed.
  mutating func read(_ text: SourceText) -> JSONDocument {
    var limits = JSONLimits()
    limits.findings = findings.limit
    let hosting = hosting
    let json = JSONDocument(parsing: text, limits: limits) { json in
      var trial = ManifestReader(about: json.source, hosting: hosting)
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
      if root.kind != .invalid { findings.add(.wrongType(root, "a manifest is an object")) }
      return
    }
    let object = JSONObjectReader(
      root, keys: ManifestKeys.shapes, owner: "a manifest", into: &findings)
    for key in ManifestKeys.all {
      guard let node = object[key.name] else { continue }
      locations[key.name] = node.span
      if key.read(node, into: &self) { unread.remove(key.name) }
    }
    if draft.sourceRoot == nil {
      unreadSourceRoot = Self.misread(ManifestKeys.sourceRoot, in: root)
    }
    if !findings.hasErrors, let manifest {
      findings.add(ManifestRules.notArchivable(manifest, locations))
    }
  }

  /// The member that was meant as a key: by its name, or by one that is nearly that.
  private static func misread(_ wanted: ManifestKey, in root: JSONNode) -> SourceSpan? {
    let names = ManifestKeys.shapes.map(\.name)
    return root.members.prefix(JSONObjectReader.mostMisspelt).first { member in
      guard let key = member.key.string, key == wanted.name || !names.contains(key) else {
        return false
      }
      return Spelling.nearest(to: key, among: names) == wanted.name
    }.map { $0.key.string == wanted.name ? $0.value.span : $0.key.span }
  }
}
