import AssetHistory
import BAPackKit
import Reporting
import SystemIO

/// The files of a pack that stay together, with the selector that selects exactly them.
struct AssetUnit: Sendable {
  /// The index of the pack that contains them today.
  var pack: Int
  /// The selector; nil if only today's pack can select them.
  var selector: FileSelector?
  /// The files, as indices in the paths of the history, in ascending order.
  var files: [Int]
  var borders: BorderSearch.Unit
}

/// Divides the files of a pack into units: folders, and the kinds of files in folders.
///
/// Folders whose parts change in the same updates are one unit. Of other folders, each subfolder
/// and each kind of file is one, if a division saves more than a pack costs.
struct AssetUnits {
  private let pack: Int
  private let kind: Int
  private let conditions: BorderSearch.Conditions
  private let stored: StoredHistory
  /// Whether the pack selects each path of the history, whether another pack could, and whether
  /// exclusions of the pack match it.
  private let isMember: [Bool]
  private let isMovable: [Bool]
  private let isExcluded: [Bool]
  private(set) var units: [AssetUnit] = []

  /// - Parameters:
  ///   - pack: The index of the pack.
  ///   - saving: The bytes that the division of a folder must save at least.
  init(
    of pack: Int, kind: Int, in stored: StoredHistory, _ conditions: BorderSearch.Conditions,
    saving least: UInt64
  ) {
    self.pack = pack
    self.kind = kind
    self.stored = stored
    self.conditions = conditions
    isMember = stored.packs[pack].isMember
    isMovable = stored.packs[pack].isMovable
    isExcluded = stored.packs[pack].isExcluded
    let all = divide(stored.packs[pack].paths, from: 0, saving: least)
    units = all.filter { $0.selector != nil }
    // All files without a selector of their own are one unit, which stays in its pack.
    let rest = all.filter { $0.selector == nil }.flatMap(\.files).sorted()
    if !rest.isEmpty {
      var unit = AssetUnit(
        pack: pack, selector: nil, files: rest, borders: borders(of: rest))
      unit.borders.anchor = pack
      units.append(unit)
    }
  }

  /// Divides the files below a folder whose path, with the slash, has `start` bytes.
  private func divide(_ range: Range<Int>, from start: Int, saving least: UInt64) -> [AssetUnit] {
    if range.isEmpty { return [] }
    var own: [[UInt8]: [Int]] = [:]
    var ownWithoutKind: [Int] = []
    var parts: [AssetUnit] = []
    var index = range.lowerBound
    while index < range.upperBound {
      let path = stored.paths[index]
      guard let end = path[start...].firstIndex(of: slash) else {
        if isMember[index] {
          if isMovable[index], let suffix = Self.suffix(of: path[start...]) {
            own[suffix, default: []].append(index)
          } else {
            ownWithoutKind.append(index)
          }
        }
        index += 1
        continue
      }
      let prefix = path[...end]
      var next = index + 1
      while next < range.upperBound, stored.paths[next].starts(with: prefix) { next += 1 }
      parts += divide(index..<next, from: end + 1, saving: least)
      index = next
    }
    let folder = stored.paths[range.lowerBound].prefix(start)
    for (suffix, files) in own.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      parts.append(unit(files, pattern(of: suffix, in: folder, range)))
    }
    if !ownWithoutKind.isEmpty { parts.append(unit(ownWithoutKind, nil)) }
    guard parts.count > 0, start > 0, let selector = selector(of: folder, range) else {
      return parts
    }
    // The folder as a whole, if its division saves less.
    let files = parts.flatMap(\.files).sorted()
    let whole = unit(files, selector)
    let divided = parts.reduce(0) { $0 + cost(of: $1.borders) }
    let together = cost(of: whole.borders)
    return together <= divided + least ? [whole] : parts
  }

  private func unit(_ files: [Int], _ selector: FileSelector?) -> AssetUnit {
    // A selector that selects no file is a finding.
    let exists = files.contains { stored.isPresent[$0] }
    return AssetUnit(
      pack: pack, selector: exists ? selector : nil, files: files, borders: borders(of: files))
  }

  private func borders(of files: [Int]) -> BorderSearch.Unit {
    var unit = stored.changes(of: files)
    unit.kind = kind
    return unit
  }

  private func cost(of unit: BorderSearch.Unit) -> UInt64 {
    BorderSearch([unit], conditions).cost(of: [0])
  }

  // MARK: Selectors

  /// Returns the suffix of a name with one that a pattern can select: `png` of `a.png`.
  private static func suffix(of name: ArraySlice<UInt8>) -> [UInt8]? {
    guard name.first != dot, let end = name.lastIndex(of: dot), end + 1 < name.endIndex else {
      return nil
    }
    return Array(name[(end + 1)...])
  }

  /// Returns the selector of a folder; nil if it would select other files.
  private func selector(of folder: ArraySlice<UInt8>, _ range: Range<Int>) -> FileSelector? {
    guard range.allSatisfy({ isMovable[$0] || isExcluded[$0] }),
      let text = String(validating: folder.dropLast(), as: UTF8.self)
    else { return nil }
    return SelectorText.hasWildcards(text)
      ? .filePattern(SelectorText.escaped(text) + "/**/*") : .directory(text)
  }

  /// Returns the pattern of a kind of files in a folder; nil if it would select other files.
  private func pattern(
    of suffix: [UInt8], in folder: ArraySlice<UInt8>, _ range: Range<Int>
  ) -> FileSelector? {
    let start = folder.count
    let isExact = range.allSatisfy { index in
      let name = stored.paths[index][start...]
      return name.contains(slash) || Self.suffix(of: name) != suffix || isMovable[index]
        || isExcluded[index]
    }
    guard isExact, let folder = String(validating: folder, as: UTF8.self),
      let suffix = String(validating: suffix, as: UTF8.self)
    else { return nil }
    return .filePattern(SelectorText.escaped(folder) + "*." + SelectorText.escaped(suffix))
  }
}
