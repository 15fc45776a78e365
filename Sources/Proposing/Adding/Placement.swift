import BAPackKit
import SystemIO

/// The decision which pack gets new files.
struct Placement {
  /// A pack that gets files.
  enum Target: Hashable {
    /// The manifest with this index.
    case existing(Int)
    /// A new manifest for the proposed pack with this index.
    case new(Int)
  }

  private let tree: AssetTree
  private let proposal: Proposal
  private let existing: [ExistingPack]
  private let files: NewFiles
  /// The selectors of each manifest.
  private var reaches: [SourceReach]
  /// The manifest with most files of a folder.
  private var owners: [Int: Int?] = [:]

  /// The number of files of a folder that are examined.
  private static let mostExamined = 4096

  init(
    _ proposal: Proposal, in tree: AssetTree, _ files: NewFiles, besides existing: [ExistingPack]
  ) {
    self.tree = tree
    self.proposal = proposal
    self.existing = existing
    self.files = files
    reaches = existing.map { SourceReach($0.manifest.fileSelectors) }
  }

  /// Returns the targets of the new files of a proposed pack.
  mutating func targets(ofPack index: Int) -> [Target: [Int]] {
    let (pack, new) = (proposal.packs[index], files.ofPacks[index])
    guard !new.isEmpty else { return [:] }
    if let same = sameID(as: pack) ?? sameLanguage(as: pack) { return [.existing(same): new] }
    // A new level or a new language is a new pack, also next to packs of the same folder.
    let isNewOfSeries = new.count == pack.count && pack.series != nil
    if isNewOfSeries || pack.manifest.language != nil { return [.new(index): new] }
    var targets: [Target: [Int]] = [:]
    for file in new {
      let owner = owner(ofFolder: Int(tree.files[file].folder))
      targets[owner.map(Target.existing) ?? .new(index), default: []].append(file)
    }
    return targets
  }

  private func sameID(as pack: ProposedPack) -> Int? {
    existing.firstIndex {
      $0.manifest.assetPackID == pack.manifest.assetPackID && $0.offset != .apart
    }
  }

  /// Returns the localized pack of the same language; of several, the one with the nearest files.
  private func sameLanguage(as pack: ProposedPack) -> Int? {
    guard let language = pack.manifest.language else { return nil }
    let folders = pack.manifest.fileSelectors.map { FilePath($0.path.utf8).components }
    func nearness(_ manifest: Manifest) -> Int {
      manifest.fileSelectors.map { selector in
        let own = FilePath(selector.path.utf8).components
        return folders.map { folder in zip(folder, own).prefix { $0 == $1 }.count }.max() ?? 0
      }.max() ?? 0
    }
    var best: (index: Int, nearness: Int)?
    for (index, pack) in existing.enumerated()
    where pack.manifest.language?.isEquivalent(to: language) ?? false && pack.offset != .apart {
      let own = nearness(pack.manifest)
      if own > best?.nearness ?? -1 { best = (index, own) }
    }
    return best?.index
  }

  /// Returns the pack with most files of a folder, or of its nearest parent folder that has packed
  /// files; nil if that would be the source root.
  private mutating func owner(ofFolder folder: Int) -> Int? {
    if let known = owners[folder] { return known }
    let isRoot = folder == AssetTree.rootFolder
    let range = isRoot ? tree.ownFiles(of: folder) : tree.allFiles(of: folder)
    let packed = range.lazy.filter { [files] in files.states[$0] == .packed }
    var counts = [Int](repeating: 0, count: existing.count)
    for file in packed.prefix(Self.mostExamined) {
      let path = tree.path(ofFile: file)
      for index in existing.indices where existing[index].manifest.language == nil {
        guard let path = existing[index].path(of: path) else { continue }
        if reaches[index].effect(on: path) == .selected { counts[index] += 1 }
      }
    }
    let most = counts.max() ?? 0
    var owner = most > 0 ? counts.firstIndex(of: most) : nil
    if owner == nil, !isRoot {
      let parent = Int(tree.folders[folder].parent)
      owner = parent == AssetTree.rootFolder ? nil : self.owner(ofFolder: parent)
    }
    owners[folder] = .some(owner)
    return owner
  }
}

extension FileSelector {
  /// The source path or the pattern.
  var path: String {
    switch self {
    case .file(let path), .directory(let path), .filePattern(let path), .exclusion(let path),
      .renamedFile(source: let path, _), .renamedDirectory(source: let path, _):
      path
    }
  }
}
