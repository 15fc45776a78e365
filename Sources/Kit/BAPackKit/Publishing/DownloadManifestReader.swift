import SourceDiagnostics

/// A parser of download manifests that collects findings.
struct DownloadManifestReader {
  let json: JSONDocument
  let allowingHTTP: Bool
  var findings: Ledger
  var packs: [PublishedPack] = []
  var locations: [DownloadManifestDocument.PackLocation] = []
  var otherMembers: [JSONValue.Member] = []
  /// The number of packs in the text, including unreadable ones.
  private(set) var count = 0
  private var placesOfIDs: [PackID: SourceSpan] = [:]
  private var appearances: [String: PackID] = [:]
  private var packsByURL: [String: PublishedPack] = [:]

  /// The handling of unknown keys.
  ///
  /// Unknown keys are not errors: devices skip them, and later systems may support them.
  private static let others = JSONObjectReader.UnknownKeys.kept(
    note: "no device is known to read this key; an update keeps it")

  init(_ json: JSONDocument, allowingHTTP: Bool) {
    self.json = json
    self.allowingHTTP = allowingHTTP
    findings = Ledger(about: json.source)
  }

  /// The manifest; nil if there is an error or an unreadable pack.
  ///
  /// Without that pack, the manifest would delete it from devices.
  var manifest: DownloadManifest? {
    findings.hasErrors || packs.count < count
      ? nil : DownloadManifest(packs: packs, otherMembers: otherMembers)
  }

  mutating func read() {
    if let finding = PublicationText.manifest.finding(aboutSyntaxOf: json) {
      return findings.add(finding)
    }
    guard let root = json.root, root.kind == .object else {
      findings.add(contentsOf: json.findings)
      if let root = json.root, root.kind != .invalid {
        findings.add(.wrongType(root, "a download manifest must be an object"))
      }
      return
    }
    if let finding = PublicationText.manifest.finding(about: root) { return findings.add(finding) }
    findings.add(contentsOf: json.findings)
    let object = JSONObjectReader(
      root, keys: DownloadManifestKeys.root, owner: "a download manifest", unknown: Self.others,
      into: &findings)
    otherMembers = others(of: root, than: ["assetPacks"])
    guard let array = object["assetPacks"] else { return }
    count = array.count
    for element in array.elements { readPack(element) }
  }

  private mutating func readPack(_ node: JSONNode) {
    guard node.kind == .object else {
      if node.kind != .invalid { findings.add(.wrongType(node, "a pack must be an object")) }
      return
    }
    let name = node["id"]?.string.map { "the pack '\($0)'" } ?? "a pack"
    let object = JSONObjectReader(
      node, keys: DownloadManifestKeys.pack, owner: name, unknown: Self.others, into: &findings)
    let id = object["id"].flatMap { readID($0) }
    let url = object["url"].flatMap { readURL($0, of: id?.id.text ?? "") }
    let version = object["version"].flatMap { readVersion($0, of: name) }
    let size = object["downloadSize"].flatMap { readSize($0, of: name) }
    let policy = object["downloadPolicy"].flatMap { readPolicy($0) }
    if let host = object["host"] {
      findings.add(DownloadPackRules.host(host, of: id?.id.text ?? ""))
    }
    guard let id, let url, let version, let size, let policy else { return }
    let pack = PublishedPack(
      id: id.id, url: url.text, version: version.number, downloadSize: size.number,
      downloadPolicy: policy.value, host: object["host"]?.value ?? .thirdParty,
      userInfo: object["userInfo"]?.value,
      otherMembers: others(of: node, than: DownloadManifestKeys.pack.map(\.name)))
    packs.append(pack)
    locations.append(
      .init(
        id: id.span, url: url.span, version: version.span, downloadSize: size.span,
        downloadPolicy: policy.span, userInfo: object["userInfo"]?.span))
    findings.add(DownloadVersionRules.limit(pack, at: version.span))
    if let other = packsByURL[pack.url], other.id != pack.id {
      findings.add(DownloadAddressRules.duplicateURL(pack, other, at: url.span))
    } else {
      packsByURL[pack.url] = pack
    }
  }

  private mutating func readID(_ node: JSONNode) -> (id: PackID, span: SourceSpan)? {
    guard let text = node.string else { return nil }
    let id = PackID(text)
    let finding =
      PackIDRules.empty(text, at: node.span) ?? PackIDRules.characters(text, at: node)
    if let finding {
      findings.add(finding)
    } else if let first = placesOfIDs[id] {
      findings.add(DownloadPackRules.duplicateID(id, at: node.span, first: first))
    } else {
      placesOfIDs[id] = node.span
      if let other = appearances.updateValue(id, forKey: id.appearance) {
        findings.add(DownloadPackRules.similarIDs(id, other, at: node.span))
      }
    }
    return (id, node.span)
  }

  private mutating func readURL(
    _ node: JSONNode, of id: String
  ) -> (text: String, span: SourceSpan)? {
    guard let url = node.string else { return nil }
    if let address = WebAddress(url) {
      if !address.isSecure, !allowingHTTP {
        findings.add(DownloadAddressRules.notSecure(id, at: node.span))
      }
    } else {
      findings.add(DownloadAddressRules.url(url, of: id, at: node.span))
    }
    return (url, node.span)
  }

  private mutating func readVersion(
    _ node: JSONNode, of name: String
  ) -> (number: Int, span: SourceSpan)? {
    guard let text = readNumber(node, "version") else { return nil }
    guard let number = Int(text), number >= 0 else {
      findings.add(DownloadVersionRules.version(text, of: name, at: node.span))
      return nil
    }
    return (number, node.span)
  }

  private mutating func readSize(
    _ node: JSONNode, of name: String
  ) -> (number: UInt64, span: SourceSpan)? {
    guard let text = readNumber(node, "downloadSize") else { return nil }
    guard let number = UInt64(text), number > 0 else {
      findings.add(DownloadArchiveRules.size(text, of: name, at: node.span))
      return nil
    }
    return (number, node.span)
  }

  private mutating func readNumber(_ node: JSONNode, _ key: String) -> String? {
    if node.kind != .number, node.kind != .invalid {
      findings.add(.wrongType(node, "'\(key)' must be a whole number"))
    }
    return node.number
  }

  private mutating func readPolicy(
    _ node: JSONNode
  ) -> (value: DownloadPolicy, span: SourceSpan)? {
    DownloadPolicy.read(node, into: &findings).map { ($0, node.span) }
  }

  private func others(of node: JSONNode, than known: [String]) -> [JSONValue.Member] {
    node.members.compactMap { member in
      guard let key = member.key.string, !known.contains(key) else { return nil }
      return JSONValue.Member(key, member.value.value)
    }
  }
}
