import AssetHistory
import BAPackKit
import Reporting
import SystemIO

/// The sizes and changes of the files of packs in all updates of a history.
struct StoredHistory: Sendable {
  /// The files of one pack.
  struct Pack: Sendable {
    /// The paths below the source root of the pack.
    var paths: Range<Int>
    /// Whether the pack selects each path of the history.
    var isMember: [Bool]
    /// Whether exclusions of the pack match each path, or a folder of it.
    var isExcluded: [Bool]
    /// Whether the pack selects each path and gives it no other path, so that another pack can
    /// select the same file.
    var isMovable: [Bool]

    /// Creates a pack without files.
    init(paths: Range<Int>, of count: Int) {
      self.paths = paths
      isMember = Array(repeating: false, count: count)
      (isExcluded, isMovable) = (isMember, isMember)
    }
  }

  /// The paths in the source roots, one source root after the other.
  let paths: [[UInt8]]
  let packs: [Pack]
  /// Whether the source root has a file at each path now.
  let isPresent: [Bool]
  private let contents: ContentTable
  /// The estimate of the size of each path in an archive.
  private let estimates: [StoredSizes.Estimate]
  /// The updates that count: each leads to the release with this index.
  private(set) var updates: Range<Int>

  /// - Parameters:
  ///   - roots: The source roots; their histories have the paths of the present files, too.
  ///   - manifests: The packs.
  ///   - today: The packs as they are, for the sizes of files in archives.
  ///   - updates: The updates that count, by the indices of their releases.
  init(
    _ roots: [Plan.Root], _ manifests: [Manifest], measuredBy today: Inventory,
    updates: Range<Int>, _ work: Work
  ) throws(PackError) {
    let paths = roots.flatMap(\.history.paths)
    self.paths = paths
    self.updates = updates
    contents = ContentTable(roots.map(\.history))
    isPresent = roots.flatMap { root in root.history.paths.map(root.present.contains) }
    let sizes = StoredSizes(of: today)
    estimates = paths.map { sizes.estimate(ofFileAt: AssetPath(unchecked: $0[...])) }
    var packs = manifests.map { _ in Pack(paths: 0..<0, of: 0) }
    var start = 0
    for root in roots {
      let range = start..<start + root.history.paths.count
      start = range.upperBound
      for pack in root.packs {
        try work.checkCancellation()
        packs[pack] = Self.pack(manifests[pack], below: range, of: paths)
      }
    }
    self.packs = packs
  }

  private static func pack(
    _ manifest: Manifest, below range: Range<Int>, of paths: [[UInt8]]
  ) -> Pack {
    var pack = Pack(paths: range, of: paths.count)
    var reach = SourceReach(manifest.fileSelectors)
    let exclusions = manifest.fileSelectors.compactMap { selector in
      guard case .exclusion(let text) = selector else { return PathPattern?.none }
      return try? PathPattern(forExclusion: text)
    }
    for index in range {
      let path = paths[index]
      if reach.visit(path) {
        pack.isMember[index] = true
        pack.isMovable[index] = !reach.renames || reach.destinations(of: path) == [path]
      } else {
        pack.isExcluded[index] = exclusions.contains { $0.matchesPathOrFolder(path) }
      }
    }
    return pack
  }

  /// Returns the same history with other updates.
  func with(updates: Range<Int>) -> StoredHistory {
    var history = self
    history.updates = updates
    return history
  }

  /// Returns the sizes and changes of files in the updates.
  func changes(of files: [Int]) -> BorderSearch.Unit {
    var unit = BorderSearch.Unit(updates: updates.count)
    for file in files {
      contents.add(file, in: updates, to: &unit) { $0.map(estimates[file].stored) ?? 0 }
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
