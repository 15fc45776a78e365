package import AssetHistory
import BAPackKit
import SystemIO

/// The changes of the files of a tree in former releases.
package struct ChangeTable: Sendable {
  /// The end of an update: `release` or `commit`.
  let word: String
  let updates: Int
  /// The notes for the user about the history.
  let notes: [String]
  /// The content of each file in each release, as an index; -1 if it does not exist.
  ///
  /// A file that is in no release has no row.
  private var contents: [Int32] = []
  private var sizes: [UInt64] = []
  /// The number of the row of each file in ``contents``; -1 if it is in no release.
  private var rows: [Int32]

  package init(_ history: AssetHistory, areTags: Bool, of tree: AssetTree) {
    word = areTags ? "release" : "commit"
    updates = max(0, history.releases.count - 1)
    notes = history.notes
    sizes = history.contents.map(\.size)
    rows = Array(repeating: -1, count: tree.files.count)
    var files: [[UInt8]: Int] = [:]
    for file in tree.files.indices { files[tree.path(ofFile: file)] = file }
    var rowOfPath = [Int32](repeating: -1, count: history.paths.count)
    var count: Int32 = 0
    for (path, bytes) in history.paths.enumerated() {
      guard let file = files[bytes] else { continue }
      rowOfPath[path] = count
      rows[file] = count
      count += 1
    }
    let releases = history.releases.count
    contents = Array(repeating: -1, count: Int(count) * releases)
    for (release, state) in history.releases.enumerated() {
      for file in state.files where rowOfPath[Int(file.path)] >= 0 {
        contents[Int(rowOfPath[Int(file.path)]) * releases + release] = file.content
      }
    }
  }

  /// Creates a table without changes, with the reason.
  package init(without reason: String) {
    word = ""
    updates = 0
    notes = [reason]
    rows = []
  }

  /// The size from which a sum does not grow, so that no product of sizes overflows.
  private static let largest: UInt64 = 1 << 40

  /// Returns the sizes and changes of files in all updates; sizes of more than 1 TB are 1 TB.
  ///
  /// - Parameters:
  ///   - files: The files, by their indices in the tree.
  ///   - estimates: The estimated size of each file of the tree after compression.
  func unit(
    of files: some Sequence<Int>, in tree: AssetTree, _ estimates: [UInt64]
  ) -> BorderSearch.Unit {
    var unit = BorderSearch.Unit(
      sizes: Array(repeating: 0, count: updates), changes: Array(repeating: false, count: updates))
    for file in files {
      let (size, estimate) = (tree.files[file].size, estimates[file])
      guard rows[file] >= 0 else {
        for update in 0..<updates { Self.add(estimate, to: &unit.sizes[update]) }
        continue
      }
      let start = Int(rows[file]) * (updates + 1)
      for update in 0..<updates {
        let (old, new) = (contents[start + update], contents[start + update + 1])
        if old != new { unit.changes[update] = true }
        guard new >= 0 else { continue }
        let former = sizes[Int(new)]
        let share = size == 0 ? 1 : Double(estimate) / Double(size)
        Self.add(
          former == size ? estimate : UInt64(Double(min(former, Self.largest)) * share),
          to: &unit.sizes[update])
      }
    }
    return unit
  }

  private static func add(_ size: UInt64, to sum: inout UInt64) {
    sum = min(sum.addingSaturated(size), largest)
  }

  /// Returns the sum of the sizes of changed files in all updates.
  func changedBytes(
    of files: some Sequence<Int>, in tree: AssetTree, _ estimates: [UInt64]
  ) -> UInt64 {
    files.reduce(0) { sum, file in
      let unit = unit(of: CollectionOfOne(file), in: tree, estimates)
      return zip(unit.sizes, unit.changes).reduce(sum) { $1.1 ? $0.addingSaturated($1.0) : $0 }
    }
  }
}
