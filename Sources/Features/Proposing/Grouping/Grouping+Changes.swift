import AssetHistory
import BAPackKit
import SystemIO
import TerminalText

/// The division of packs by the history: files that change are apart from files that do not.
extension Grouping {
  /// The maximum number of packs if the history divides some.
  private static let mostDivided = 40

  /// Divides the groups whose parts change in different updates.
  mutating func divideByChanges() {
    guard let changes, changes.updates > 0 else { return }
    let divisible = groups.indices.filter(canBeDivided)
    var files: [Int: [Int]] = [:]
    for file in tree.files.indices {
      if let group = group(of: file) { files[group, default: []].append(file) }
    }
    var parts = ChangeParts(tree, estimates, changes)
    for group in divisible {
      parts.add(files[group, default: []])
    }
    let others = groups.count { $0.count > 0 } - divisible.count
    let found = parts.divided(upTo: max(divisible.count, Self.mostDivided - others))
    for (group, packs) in zip(divisible, found) where packs.count > 1 {
      divide(group, into: packs)
    }
  }

  /// Whether the parts of a group can be packs with the same policy: the app requests no pack of
  /// this kind by its ID.
  private func canBeDivided(_ group: Int) -> Bool {
    guard groups[group].count > 0 else { return false }
    return switch groups[group].kind {
    case .core, .folder, .music, .text: true
    // All members of a set.
    case .sibling: groups[group].name.count == 1
    case .localized, .translation, .tier, .model, .videos, .platform: false
    }
  }

  /// Moves all parts but the largest one to new groups.
  private mutating func divide(_ group: Int, into packs: [[ChangeParts.Part]]) {
    let whole = groups[group]
    let name = whole.name.joined(separator: "-")
    let sizes = packs.map { $0.reduce(0) { $0 + estimate(of: $1) } }
    let largest = sizes.indices.max { (sizes[$0], $1) < (sizes[$1], $0) }
    for (number, parts) in packs.enumerated() where number != largest {
      func rank(_ part: ChangeParts.Part) -> (Int, UInt64, Int) {
        (min(part.files.count, 2), estimate(of: part), -part.files[0])
      }
      let main = parts.max { rank($0) < rank($1) }
      var piece = Group(
        whole.kind, named: [name + "-" + (main?.name ?? "")],
        Reason(whole.reason.rule, "a part of '\(name)': " + Self.list(parts.map(\.place))))
      piece.platforms = whole.platforms
      let new = add(piece)
      for file in parts.flatMap(\.files) { move(file, to: new) }
    }
  }

  private func estimate(of part: ChangeParts.Part) -> UInt64 {
    part.files.reduce(0) { $0 + estimates[$1] }
  }

  private static func list(_ places: [String]) -> String {
    places.prefix(3).joined(separator: ", ")
      + (places.count > 3 ? " and \(places.count - 3) more" : "")
  }
}

// MARK: - Texts

extension Grouping {
  /// Whether the texts of all languages, as one pack, are more downloads than all changed files.
  var textsChangeMost: Bool {
    guard let changes, changes.updates > 0, texts.count > 1 else { return false }
    let together = BorderSearch([changes.unit(of: texts, estimates)], .init())
    let kept = tree.files.indices.filter(isKept)
    return together.lowerBound > changes.changedBytes(of: kept, estimates)
  }

  /// Whether each language has a pack for its texts.
  var hasSeparateTexts: Bool {
    groups.count { $0.count > 0 } <= Self.mostDivided
      && separateTexts.keys.contains { groups[$0].count > 0 && groups[$0].language != nil }
  }

  /// The notes for the user about the history and the packs of texts.
  var notesAboutChanges: [Reason] {
    guard let changes else { return [] }
    var notes = changes.notes.map { Reason(GroupingRules.history, $0) }
    if !separateTexts.isEmpty {
      notes.append(
        Reason(
          GroupingRules.history,
          "texts are most of the changes, so each language has a pack, and the app opens the same "
            + "paths in all languages; an app that chooses the language itself uses the parameter "
            + "'asLocalizedFor'"))
    }
    return notes
  }
}

extension ChangeTable {
  /// Returns how often files changed, as a reason.
  func reason(for files: some Sequence<Int>, in grouping: Grouping) -> Reason {
    let changes = unit(of: files, grouping.estimates).changes
    let count = changes.count { $0 }
    let all = Quantity.count(updates, word)
    return Reason(
      GroupingRules.history, count == 0 ? "unchanged in \(all)" : "changed in \(count) of \(all)")
  }
}

/// The parts of groups, which the history divides: folders, the kinds of files in a folder, and a
/// few large files.
struct ChangeParts {
  /// Files that stay together.
  struct Part {
    /// The end of an ID.
    var name: String
    /// The path or pattern, for display.
    var place: String
    var files: [Int]
    var unit: BorderSearch.Unit
    /// The downloads in all updates, in a separate pack, without and with changes by chance.
    var seen: UInt64
    var expected: UInt64
    /// Whether it is a folder; otherwise it is files of one kind, or one file.
    var isFolder: Bool
    var parts: [Part] = []
  }

  private let tree: AssetTree
  private let estimates: [UInt64]
  private let changes: ChangeTable
  private var conditions = BorderSearch.Conditions()
  /// Each group as one part.
  private var groups: [Part] = []
  /// The size from which a file can be a part.
  private let large: UInt64

  /// The changes by chance of the files of one kind in a folder, in thousandths.
  private static let chance: UInt64 = 1500
  /// The same for a single file.
  private static let chanceOfFile: UInt64 = 300
  /// The size from which a file can be a part; in a large project a thousandth of it.
  private static let smallestFile: UInt64 = 4_000
  /// The maximum number of files of a folder that are parts.
  private static let mostFiles = 5
  /// The maximum number of parts: the search takes less than a second.
  private static let mostParts = 250

  init(_ tree: AssetTree, _ estimates: [UInt64], _ changes: ChangeTable) {
    self.tree = tree
    self.estimates = estimates
    self.changes = changes
    conditions.frame = 500
    large = max(estimates.reduce(0, +) / 1000, Self.smallestFile)
  }

  /// Adds a group.
  mutating func add(_ files: [Int]) { groups.append(part(files[...], in: AssetTree.rootFolder)) }

  /// Returns the parts of each pack of each group.
  mutating func divided(upTo most: Int) -> [[[Part]]] {
    conditions.mostPacks = most
    // One more pack must save a small part of the downloads.
    conditions.penalty = max(groups.reduce(0) { $0 + $1.expected } / 1000 * 2, 1)
    var least = conditions.penalty / 4
    var units: [(group: Int, part: Part)] = []
    repeat {
      units = groups.enumerated().flatMap { group, whole in
        Self.flat(whole, saving: least).parts.map { (group, $0) }
      }
      least = least * 2 + 1
    } while units.count > Self.mostParts && least < .max / 4
    for index in units.indices { units[index].part.unit.kind = units[index].group }
    let found = BorderSearch(units.map(\.part.unit), conditions)
      .best(from: units.map(\.group), .unstoppable)
    return groups.indices.map { group in
      var order: [Int] = []
      var packs: [Int: [Part]] = [:]
      for (unit, pack) in zip(units, found) where unit.group == group {
        if packs[pack] == nil { order.append(pack) }
        packs[pack, default: []].append(unit.part)
      }
      return order.map { packs[$0] ?? [] }
    }
  }

  /// Returns the parts of a part, if a division saves a number of bytes.
  ///
  /// Large files are apart from others of their kind only for changes that were seen.
  private static func flat(
    _ whole: Part, saving least: UInt64
  ) -> (parts: [Part], seen: UInt64, expected: UInt64) {
    var flat: (parts: [Part], seen: UInt64, expected: UInt64) = ([], 0, 0)
    for part in whole.parts {
      let own = Self.flat(part, saving: least)
      flat.parts += own.parts
      flat.seen += own.seen
      flat.expected += own.expected
    }
    let saves =
      whole.isFolder
      ? whole.expected > flat.expected + least : whole.seen > flat.seen + least
    return saves && !whole.parts.isEmpty ? flat : ([whole], whole.seen, whole.expected)
  }

  // MARK: Parts of a folder

  /// Returns some files below a folder, in the order of the tree, as one part with its parts.
  private func part(_ files: ArraySlice<Int>, in folder: Int) -> Part {
    let own = files.prefix { tree.ownFiles(of: folder).contains($0) }
    var parts = kinds(of: own, in: folder)
    var rest = files.dropFirst(own.count)
    while let first = rest.first {
      var subfolder = Int(tree.files[first].folder)
      while Int(tree.folders[subfolder].parent) != folder {
        subfolder = Int(tree.folders[subfolder].parent)
      }
      let end = tree.allFiles(of: subfolder).upperBound
      let inner = rest.prefix { $0 < end }
      parts.append(part(inner, in: subfolder))
      rest = rest.dropFirst(inner.count)
    }
    if parts.count == 1 { return parts[0] }
    let path = tree.path(ofFolder: folder)
    return part(
      Array(files), name: String(decoding: tree.name(ofFolder: folder), as: UTF8.self),
      place: path.isEmpty ? "all files" : FilePath(path).shown, parts, isFolder: true)
  }

  /// Returns the files of each kind in a folder; a few large files are alone.
  private func kinds(of own: ArraySlice<Int>, in folder: Int) -> [Part] {
    var kinds: [ArraySlice<UInt8>: [Int]] = [:]
    var order: [ArraySlice<UInt8>] = []
    for file in own {
      let kind = fileExtension(of: tree.name(ofFile: file))
      if kinds[kind] == nil { order.append(kind) }
      kinds[kind, default: []].append(file)
    }
    let candidates = own.filter { file in
      estimates[file] >= large
        && kinds[fileExtension(of: tree.name(ofFile: file))]?.count ?? 0 > 1
    }.map { single($0) }
    let alone = candidates.filter { $0.seen > 0 }
      .sorted { ($1.seen, $0.files[0]) < ($0.seen, $1.files[0]) }.prefix(Self.mostFiles)
    let folderName = String(decoding: tree.name(ofFolder: folder), as: UTF8.self)
    let path = tree.path(ofFolder: folder)
    let start = path.isEmpty ? "" : FilePath(path).shown + "/"
    return order.map { kind in
      let files = kinds[kind, default: []]
      let suffix = String(decoding: kind, as: UTF8.self)
      let name = [folderName, suffix].filter { !$0.isEmpty }.joined(separator: "-")
      let place = start + (kind.isEmpty ? "*" : "*.\(suffix)")
      let apart = alone.filter { files.contains($0.files[0]) }
      let others = files.filter { file in !apart.contains { $0.files[0] == file } }
      let rest = others.isEmpty ? [] : [part(others, name: name, place: place)]
      return part(files, name: name, place: place, apart.isEmpty ? [] : rest + apart)
    }
  }

  private func single(_ file: Int) -> Part {
    part(
      [file], name: String(decoding: fileStem(of: tree.name(ofFile: file)), as: UTF8.self),
      place: FilePath(tree.path(ofFile: file)).shown, chance: Self.chanceOfFile)
  }

  private func part(
    _ files: [Int], name: String, place: String, _ parts: [Part] = [], isFolder: Bool = false,
    chance: UInt64 = Self.chance
  ) -> Part {
    var unit = changes.unit(of: files, estimates)
    let seen = BorderSearch([unit], conditions).cost(of: [0])
    unit.chance = isFolder ? parts.reduce(0) { $0 + $1.unit.chance } : chance
    return Part(
      name: name.lowercased(), place: place, files: files, unit: unit, seen: seen,
      expected: BorderSearch([unit], conditions).cost(of: [0]), isFolder: isFolder, parts: parts)
  }
}
