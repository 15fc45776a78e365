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
  private let contents: ContentTable
  /// The row of each file in ``contents``; -1 if it is in no release.
  private var rows: [Int]

  package init(_ history: AssetHistory, areTags: Bool, of tree: AssetTree) {
    word = areTags ? "release" : "commit"
    updates = max(0, history.releases.count - 1)
    notes = history.notes
    contents = ContentTable([history])
    rows = Array(repeating: -1, count: tree.files.count)
    var files: [[UInt8]: Int] = [:]
    for file in tree.files.indices { files[tree.path(ofFile: file)] = file }
    for (row, path) in history.paths.enumerated() {
      if let file = files[path] { rows[file] = row }
    }
  }

  /// Creates a table without changes, with the reason.
  package init(without reason: String) {
    word = ""
    updates = 0
    notes = [reason]
    contents = ContentTable([])
    rows = []
  }

  /// Returns the sizes and changes of files in all updates.
  ///
  /// The sizes are those of today, also before a file existed: later updates download this size.
  ///
  /// - Parameters:
  ///   - files: The files, by their indices in the tree.
  ///   - estimates: The estimated size of each file of the tree after compression.
  func unit(
    of files: some Sequence<Int>, _ estimates: [UInt64]
  ) -> BorderSearch.Unit {
    var unit = BorderSearch.Unit(updates: updates)
    for file in files {
      let estimate = estimates[file]
      if rows[file] >= 0 {
        contents.add(rows[file], in: 1..<(updates + 1), to: &unit) { _ in estimate }
      } else {
        for update in 0..<updates { unit.add(estimate, after: update) }
      }
    }
    return unit
  }

  /// Returns the sum of the sizes of changed files in all updates.
  func changedBytes(
    of files: some Sequence<Int>, _ estimates: [UInt64]
  ) -> UInt64 {
    files.reduce(0) { sum, file in
      let unit = unit(of: CollectionOfOne(file), estimates)
      return zip(unit.sizes, unit.changes).reduce(sum) { $1.1 ? $0.addingSaturated($1.0) : $0 }
    }
  }
}
