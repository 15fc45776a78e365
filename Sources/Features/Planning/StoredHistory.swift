import AssetHistory
import BAPackKit
import Reporting
import SystemIO

/// The sizes and changes of the files of packs in all updates of a history.
struct StoredHistory: Sendable {
  /// The files of one pack.
  struct Pack: Sendable {
    /// Whether the pack selects each path of the history.
    var isMember: [Bool]
    /// Whether exclusions of the pack match each path, or a folder of it.
    var isExcluded: [Bool]
    /// Whether the pack selects each path and gives it no other path, so that another pack can
    /// select the same file.
    var isMovable: [Bool]
  }

  let history: AssetHistory
  let packs: [Pack]
  /// Whether the source root has a file at each path now.
  let isPresent: [Bool]
  private let contents: ContentTable
  /// The estimate of the size of each path in an archive.
  private let estimates: [StoredSizes.Estimate]
  /// The updates that count: each leads to the release with this index.
  let updates: Range<Int>

  /// - Parameters:
  ///   - history: The files in all releases; it has the paths of `present`, too.
  ///   - manifests: The packs.
  ///   - present: The files in the source root now; nil for those of the last release.
  ///   - today: The packs as they are, for the sizes of files in archives.
  ///   - updates: The updates that count, by the indices of their releases.
  init(
    _ history: AssetHistory, _ manifests: [Manifest], present: Set<[UInt8]>? = nil,
    measuredBy today: Inventory, updates: Range<Int>, _ work: Work
  ) throws(PackError) {
    self.history = history
    self.updates = updates
    var isPresent = history.paths.map { present?.contains($0) ?? false }
    if present == nil {
      for file in history.releases.last?.files ?? [] { isPresent[Int(file.path)] = true }
    }
    self.isPresent = isPresent
    let sizes = StoredSizes(of: today)
    estimates = history.paths.map { sizes.estimate(ofFileAt: AssetPath(unchecked: $0[...])) }
    contents = ContentTable([history])
    packs = try manifests.map { (manifest) throws(PackError) in
      try work.checkCancellation()
      var reach = SourceReach(manifest.fileSelectors)
      let exclusions = manifest.fileSelectors.compactMap { selector in
        guard case .exclusion(let text) = selector else { return PathPattern?.none }
        return try? PathPattern(forExclusion: text)
      }
      let isMember = history.paths.map { reach.visit($0) }
      return Pack(
        isMember: isMember,
        isExcluded: history.paths.indices.map { index in
          !isMember[index] && exclusions.contains { $0.matchesPathOrFolder(history.paths[index]) }
        },
        isMovable: zip(history.paths, isMember).map { path, isMember in
          isMember && (!reach.renames || reach.destinations(of: path) == [path])
        })
    }
  }

  /// Returns the same history with other updates.
  func with(updates: Range<Int>) -> StoredHistory {
    StoredHistory(self, updates: updates)
  }

  private init(_ other: StoredHistory, updates: Range<Int>) {
    history = other.history
    packs = other.packs
    isPresent = other.isPresent
    contents = other.contents
    estimates = other.estimates
    self.updates = updates
  }

  /// Returns the sizes and changes of files in the updates.
  func changes(of files: [Int]) -> BorderSearch.Unit {
    var unit = BorderSearch.Unit(updates: updates.count)
    for file in files {
      contents.add(file, in: updates, to: &unit, stored: estimates[file].stored)
    }
    return unit
  }

  /// Returns the size of files in the last release.
  func size(of files: [Int]) -> UInt64 {
    files.reduce(0) { sum, file in
      let size = contents.size(of: file, in: contents.releases - 1)
      return sum.addingSaturated(size.map(estimates[file].stored) ?? 0)
    }
  }
}
