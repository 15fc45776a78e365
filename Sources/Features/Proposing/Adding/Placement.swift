import AssetArchive
import BAPackKit
import SystemIO

/// The decision which pack gets new files.
///
/// A pack gets a file only if no other file has the same path on a device.
struct Placement {
  /// A pack that gets files.
  enum Target: Hashable {
    /// The manifest with this index.
    case existing(Int)
    /// A new manifest for the proposed pack with this index.
    case new(Int)
  }

  /// The files of each target, with their paths in the pack.
  private(set) var members: [Target: [Int: [UInt8]]] = [:]
  /// The files without a target.
  private(set) var refused: [Refused] = []
  /// The proposed packs of a language whose files keep their paths, in a pack for all languages:
  /// the project has no pack of the primary language.
  private(set) var unlocalized: Set<Int> = []

  /// Files that no pack can get.
  struct Refused {
    var files: [Int]
    /// The pack that has one of their paths; nil if a manifest cannot contain the path.
    var rival: Target?
    var language: LanguageTag?
  }

  private let tree: AssetTree
  let proposal: Proposal
  private let existing: [ExistingPack]
  private let files: NewFiles
  let paths: PlacedPaths
  private var taken = TakenPaths()
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
    paths = PlacedPaths(proposal, in: tree, files, besides: existing)
    guard files.ofPacks.contains(where: { !$0.isEmpty }) else { return }
    for (index, pack) in existing.enumerated() {
      taken.add(index, pack.manifest)
      let fills = Dictionary(pack.fills.map { ($0.path, $0.source) }) { first, _ in first }
      for entry in pack.contents.entries where tree.files[entry].kind == .file {
        guard let own = pack.offset.path(of: tree.path(ofFile: entry)) else { continue }
        for path in pack.contents.reach.destinations(of: own) {
          taken.add(path, of: index, isFill: fills[path] == own)
        }
      }
    }
    let isServed = hasPrimaryLanguage
    for (index, pack) in proposal.packs.enumerated() {
      var manifest = pack.manifest
      if manifest.language != nil, !isServed {
        manifest.language = nil
        unlocalized.insert(index)
      }
      taken.add(existing.count + index, manifest)
    }
  }

  /// Whether the project has a localized pack, or the primary language gets one.
  private var hasPrimaryLanguage: Bool {
    guard let primary = proposal.primaryLanguage else { return true }
    return existing.contains { $0.manifest.language != nil }
      || zip(proposal.packs, files.ofPacks).contains { pack, new in
        !new.isEmpty && pack.manifest.language?.isEquivalent(to: primary) ?? false
      }
  }

  /// Chooses the targets of the new files of a proposed pack.
  mutating func place(pack index: Int) {
    var new = files.ofPacks[index]
    guard !new.isEmpty else { return }
    if let language = proposal.packs[index].manifest.language, !unlocalized.contains(index) {
      place(new, of: language, index)
    } else {
      // Another spelling of a language that has a pack.
      let spelled = Dictionary(grouping: new) { spelledLanguage(of: $0) }
      new = spelled[nil] ?? []
      for (language, files) in spelled.sorted(by: { $0.value[0] < $1.value[0] }) {
        if let language { place(files, of: language, index) }
      }
      let groups = Dictionary(grouping: new) { Neighbourhood(of: $0, in: tree) }
      for files in groups.values.sorted(by: { $0[0] < $1[0] }) {
        place(files, of: index)
      }
    }
  }
}

// MARK: - Files of a folder

extension Placement {
  /// Files with one extension in a folder.
  private struct Neighbourhood: Hashable {
    let folder: Int
    let kind: [UInt8]

    init(of file: Int, in tree: AssetTree) {
      folder = Int(tree.files[file].folder)
      kind = Array(fileExtension(of: tree.name(ofFile: file)))
    }
  }

  /// Places new files of one folder and extension.
  private mutating func place(_ new: [Int], of index: Int) {
    let pack = proposal.packs[index]
    let place = Neighbourhood(of: new[0], in: tree)
    let neighbours = neighbours(of: place)
    var targets: [Target] = []
    if let same = sameID(as: pack), neighbours.isEmpty || neighbours.contains(same) {
      targets.append(.existing(same))
    }
    if let first = neighbours.first { targets.append(.existing(first)) }
    // A new level, or a pack that was removed, is a new pack.
    if !pack.files.joined().contains(where: { files.states[$0] == .packed }) {
      targets.append(.new(index))
    }
    if let owner = owner(around: place.folder) { targets.append(.existing(owner)) }
    if let owner = mainOwner(of: pack) { targets.append(.existing(owner)) }
    targets.append(.new(index))
    var rest = new
    var rival: Target?
    for target in targets where !rest.isEmpty {
      var accepted: [Int: [UInt8]] = [:]
      for file in rest {
        guard let path = path(of: file, in: target) else { continue }
        if let found = taken.pack(with: path, besideFilesOf: number(of: target)) {
          rival = rival ?? self.target(found)
        } else {
          accepted[file] = path
        }
      }
      accept(accepted, target)
      rest.removeAll { members[target]?[$0] != nil }
    }
    refuse(rest, rival, nil)
  }

  private func sameID(as pack: ProposedPack) -> Int? {
    existing.firstIndex {
      $0.manifest.assetPackID == pack.manifest.assetPackID && $0.manifest.language == nil
    }
  }

  /// Returns the manifest with most files of a proposed pack; nil if no manifest has one of them.
  private func mainOwner(of pack: ProposedPack) -> Int? {
    most(pack.files.joined(), includingMembers: true)
  }

  /// Returns the manifests with files in a folder, without its subfolders: those with most files of
  /// the extension first.
  private func neighbours(of place: Neighbourhood) -> [Int] {
    var counts: [Int: (kind: Int, all: Int)] = [:]
    for file in tree.ownFiles(of: place.folder).prefix(Self.mostExamined)
    where files.owners[file] >= 0 {
      let owner = Int(files.owners[file])
      guard existing[owner].manifest.language == nil else { continue }
      let isAlike = fileExtension(of: tree.name(ofFile: file)) == place.kind[...]
      counts[owner, default: (0, 0)].kind += isAlike ? 1 : 0
      counts[owner, default: (0, 0)].all += 1
    }
    return counts.sorted {
      ($1.value.kind, $1.value.all, $0.key) < ($0.value.kind, $0.value.all, $1.key)
    }.map(\.key)
  }

  /// Returns the manifest with most files of a folder and its subfolders, or of its nearest parent
  /// folder that has packed files; nil if that would be the source root.
  private mutating func owner(around folder: Int) -> Int? {
    if let known = owners[folder] { return known }
    var owner: Int?
    var next = folder
    while owner == nil, next != AssetTree.rootFolder {
      // A new level does not belong to the pack of another level.
      owner = most(tree.allFiles(of: next), includingMembers: false)
      next = Int(tree.folders[next].parent)
    }
    owners[folder] = .some(owner)
    return owner
  }

  private func most(_ candidates: some Sequence<Int>, includingMembers: Bool) -> Int? {
    var counts: [Int: Int] = [:]
    var examined = 0
    for file in candidates where files.owners[file] >= 0 {
      examined += 1
      if examined > Self.mostExamined { break }
      let owner = Int(files.owners[file])
      guard existing[owner].manifest.language == nil else { continue }
      if includingMembers || !isMember(file) { counts[owner, default: 0] += 1 }
    }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  /// The rules of packs with one of several similar folders.
  private static let rulesOfMembers = [
    GroupingRules.siblings, GroupingRules.tiers, GroupingRules.platform, GroupingRules.models,
  ].map(\.id)

  /// Whether the proposed pack of a file is one of several similar packs.
  private func isMember(_ file: Int) -> Bool {
    guard files.proposed[file] >= 0 else { return false }
    let pack = proposal.packs[Int(files.proposed[file])]
    return pack.series != nil
      || pack.reasons.first.map { Self.rulesOfMembers.contains($0.rule.id) } ?? false
  }
}

// MARK: - Files of a language

extension Placement {
  /// Returns the language of a file that is not in a proposed pack of a language, if an existing
  /// pack has the language.
  private func spelledLanguage(of file: Int) -> LanguageTag? {
    guard let language = paths.language(of: file),
      existing.contains(where: { $0.manifest.language?.isEquivalent(to: language) ?? false })
    else { return nil }
    return language
  }

  private mutating func place(_ new: [Int], of language: LanguageTag, _ index: Int) {
    var targets = sameLanguage(language, as: proposal.packs[index]).map(Target.existing)
    if proposal.packs[index].manifest.language != nil { targets.append(.new(index)) }
    // A folder of a language is in one pack.
    for unit in units(new, of: language, index) {
      var rival: Target?
      let isPlaced = targets.contains { target in
        var accepted: [Int: [UInt8]] = [:]
        var own: Set<[UInt8]> = []
        for file in unit {
          guard let path = path(of: file, in: target), own.insert(path).inserted else {
            return false
          }
          if let found = taken.pack(with: path, besideFilesOf: number(of: target)) {
            rival = rival ?? self.target(found)
            return false
          }
          accepted[file] = path
        }
        accept(accepted, target)
        return true
      }
      if !isPlaced { refuse(unit, rival, language) }
    }
  }

  /// Returns the new files in each folder of a language, and single files that are in none.
  private func units(_ new: [Int], of language: LanguageTag, _ index: Int) -> [[Int]] {
    var folders: [[UInt8]] = []
    for case .renamedDirectory(let source, _) in proposal.packs[index].manifest.fileSelectors {
      folders.append(Array((source + "/").utf8))
    }
    var units: [[UInt8]: [Int]] = [:]
    for file in new {
      let path = tree.path(ofFile: file)
      let names = FilePath(path).components
      let place = names.dropLast().firstIndex { name in
        LanguageName(name.bytes[...])?.isSpelling(of: language) ?? false
      }
      let named = place.map { FilePath(joining: names[...$0]).bytes }
      units[
        named ?? folders.first { path.starts(with: $0) } ?? path, default: []
      ].append(file)
    }
    return units.values.sorted { $0[0] < $1[0] }
  }

  /// Returns the localized packs of the same language, those with the nearest files first.
  private func sameLanguage(_ language: LanguageTag, as pack: ProposedPack) -> [Int] {
    let folders = pack.manifest.fileSelectors.map { FilePath($0.path.utf8).components }
    func nearness(_ manifest: Manifest) -> Int {
      manifest.fileSelectors.map { selector in
        let own = FilePath(selector.path.utf8).components
        return folders.map { folder in zip(folder, own).prefix { $0 == $1 }.count }.max() ?? 0
      }.max() ?? 0
    }
    return existing.indices
      .filter { existing[$0].manifest.language?.isEquivalent(to: language) ?? false }
      .map { ($0, nearness(existing[$0].manifest)) }
      .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
      .map(\.0)
  }
}

// MARK: - Targets

extension Placement {
  private func number(of target: Target) -> Int {
    switch target {
    case .existing(let index): index
    case .new(let index): existing.count + index
    }
  }

  private func target(_ number: Int) -> Target {
    number < existing.count ? .existing(number) : .new(number - existing.count)
  }

  /// Returns the path of a file in a pack; nil if the pack cannot contain it.
  private func path(of file: Int, in target: Target) -> [UInt8]? {
    let path = tree.path(ofFile: file)
    let found: [UInt8]?
    switch target {
    case .existing(let index):
      guard let own = existing[index].offset.path(of: path),
        PackPath.fault(inContents: own[...]) == nil, existing[index].exclusion(of: path) == nil
      else { return nil }
      found = paths.path(of: file, in: index)
    case .new(let index):
      if let language = proposal.packs[index].manifest.language, !unlocalized.contains(index) {
        found = paths.pathInEveryLanguage(of: file, language) ?? paths.proposedPath(of: file)
      } else {
        found = path
      }
    }
    return found.flatMap { PackPath.fault(inContents: $0[...]) == nil ? $0 : nil }
  }

  private mutating func accept(_ accepted: [Int: [UInt8]], _ target: Target) {
    guard !accepted.isEmpty else { return }
    for (file, path) in accepted {
      taken.add(path, of: number(of: target))
      members[target, default: [:]][file] = path
    }
  }

  private mutating func refuse(_ files: [Int], _ rival: Target?, _ language: LanguageTag?) {
    if !files.isEmpty { refused.append(Refused(files: files, rival: rival, language: language)) }
  }
}
