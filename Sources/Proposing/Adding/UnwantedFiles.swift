import BAPackKit
import SystemIO

/// The entries that a manifest selects with a folder or a pattern, although a rule leaves them out.
struct UnwantedFiles {
  /// The exclusions to add to each manifest.
  private(set) var exclusions: [[FileSelector]] = []
  /// The entries that are in packs, in groups.
  private(set) var packed: [Packed] = []

  /// Entries that remain in a pack, for one reason.
  struct Packed {
    var manifest: Int
    var group: Int
    var entries: [Int]
    /// Whether an exclusion was impossible.
    var isForced: Bool
  }

  /// Rules about files that an app may read as data: the user decides.
  private static let undecided = [
    LeftOutRules.code.rule.id, LeftOutRules.documents.rule.id, LeftOutRules.platforms.id,
  ]

  init(
    _ proposal: Proposal, in tree: AssetTree, _ patterns: ExclusionPatterns,
    besides existing: [ExistingPack], _ folders: FolderPaths, _ work: Work
  ) throws(PackError) {
    for (index, pack) in existing.enumerated() {
      try work.checkCancellation()
      var unwanted: Set<Int> = []
      var open: [Int] = []
      for entry in pack.contents.entries {
        guard let group = patterns.group(of: entry), !patterns.isKept(entry) else { continue }
        let id = proposal.leftOut[group].reason.rule.id
        if Self.undecided.contains(id) || tree.files[entry].kind == .folderLink {
          open.append(entry)
        } else {
          unwanted.insert(entry)
        }
      }
      let stuck = Self.stuckEntries(of: pack, without: unwanted, in: tree, folders)
      unwanted.subtract(stuck)
      let spellings = stuck.filter { entry in
        patterns.group(of: entry).map { proposal.leftOut[$0].reason.rule.id }
          == LeftOutRules.secondSpelling.id
      }
      var forced = stuck.subtracting(spellings)
      // If a folder has only files of a second spelling, those of the first spelling are excluded.
      let twins = Self.twins(of: spellings, in: pack, tree)
      if Self.stuckEntries(of: pack, without: unwanted.union(twins), in: tree, folders).isEmpty {
        unwanted.formUnion(twins)
      } else {
        forced.formUnion(spellings)
      }
      var own = ExclusionList()
      for entry in unwanted.sorted() {
        let path = pack.offset.path(of: tree.path(ofFile: entry)) ?? []
        if own.excludes(path) { continue }
        let selector = patterns.exclusion(of: entry, at: pack.offset, in: pack) {
          unwanted.contains($0)
        }
        if let selector {
          own.append(selector)
        } else {
          forced.insert(entry)
        }
      }
      exclusions.append(own.selectors)
      add(open, of: index, isForced: false, patterns)
      add(forced.sorted(), of: index, isForced: true, patterns)
    }
  }

  private mutating func add(
    _ entries: [Int], of manifest: Int, isForced: Bool, _ patterns: ExclusionPatterns
  ) {
    for (group, entries) in Dictionary(grouping: entries, by: { patterns.group(of: $0) ?? -1 })
      .sorted(by: { $0.key < $1.key }) where group >= 0
    {
      packed.append(
        Packed(manifest: manifest, group: group, entries: entries, isForced: isForced))
    }
  }

  /// Returns the unwanted entries of selectors that select no other file: without them, these
  /// selectors would be errors.
  private static func stuckEntries(
    of pack: ExistingPack, without unwanted: Set<Int>, in tree: AssetTree, _ folders: FolderPaths
  ) -> Set<Int> {
    var stuck: Set<Int> = []
    if unwanted.isEmpty { return stuck }
    for selector in pack.manifest.fileSelectors {
      var reach = SourceReach([selector])
      var concerned: Set<Int> = []
      let entries = PackContents.ranges(of: [selector], pack.offset, in: tree, folders).lazy
        .flatMap { pack.contents.entries(in: $0) }
        .filter { entry in
          pack.offset.path(of: tree.path(ofFile: entry)).map { reach.selects($0) } ?? false
        }
      let isSomethingLeft = entries.contains { entry in
        if unwanted.contains(entry) { concerned.insert(entry) }
        return !unwanted.contains(entry)
      }
      if !isSomethingLeft { stuck.formUnion(concerned) }
    }
    return stuck
  }

  /// Returns the other files of a pack with the paths of some files.
  private static func twins(
    of files: Set<Int>, in pack: ExistingPack, _ tree: AssetTree
  ) -> Set<Int> {
    if files.isEmpty { return [] }
    func paths(of entry: Int) -> [[UInt8]] {
      pack.offset.path(of: tree.path(ofFile: entry))
        .map { pack.contents.destinations.paths(of: $0) } ?? []
    }
    let taken = Set(files.flatMap(paths))
    return Set(
      pack.contents.entries.filter { entry in
        !files.contains(entry) && paths(of: entry).contains(where: taken.contains)
      })
  }
}
