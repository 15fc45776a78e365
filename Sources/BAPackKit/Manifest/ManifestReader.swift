import SourceDiagnostics

/// Gives a JSON text its meaning as a manifest, and collects what is wrong with it.
struct ManifestReader {
  private let hosting: Hosting?
  var findings = FindingList()
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

  init(hosting: Hosting?) { self.hosting = hosting }

  /// Reads nothing, since the input is no text to read.
  init(reporting finding: Diagnostic) {
    hosting = nil
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

  mutating func read(_ json: JSONDocument) {
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
    if sourceRoot == nil { unreadSourceRoot = Self.misreadSourceRoot(in: root) }
    if let node = object["language"] { readLanguage(node) }
    if let node = object["userInfo"] { readUserInfo(node) }
  }

  private mutating func readID(_ node: JSONNode) {
    guard let id = node.string else { return }
    locations.assetPackID = node.span
    assetPackID = id
    findings.add(
      PlaceholderLeft.check(id, at: node.span) ?? PackIDEmpty.check(id, at: node.span)
        ?? PackIDCharacters.check(id, at: node.span)
        ?? PackIDGrammar.check(id, at: node.span, for: hosting)
        ?? PackIDStyle.check(id, at: node.span, for: hosting))
  }

  mutating func readPolicy(_ node: JSONNode) {
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
      let finding = PolicyOnDemandValue.check(member.value, in: node)
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
    if let finding = PolicyNoEvents.check(list) {
      findings.add(finding)
      return nil
    }
    let words = WordList(list, InstallationEvent.self)
    for word in words.unknown {
      findings.add(
        word.finding(PolicyUnknownEvent.rule, "there is no installation event '\(word.text)'"))
    }
    for word in words.duplicates {
      findings.add(word.finding(PolicyDuplicateEvent.rule, "'\(word.text)' stands here twice"))
    }
    findings.add(contentsOf: words.wrongTypes(in: "'installationEventTypes'"))
    return Set(words.values)
  }

  private mutating func readPlatforms(_ node: JSONNode) {
    locations.platforms = node.span
    let words = WordList(node, Platform.self, synonyms: PlatformUnknown.synonyms)
    for word in words.unknown {
      findings.add(
        word.finding(
          PlatformUnknown.rule, "there is no platform '\(word.text)' for asset packs",
          note: PlatformUnknown.note(about: word.text)))
    }
    for word in words.duplicates {
      findings.add(word.finding(PlatformDuplicate.rule, "'\(word.text)' stands here twice"))
    }
    findings.add(contentsOf: words.wrongTypes(in: "'platforms'"))
    platforms = words.values
  }

  /// The member that was meant as the source root: by its key, or by one that is nearly that.
  private static func misreadSourceRoot(in root: JSONNode) -> SourceSpan? {
    let names = ManifestKeys.root.map(\.name)
    return root.members.first { member in
      guard let key = member.key.string, key == "sourceRoot" || !names.contains(key) else {
        return false
      }
      return Spelling.nearest(to: key, among: names) == "sourceRoot"
    }.map { $0.key.string == "sourceRoot" ? $0.value.span : $0.key.span }
  }

  private mutating func readSourceRoot(_ node: JSONNode) {
    guard let path = node.string else { return }
    locations.sourceRoot = node.span
    if let finding = SourceRootPath.check(path, at: node.span) {
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
      findings.add(LanguageMalformed.finding(reason, at: node.span))
    case .failure(.unsupported(let kind, let subtag)):
      findings.add(LanguageSubtag.finding(kind: kind, subtag: subtag, at: node.span))
    case .success(let written):
      let place = LanguagePlace(node: node)
      language = written.tag
      findings.add(LanguageSeparator.check(written, at: node))
      findings.add(LanguageCase.check(written, text: text, at: node))
      findings.add(LanguageThreeLetters.check(written, at: place))
      findings.add(contentsOf: LanguageDeprecated.check(written, at: place))
      findings.add(contentsOf: LanguageUnassigned.check(written, at: place))
      findings.add(LanguageSelfHosted.check(at: node.span, for: hosting))
    }
  }

  private mutating func readUserInfo(_ node: JSONNode) {
    locations.userInfo = node.span
    userInfo = node
    findings.add(UserInfoAppleHosted.check(node, for: hosting))
  }
}
