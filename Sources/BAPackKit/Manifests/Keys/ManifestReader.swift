import SourceDiagnostics

/// Gives a JSON text its meaning as a manifest, and collects what is wrong with it.
struct ManifestReader {
  private let hosting: Hosting?
  var findings: FindingList
  var locations = ManifestLocations()

  var assetPackID: String?
  var downloadPolicy: DownloadPolicy?
  var fileSelectors: [FileSelector] = []
  var platforms: [Platform] = []
  var sourceRoot: String?
  /// Where something stands that is meant as the source root, and cannot be read as one.
  var unreadSourceRoot: SourceSpan?
  var language: LanguageTag?
  var userInfo: JSONNode?

  init(hosting: Hosting?, limit: Int = FindingList.limit) {
    self.hosting = hosting
    findings = FindingList(keeping: limit)
  }

  /// Reads nothing, since the input is no text to read.
  init(reporting finding: Finding) {
    hosting = nil
    findings = FindingList()
    findings.add(finding)
  }

  /// What was read; nil when a part that every manifest has is missing.
  var manifest: Manifest? {
    guard let assetPackID, let downloadPolicy else { return nil }
    var manifest = Manifest(
      assetPackID: assetPackID, downloadPolicy: downloadPolicy, fileSelectors: fileSelectors,
      platforms: platforms, sourceRoot: sourceRoot, language: language)
    manifest.writtenUserInfo = userInfo.map { .node($0) }
    return manifest
  }

  /// Reads a text; of several signs that may be missing in it, the one that makes most sense is taken.
  mutating func read(_ text: SourceText) -> JSONDocument {
    var limits = JSONLimits()
    limits.findings = findings.limit
    let hosting = hosting
    let json = JSONDocument(parsing: text, limits: limits) { json in
      var trial = ManifestReader(hosting: hosting)
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
      root, keys: ManifestKeys.root, owner: "a manifest", into: &findings)
    if let node = object["assetPackID"] { readID(node) }
    if let node = object["downloadPolicy"] { readPolicy(node) }
    if let node = object["fileSelectors"] { readSelectors(node) }
    if let node = object["platforms"] { readPlatforms(node) }
    if let node = object["sourceRoot"] { readSourceRoot(node) }
    if sourceRoot == nil { unreadSourceRoot = Self.misreadSourceRoot(in: root) }
    if let node = object["language"] { readLanguage(node) }
    if let node = object["userInfo"] { readUserInfo(node) }
    if !findings.hasErrors, let manifest {
      findings.add(ManifestRules.notArchivable(manifest, userInfo, locations))
    }
  }

  private mutating func readID(_ node: JSONNode) {
    guard let id = node.string else { return }
    locations.assetPackID = node.span
    assetPackID = id
    findings.add(
      ManifestRules.placeholder(id, at: node.span) ?? PackIDRules.empty(id, at: node.span)
        ?? PackIDRules.characters(id, at: node.span)
        ?? PackIDRules.grammar(id, at: node.span, for: hosting)
        ?? PackIDRules.style(id, at: node.span, for: hosting))
  }

  mutating func readPolicy(_ node: JSONNode) {
    locations.downloadPolicy = node.span
    var members: [JSONNode.Member] = []
    var names: Set<String> = []
    for member in node.members where !member.key.isDamaged {
      if names.insert(member.key.string ?? "").inserted, members.count < PolicyRules.mostShown {
        members.append(member)
      }
    }
    guard let member = members.first, names.count == 1 else {
      if !(members.isEmpty && node.isDamaged) {
        findings.add(
          PolicyRules.count(at: node.span, keys: members.map(\.key), count: names.count))
      }
      return
    }
    switch member.key.string {
    case "essential":
      downloadPolicy = readEvents(member).map { .essential($0) }
    case "prefetch":
      downloadPolicy = readEvents(member).map { .prefetch($0) }
    case "onDemand":
      let finding = PolicyRules.onDemandValue(member.value, in: node)
      findings.add(finding)
      if finding == nil { downloadPolicy = .onDemand }
    default: findings.add(PolicyRules.unknown(member.key))
    }
  }

  private mutating func readEvents(_ policy: JSONNode.Member) -> Set<InstallationEvent>? {
    let name = policy.key.string ?? ""
    guard policy.value.kind == .object else {
      if policy.value.kind != .invalid {
        findings.add(.wrongType(policy.value, "'\(name)' takes an object"))
      }
      return nil
    }
    let object = JSONObjectReader(
      policy.value, keys: [ManifestKeys.events], owner: "'\(name)'", into: &findings)
    guard let list = object[ManifestKeys.events.name] else { return nil }
    if let finding = PolicyRules.noEvents(list) {
      findings.add(finding)
      return nil
    }
    let words = WordList(list, PolicyRules.events)
    words.check(into: &findings)
    return Set(words.values)
  }

  private mutating func readPlatforms(_ node: JSONNode) {
    locations.platforms = node.span
    let words = WordList(node, PlatformRules.words)
    words.check(into: &findings)
    platforms = words.values
  }

  /// The member that was meant as the source root: by its key, or by one that is nearly that.
  private static func misreadSourceRoot(in root: JSONNode) -> SourceSpan? {
    let names = ManifestKeys.root.map(\.name)
    return root.members.prefix(JSONObjectReader.mostMisspelt).first { member in
      guard let key = member.key.string, key == "sourceRoot" || !names.contains(key) else {
        return false
      }
      return Spelling.nearest(to: key, among: names) == "sourceRoot"
    }.map { $0.key.string == "sourceRoot" ? $0.value.span : $0.key.span }
  }

  private mutating func readSourceRoot(_ node: JSONNode) {
    guard let path = node.string else { return }
    locations.sourceRoot = node.span
    if let finding = ManifestRules.sourceRoot(path, at: node.span) {
      findings.add(finding)
    } else {
      sourceRoot = path
    }
  }

  private mutating func readLanguage(_ node: JSONNode) {
    guard let text = node.string else { return }
    locations.language = node.span
    switch WrittenLanguageTag.parse(text) {
    case .failure(.malformed(let reason)):
      findings.add(LanguageRules.malformed(reason, at: node.span))
    case .failure(.unsupported(let kind, let subtag)):
      findings.add(LanguageRules.subtag(subtag, kind: kind, at: node))
    case .success(let written):
      let place = LanguagePlace(node: node)
      language = written.tag
      findings.add(LanguageRules.separator(written, at: node))
      findings.add(LanguageRules.letterCase(written, text: text, at: node))
      findings.add(LanguageRules.threeLetters(written, at: place))
      findings.add(contentsOf: LanguageRules.deprecated(written, at: place))
      findings.add(contentsOf: LanguageRules.unassigned(written, at: place))
      findings.add(LanguageRules.selfHosted(at: node.span, for: hosting))
    }
  }

  private mutating func readUserInfo(_ node: JSONNode) {
    locations.userInfo = node.span
    userInfo = node
    findings.add(ManifestRules.userInfo(node, for: hosting))
  }
}
