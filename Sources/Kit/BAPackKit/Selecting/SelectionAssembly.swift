import AssetArchive
import SourceDiagnostics
import SystemIO

/// The combination of the files of all selectors into one ordered list.
///
/// If several selectors assign the same source to a destination, it counts once and belongs to the
/// first of them. Required folders are added. Conflicts are reported and omitted.
enum SelectionAssembly {
  static func assemble<Tree: SourceTree>(
    _ selection: inout Selection, from tree: Tree, _ places: ManifestLocations,
    _ findings: inout Ledger
  ) {
    sort(&selection)
    let buffer = selection.paths
    let paths = buffer.bytes
    var list = AssembledRecords(selection.records)
    selection.records = []
    // The last entry and its parent folders.
    var open: [Int] = []
    while let record = list.next() {
      let path = record.destination
      while let last = open.last, !paths.isAtOrBelow(list[last].destination, path) {
        open.removeLast()
      }
      if let last = open.last {
        let other = list[last]
        if other.destination.count == path.count {
          merge(record, into: other, paths, places, &findings)
          list.omit()
          continue
        }
        if other.kind == .file {
          findings.add(fileAndFolder(file: other, folder: record, paths, places))
          list.omit()
          continue
        }
      }
      let known = open.last.map { list[$0].destination.count } ?? 0
      for end in path.dropFirst(known + 1) where paths[end] == slash {
        guard let place = buffer.folder(around: record.place, upTo: end) else { continue }
        open.append(list.insert(folder(at: place, around: record, paths, tree)))
      }
      open.append(list.keep())
    }
    selection.records = list.finish()
  }

  /// Sorts the records; records with the same destination are in the order of their selectors.
  private static func sort(_ selection: inout Selection) {
    let paths = selection.paths.bytes
    let records = selection.records
    func compare(_ left: SelectionRecord, _ right: SelectionRecord) -> Int {
      let order = paths.compareDepthFirst(left.destination, right.destination)
      return order == 0 ? Int(left.selector) - Int(right.selector) : order
    }
    if zip(records, records.dropFirst()).allSatisfy({ compare($0, $1) <= 0 }) { return }
    let order = (0..<UInt32(records.count)).sorted { left, right in
      let order = compare(records[Int(left)], records[Int(right)])
      return order == 0 ? left < right : order < 0
    }
    selection.records = order.map { records[Int($0)] }
  }

  /// Returns a folder that no selector selected but that is required for its contents.
  private static func folder<Tree: SourceTree>(
    at place: PackPathBuffer.Place, around record: SelectionRecord, _ paths: [UInt8], _ tree: Tree
  ) -> SelectionRecord {
    var folder = SelectionRecord(folderAt: place)
    // If a file keeps its path, its parent folders also exist in the source.
    if record.hasSource, record.source == record.destination {
      let path = folder.destination
      let names = paths[path].split(separator: slash).map { FileName($0) }
      if case .folder(let found)? = try? tree.lookUp(names, from: tree.root),
        let status = try? tree.status(of: found)
      {
        folder.setSource(path, status)
      }
    }
    return folder
  }

  private static func merge(
    _ record: SelectionRecord, into first: SelectionRecord, _ paths: [UInt8],
    _ places: ManifestLocations, _ findings: inout Ledger
  ) {
    switch (first.kind, record.kind) {
    case (.directory, .directory): break
    case (.file, .file):
      if first.identity == record.identity { return }
      findings.add(
        NameRules.twoSources(
          shownBytes(paths[record.destination]), first: shownBytes(paths[first.source]),
          second: shownBytes(paths[record.source]),
          at: places.source(of: Int(record.selector)),
          other: places.source(of: Int(first.selector))))
    case (.file, .directory):
      findings.add(fileAndFolder(file: first, folder: record, paths, places))
    case (.directory, .file):
      findings.add(fileAndFolder(file: record, folder: first, paths, places))
    }
  }

  private static func fileAndFolder(
    file: SelectionRecord, folder: SelectionRecord, _ paths: [UInt8], _ places: ManifestLocations
  ) -> Finding {
    let (first, second) = (min(file.selector, folder.selector), max(file.selector, folder.selector))
    return NameRules.fileAndFolder(
      shownBytes(paths[file.destination]), file: shownBytes(paths[file.source]),
      below: shownBytes(paths[folder.hasSource ? folder.source : folder.destination]),
      at: places.destination(of: Int(second)),
      other: first == second ? nil : places.destination(of: Int(first)))
  }
}

/// The records of a selection while folders are inserted and conflicts are omitted.
///
/// Most selections need neither: their records are not copied, because there can be a million.
private struct AssembledRecords {
  private let chosen: [SelectionRecord]
  /// The place in `chosen` of the next record.
  private var place = 0
  /// The records before it; nil while these are the first ones of `chosen`.
  private var changed: [SelectionRecord]?

  init(_ chosen: consuming [SelectionRecord]) { self.chosen = chosen }

  subscript(index: Int) -> SelectionRecord { changed?[index] ?? chosen[index] }

  /// Returns the next record, which is then kept or omitted.
  func next() -> SelectionRecord? { place < chosen.count ? chosen[place] : nil }

  /// Keeps the next record; returns its new place.
  mutating func keep() -> Int {
    place += 1
    guard changed != nil else { return place - 1 }
    return append(chosen[place - 1])
  }

  mutating func omit() {
    copy()
    place += 1
  }

  /// Inserts a record before the next one; returns its place.
  mutating func insert(_ record: SelectionRecord) -> Int {
    copy()
    return append(record)
  }

  consuming func finish() -> [SelectionRecord] { changed ?? chosen }

  private mutating func append(_ record: SelectionRecord) -> Int {
    changed?.append(record)
    return (changed?.count ?? 0) - 1
  }

  private mutating func copy() {
    guard changed == nil else { return }
    changed = []
    changed?.reserveCapacity(chosen.count)
    changed?.append(contentsOf: chosen[..<place])
  }
}

extension [UInt8] {
  /// Compares two paths in these bytes in archive order: by components, so that the contents of a
  /// folder precede its next sibling.
  func compareDepthFirst(_ left: Range<Int>, _ right: Range<Int>) -> Int {
    let common = Swift.min(left.count, right.count)
    for offset in 0..<common {
      let (first, second) = (self[left.lowerBound + offset], self[right.lowerBound + offset])
      if first == second { continue }
      // The separator sorts before every character of a name.
      if first == slash { return -1 }
      if second == slash { return 1 }
      return Int(first) - Int(second)
    }
    return left.count - right.count
  }

  /// Whether one path in these bytes equals another, or is below it.
  fileprivate func isAtOrBelow(_ folder: Range<Int>, _ path: Range<Int>) -> Bool {
    guard path.count >= folder.count else { return false }
    if path.count > folder.count, self[path.lowerBound + folder.count] != slash { return false }
    // From the end, where siblings differ.
    for offset in (0..<folder.count).reversed()
    where self[folder.lowerBound + offset] != self[path.lowerBound + offset] {
      return false
    }
    return true
  }
}
