import AssetArchive
import BAPackKit
import SystemIO

/// The entries that a manifest selects with a folder or a pattern, although a rule leaves them out.
///
/// Entries that a pack can contain remain in it: the user decides. With the others, the manifest
/// has errors, so they are excluded.
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

  init(
    _ proposal: Proposal, in tree: AssetTree, _ patterns: ExclusionPatterns,
    besides existing: [ExistingPack], _ folders: FolderPaths, _ work: Work
  ) throws(PackError) {
    for (index, pack) in existing.enumerated() {
      try work.checkCancellation()
      var unwanted: Set<Int> = []
      var open: [Int] = []
      let taken = Self.usedPaths(in: pack, patterns, tree)
      for entry in pack.contents.entries {
        guard let group = patterns.group(of: entry), !patterns.isNamed(entry) else { continue }
        let rule = proposal.leftOut[group].reason.rule.id
        let isImpossible = Self.paths(of: entry, in: pack, tree).allSatisfy { path in
          rule == LeftOutRules.names.id && PackPath.fault(inContents: path[...]) != nil
            || rule == LeftOutRules.secondSpelling.id && taken.contains(path)
        }
        if isImpossible {
          unwanted.insert(entry)
        } else {
          open.append(entry)
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

  private static func paths(of entry: Int, in pack: ExistingPack, _ tree: AssetTree) -> [[UInt8]] {
    pack.offset.path(of: tree.path(ofFile: entry))
      .map { pack.contents.reach.destinations(of: $0) } ?? []
  }

  /// Returns the paths in a pack of the files that no rule leaves out; none if no two files can
  /// have one path.
  private static func usedPaths(
    in pack: ExistingPack, _ patterns: ExclusionPatterns, _ tree: AssetTree
  ) -> Set<[UInt8]> {
    guard pack.contents.reach.renames else { return [] }
    return Set(
      pack.contents.entries.lazy.filter { patterns.group(of: $0) == nil }
        .flatMap { paths(of: $0, in: pack, tree) })
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
      let entries = SelectedEntries.ranges(of: [selector], pack.offset, in: tree, folders).lazy
        .flatMap { pack.contents.entries(in: $0) }
        .filter { entry in
          pack.offset.path(of: tree.path(ofFile: entry)).map { reach.visit($0) } ?? false
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
    let taken = Set(files.flatMap { paths(of: $0, in: pack, tree) })
    return Set(
      pack.contents.entries.filter { entry in
        !files.contains(entry) && paths(of: entry, in: pack, tree).contains(where: taken.contains)
      })
  }
}
