import SourceDiagnostics

extension Publication {
  /// Returns the text to write, based on an existing text; nil if there is an error, or if the
  /// text could not be read again with the same meaning.
  package mutating func text(over document: DownloadManifestDocument? = nil) -> [UInt8]? {
    guard let manifest else { return nil }
    let text = document?.text(meaning: manifest) ?? manifest.json()
    let again = DownloadManifestDocument(
      parsing: text, named: document?.source.name ?? "", allowingHTTP: true)
    if again.manifest == manifest { return text }
    let reason =
      again.findings.first { $0.severity == .error }?.message
      ?? "its meaning would change"
    findings.add(
      DownloadTextRules.tooLarge(reason),
      about: document?.source ?? SourceText([], named: "the download manifest"))
    self.manifest = nil
    return nil
  }
}

extension DownloadManifestDocument {
  /// Returns the text with the changes for `target`.
  ///
  /// Comments, layout and other members are kept.
  func text(meaning target: DownloadManifest) -> [UInt8] {
    if manifest == target { return source.bytes }
    return edited(to: target) ?? target.json()
  }

  private func edited(to target: DownloadManifest) -> [UInt8]? {
    guard manifest != nil, let shorter = removing(allBut: Set(target.packs.map(\.id))),
      let root = shorter.json?.root, let array = root["assetPacks"],
      shorter.packs.count <= target.packs.count
    else { return nil }
    var rewrite = JSONRewrite(of: root.document)
    for (index, node) in array.elements.enumerated() {
      shorter.packs[index].rewrite(node, as: target.packs[index], in: &rewrite)
    }
    rewrite.append(target.packs.dropFirst(shorter.packs.count).map(\.jsonValue), to: array)
    let text = rewrite.text
    let again = DownloadManifestDocument(parsing: text, named: source.name, allowingHTTP: true)
    return again.manifest == target ? text : nil
  }

  /// Returns the document without the removed packs.
  private func removing(allBut kept: Set<PackID>) -> DownloadManifestDocument? {
    guard packs.contains(where: { !kept.contains($0.id) }) else { return self }
    guard let json, let array = json.root?["assetPacks"] else { return nil }
    var rewrite = JSONRewrite(of: json)
    rewrite.remove(from: array) { !kept.contains(packs[$0].id) }
    let shorter = DownloadManifestDocument(
      parsing: rewrite.text, named: source.name, allowingHTTP: true)
    return shorter.manifest == nil ? nil : shorter
  }
}

extension PublishedPack {
  /// Changes the differences in the text of a pack.
  fileprivate func rewrite(
    _ node: JSONNode, as target: PublishedPack, in rewrite: inout JSONRewrite
  ) {
    let old = jsonMembers
    let new = target.jsonMembers
    for (key, value) in old where new[key] != value {
      guard let wanted = new[key] else {
        rewrite.remove(key, from: node)
        continue
      }
      if let place = node[key] { rewrite.replace(place, by: wanted) }
    }
    for (key, value) in new where old[key] == nil {
      rewrite.append(JSONValue.Member(key, value), to: node)
    }
  }

  /// The members that an update may change.
  private var jsonMembers: [String: JSONValue] {
    var members = [
      "url": JSONValue.string(url), "version": .integer(version),
      "downloadSize": .integer(downloadSize), "downloadPolicy": downloadPolicy.jsonValue,
    ]
    members["userInfo"] = userInfo
    return members
  }
}
