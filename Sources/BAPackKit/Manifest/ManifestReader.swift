import SourceDiagnostics

/// Gives a JSON text its meaning as a manifest, and collects what is wrong with it.
struct ManifestReader {
  let json: JSONDocument
  let hosting: Hosting?
  var findings = FindingList()
  var locations = ManifestLocations()

  var assetPackID: String?
  var downloadPolicy: DownloadPolicy?
  var fileSelectors: [FileSelector] = []
  var platforms: [Platform] = []
  var sourceRoot: String?
  var language: LanguageTag?
  var userInfo: JSONValue?

  init(_ json: JSONDocument, hosting: Hosting?) {
    self.json = json
    self.hosting = hosting
  }

  /// What was read; nil when a part that every manifest has is missing.
  var manifest: Manifest? {
    guard let assetPackID, let downloadPolicy else { return nil }
    return Manifest(
      assetPackID: assetPackID, downloadPolicy: downloadPolicy, fileSelectors: fileSelectors,
      platforms: platforms, sourceRoot: sourceRoot, language: language, userInfo: userInfo)
  }

  mutating func read() {
    findings.add(contentsOf: json.diagnostics)
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
    if let node = object["language"] { readLanguage(node) }
    if let node = object["userInfo"] { readUserInfo(node) }
  }

  private mutating func readID(_ node: JSONNode) {
    locations.assetPackID = node.span
    assetPackID = node.string
  }

  private mutating func readPolicy(_ node: JSONNode) {
    locations.downloadPolicy = node.span
    var members: [JSONNode.Member] = []
    for member in node.members where !member.key.isDamaged {
      if !members.contains(where: { $0.key.string == member.key.string }) {
        members.append(member)
      }
    }
    guard let member = members.first, members.count == 1 else {
      if !(members.isEmpty && node.isDamaged) {
        findings.add(PolicyCount.finding(at: node.span, keys: members.map(\.key)))
      }
      return
    }
    switch member.key.string {
    case "essential":
      downloadPolicy = readEvents(member).map { .essential($0) }
    case "prefetch":
      downloadPolicy = readEvents(member).map { .prefetch($0) }
    case "onDemand":
      let finding = PolicyOnDemandValue.check(member.value)
      findings.add(finding)
      if finding == nil { downloadPolicy = .onDemand }
    default: findings.add(PolicyUnknown.finding(member.key))
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
    return Set(list.elements.compactMap { $0.string.flatMap(InstallationEvent.init) })
  }

  private mutating func readPlatforms(_ node: JSONNode) {
    locations.platforms = node.span
    platforms = node.elements.compactMap { $0.string.flatMap(Platform.init) }
  }

  private mutating func readSourceRoot(_ node: JSONNode) {
    locations.sourceRoot = node.span
    sourceRoot = node.string
  }

  private mutating func readLanguage(_ node: JSONNode) {
    locations.language = node.span
    let parts = (node.string ?? "").split(separator: "-").map(String.init)
    guard let first = parts.first else { return }
    language = LanguageTag(
      language: first, script: parts.first { $0.count == 4 },
      region: parts.dropFirst().first { $0.count < 4 })
  }

  private mutating func readUserInfo(_ node: JSONNode) {
    locations.userInfo = node.span
    userInfo = node.value
  }
}
