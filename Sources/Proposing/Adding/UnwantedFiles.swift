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
      var own = ExclusionList()
      var forced: [Int] = []
      if Self.isSomethingLeft(pack, without: unwanted, in: tree, folders) {
        for entry in unwanted.sorted() {
          let path = pack.offset.path(of: tree.path(ofFile: entry)) ?? []
          if own.excludes(path) { continue }
          let selector = patterns.exclusion(of: entry, at: pack.offset, in: pack) {
            unwanted.contains($0)
          }
          if let selector {
            own.append(selector)
          } else {
            forced.append(entry)
          }
        }
      } else {
        forced = unwanted.sorted()
      }
      exclusions.append(own.selectors)
      add(open, of: index, isForced: false, patterns)
      add(forced, of: index, isForced: true, patterns)
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

  /// Returns whether each selector that selects one of some entries also selects another file.
  private static func isSomethingLeft(
    _ pack: ExistingPack, without unwanted: Set<Int>, in tree: AssetTree, _ folders: FolderPaths
  ) -> Bool {
    if unwanted.isEmpty { return true }
    return pack.manifest.fileSelectors.allSatisfy { selector in
      var reach = SourceReach([selector])
      var isConcerned = false
      for range in PackContents.ranges(of: [selector], pack.offset, in: tree, folders) {
        for entry in pack.contents.entries(in: range) {
          guard let path = pack.offset.path(of: tree.path(ofFile: entry)),
            reach.selects(path)
          else { continue }
          guard unwanted.contains(entry) else { return true }
          isConcerned = true
        }
      }
      return !isConcerned
    }
  }
}
