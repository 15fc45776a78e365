import SystemIO

/// The contents of files in all releases of histories: a row for each path.
///
/// A content takes four bytes for each path and release.
package struct ContentTable: Sendable {
  /// The number of releases.
  package let releases: Int
  /// The content of each path in each release, as an index in `sizes`; -1 if it does not exist.
  private var contents: [Int32] = []
  private var sizes: [UInt64] = []

  /// Creates a table with the paths of histories that have the same releases, in their order.
  package init(_ histories: [AssetHistory]) {
    releases = histories.first?.releases.count ?? 0
    for history in histories {
      let (first, start) = (Int32(sizes.count), contents.count)
      sizes += history.contents.map(\.size)
      contents += Array(repeating: -1, count: history.paths.count * releases)
      for (release, state) in history.releases.enumerated() {
        for file in state.files {
          contents[start + Int(file.path) * releases + release] = first + file.content
        }
      }
    }
  }

  /// Returns the size of a file in a release; nil if it does not exist.
  package func size(of row: Int, in release: Int) -> UInt64? {
    let content = contents[row * releases + release]
    return content < 0 ? nil : sizes[Int(content)]
  }

  /// Adds a file to a unit: its sizes and its changes in updates.
  ///
  /// - Parameters:
  ///   - updates: The updates of the unit, by the indices of the releases to which they lead.
  ///   - stored: Returns the size in an archive of contents with a size; nil is a missing file.
  package func add(
    _ row: Int, in updates: Range<Int>, to unit: inout BorderSearch.Unit,
    stored: (UInt64?) -> UInt64
  ) {
    let start = row * releases
    for (update, release) in updates.enumerated() {
      let (old, new) = (contents[start + release - 1], contents[start + release])
      if old != new { unit.changes[update] = true }
      unit.add(stored(new < 0 ? nil : sizes[Int(new)]), after: update)
    }
  }
}

extension BorderSearch.Unit {
  /// The size from which a unit does not grow, so that no product of sizes overflows.
  package static let largestSize: UInt64 = 1 << 40

  /// Creates a unit without files.
  package init(updates: Int) {
    self.init(
      sizes: Array(repeating: 0, count: updates), changes: Array(repeating: false, count: updates))
  }

  /// Adds the size of a file after an update; a unit of more than 1 TB has 1 TB.
  package mutating func add(_ size: UInt64, after update: Int) {
    sizes[update] = min(sizes[update].addingSaturated(size), Self.largestSize)
  }
}
