package import BAPackKit

extension DeviceState {
  /// Returns the result of an app's search for a path.
  package func find(
    _ path: String, in id: PackID? = nil, for language: LanguageTag? = nil, _ source: ReleaseSource
  ) -> (answer: Event.ReadResult, rules: [SemanticRule]) {
    var rules: [SemanticRule] = [id == nil ? .namespace : .inPack]
    if let id, installed[id] == nil { return (.noPack(id), rules + [.packNotFound]) }
    var packs = installedIDs.compactMap { installed[$0]?.pack }
    if let id { packs = packs.filter { $0.id == id } }
    if let language {
      rules = [.forLanguage]
      packs = packs.filter { $0.offered.language?.isEquivalent(to: language) ?? false }
    }
    let asset = AssetPath(unchecked: path.utf8)
    let unknown = packs.filter { $0.contents == nil }.map(\.id)
    let having = packs.filter { $0.contents?.index(of: asset) != nil }
    let forms = PathForms(on: profile.platform)
    let others = packs.filter { pack in
      pack.contents?.index(of: asset) == nil && pack.contents?.hasPath(like: asset, forms) ?? false
    }
    if !others.isEmpty, profile.follows(.similarPaths) {
      rules.append(.similarPaths)
      if !having.isEmpty { return (.ambiguous((having + others).map(\.id)), rules) }
    }
    switch having.count {
    case 0 where !unknown.isEmpty: return (.notKnown(unknown), rules)
    case 0:
      let folders = packs.filter { $0.contents?.hasFolder(asset) ?? false }.map(\.id)
      return folders.isEmpty
        ? (.missing, rules + [.fileNotFound])
        : (.folder(folders), rules + [.fileNotFound, .folders])
    case 1: return (.readable(having.map(\.id), haveSameBytes: false), rules)
    default:
      let ids = having.map(\.id)
      if language == nil, having.contains(where: { $0.offered.language != nil }) {
        rules.append(.sharedByLanguages)
      }
      let sizes = Set(having.compactMap { $0.contents?.size(of: asset) })
      if sizes.count == 1, profile.follows(.equalBytes), source.haveSameBytes(asset, having) == true
      {
        return (.readable(ids, haveSameBytes: true), rules + [.samePath])
      }
      return (.ambiguous(ids), rules + [.samePath, .equalBytes])
    }
  }
}

extension PackContents {
  /// Whether another path of a file may be the same on the device.
  fileprivate func hasPath(like path: AssetPath, _ forms: PathForms) -> Bool {
    guard forms.mayHaveOthers(path) else { return false }
    return (0..<count).contains { forms.areAlike(self[$0], path) }
  }

  /// Returns the size of the file at a path.
  fileprivate func size(of path: AssetPath) -> UInt64? { index(of: path).map(size(at:)) }
}
