import SourceDiagnostics

/// Gives a JSON text its meaning as a download manifest, and collects what is wrong with it.
struct DownloadManifestReader {
  let json: JSONDocument
  let allowingHTTP: Bool
  var findings = FindingList()
  var packs: [PublishedPack] = []
  var locations: [DownloadManifestDocument.PackLocation] = []
  var otherMembers: [JSONValue.Member] = []
  private var placesOfIDs: [String: SourceSpan] = [:]
  private var packsByURL: [String: PublishedPack] = [:]

  init(_ json: JSONDocument, allowingHTTP: Bool) {
    self.json = json
    self.allowingHTTP = allowingHTTP
  }

  mutating func read() {
    findings.add(contentsOf: json.diagnostics)
    guard let root = json.root else { return }
    guard root.kind == .object else {
      if root.kind != .invalid {
        findings.add(.wrongType(root, "a download manifest is an object"))
      }
      return
    }
    let object = take(root, DownloadManifestKeys.root, owner: "a download manifest")
    otherMembers = others(of: root, than: ["assetPacks"])
    guard let array = object["assetPacks"] else { return }
    for element in array.elements { readPack(element) }
  }

  private mutating func readPack(_ node: JSONNode) {
    guard node.kind == .object else {
      if node.kind != .invalid { findings.add(.wrongType(node, "a pack is an object")) }
      return
    }
    let object = take(node, DownloadManifestKeys.pack, owner: "a pack")
    let id = object["id"].flatMap { readID($0) }
    let url = object["url"].flatMap { readURL($0, of: id?.text ?? "") }
    let version = object["version"].flatMap { readVersion($0) }
    let size = object["downloadSize"].flatMap { readSize($0) }
    let policy = object["downloadPolicy"].flatMap { readPolicy($0) }
    if let host = object["host"] { findings.add(DownloadHost.check(host, of: id?.text ?? "")) }
    guard let id, let url, let version, let size, let policy else { return }
    let pack = PublishedPack(
      id: id.text, url: url.text, version: version.number, downloadSize: size.number,
      downloadPolicy: policy.value, host: object["host"]?.value ?? .thirdParty,
      userInfo: object["userInfo"]?.value,
      otherMembers: others(of: node, than: DownloadManifestKeys.pack.map(\.name)))
    packs.append(pack)
    locations.append(
      .init(
        id: id.span, url: url.span, version: version.span, downloadSize: size.span,
        downloadPolicy: policy.span, userInfo: object["userInfo"]?.span))
    findings.add(DownloadVersionLimit.check(pack, at: version.span))
    if let other = packsByURL[pack.url], other.id != pack.id {
      findings.add(DownloadDuplicateURL.finding(pack, other, at: url.span))
    } else {
      packsByURL[pack.url] = pack
    }
  }

  private mutating func readID(_ node: JSONNode) -> (text: String, span: SourceSpan)? {
    guard let id = node.string else { return nil }
    let finding = PackIDEmpty.check(id, at: node.span) ?? PackIDCharacters.check(id, at: node.span)
    if let finding {
      findings.add(finding)
    } else if let first = placesOfIDs[id] {
      findings.add(DownloadDuplicateID.finding(id, at: node.span, first: first))
    } else {
      placesOfIDs[id] = node.span
    }
    return (id, node.span)
  }

  private mutating func readURL(
    _ node: JSONNode, of id: String
  ) -> (text: String, span: SourceSpan)? {
    guard let url = node.string else { return nil }
    if let address = WebAddress(url) {
      if !address.isSecure, !allowingHTTP {
        findings.add(DownloadNotSecure.finding(id, at: node.span))
      }
    } else {
      findings.add(DownloadURL.finding(url, of: id, at: node.span))
    }
    return (url, node.span)
  }

  private mutating func readVersion(_ node: JSONNode) -> (number: Int, span: SourceSpan)? {
    guard let text = readNumber(node, of: "version") else { return nil }
    guard let number = Int(text), number >= 0 else {
      findings.add(DownloadVersion.finding(text, at: node.span))
      return nil
    }
    return (number, node.span)
  }

  private mutating func readSize(_ node: JSONNode) -> (number: UInt64, span: SourceSpan)? {
    guard let text = readNumber(node, of: "downloadSize") else { return nil }
    guard let number = UInt64(text), number > 0 else {
      findings.add(DownloadSize.finding(text, at: node.span))
      return nil
    }
    return (number, node.span)
  }

  private mutating func readNumber(_ node: JSONNode, of key: String) -> String? {
    if node.kind != .number, node.kind != .invalid {
      findings.add(.wrongType(node, "'\(key)' takes a whole number"))
    }
    return node.number
  }

  private mutating func readPolicy(
    _ node: JSONNode
  ) -> (value: DownloadPolicy, span: SourceSpan)? {
    var reader = ManifestReader(hosting: .selfHosted)
    reader.readPolicy(node)
    findings.add(contentsOf: reader.findings.sorted())
    return reader.downloadPolicy.map { ($0, node.span) }
  }

  /// Takes an object apart.
  ///
  /// An unknown key is no error: devices skip what they do not know, and a later system may know
  /// more.
  private mutating func take(
    _ node: JSONNode, _ keys: [JSONKey], owner: String
  ) -> JSONObjectReader {
    var found = FindingList()
    let object = JSONObjectReader(node, keys: keys, owner: owner, into: &found)
    for var finding in found.sorted() {
      if finding.id == "json.unknown-key" {
        finding.severity = .warning
        finding.notes.append("devices are not known to read it; an update keeps it")
      }
      findings.add(finding)
    }
    return object
  }

  private func others(of node: JSONNode, than known: [String]) -> [JSONValue.Member] {
    node.members.compactMap { member in
      guard let key = member.key.string, !known.contains(key) else { return nil }
      return JSONValue.Member(key, member.value.value)
    }
  }
}
