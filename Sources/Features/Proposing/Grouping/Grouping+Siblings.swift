import BAPackKit
import SystemIO

/// Sets of similar folders, such as levels.
extension Grouping {
  /// A set of siblings: their folders, and the name of one of them.
  private struct Siblings {
    var folders: [Int]
    var parent: Int
    /// The start of the IDs: `level`.
    var stem: String
    /// The name of the set in messages: `Levels`.
    var name: String
    /// Whether one of them is the first.
    var isOrdered: Bool
  }

  /// Groups each of several similar folders; the first level becomes a part of the core.
  mutating func groupSiblings() {
    var folder = AssetTree.rootFolder
    var set = groupSiblingFiles()
    while folder < tree.folders.count {
      let isOpen = folder == AssetTree.rootFolder || hasUndecided(in: folder)
      guard isOpen, let siblings = siblings(in: folder), group(siblings, set: set) else {
        folder += 1
        continue
      }
      set += 1
      // Sets inside a sibling are a part of it.
      let inside = Set(siblings.folders.flatMap { [$0] + tree.allFolders(of: $0) })
      folder += 1
      while inside.contains(folder) { folder += 1 }
    }
  }

  private func siblings(in parent: Int) -> Siblings? {
    let name = lowerName(ofFolder: parent)
    let folders = tree.subfolders(of: parent).filter(hasUndecided)
    let isOrdered = SiblingNames.ordered.contains(name)
    if isOrdered || SiblingNames.unordered.contains(name) {
      let similar =
        isOrdered ? foldersOfOneKind(among: folders) : foldersOfOneStructure(among: folders)
      if similar.count >= 2 {
        return Siblings(
          folders: similar, parent: parent, stem: singular(name), name: shownName(ofFolder: parent),
          isOrdered: isOrdered)
      }
    }
    return numberedSiblings(among: folders, in: parent)
  }

  /// Returns folders with a common name and a number: `world-01`, `world-02`.
  private func numberedSiblings(among folders: [Int], in parent: Int) -> Siblings? {
    var numbered: [String: [Int]] = [:]
    for folder in folders {
      let name = lowerName(ofFolder: folder)
      let stem = name.prefix { !$0.isNumber }
      guard stem.count < name.count, name.dropFirst(stem.count).allSatisfy(\.isNumber) else {
        continue
      }
      numbered[String(stem), default: []].append(folder)
    }
    let best = numbered.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
    guard let (stem, members) = best else { return nil }
    let similar = foldersOfOneKind(among: members)
    guard similar.count >= 3 else { return nil }
    let word = stem.filter(\.isLetter)
    guard SiblingNames.areMembers(numbersAfter: word, in: lowerName(ofFolder: parent)) else {
      return nil
    }
    // A single letter, as in 'l01', is no name for packs.
    let isName = word.count > 1 || parent == AssetTree.rootFolder && !word.isEmpty
    return Siblings(
      folders: similar, parent: parent, stem: isName ? word : singular(lowerName(ofFolder: parent)),
      name: isName ? word : shownName(ofFolder: parent),
      isOrdered: word.isEmpty || SiblingNames.numbered.contains(word)
        || SiblingNames.ordered.contains(word + "s")
        || SiblingNames.ordered.contains(lowerName(ofFolder: parent)))
  }

  /// Returns the folders with a kind of file that most of them have.
  private func foldersOfOneKind(among folders: [Int]) -> [Int] {
    foldersInCommon(folders) { lowered(fileExtension(of: tree.name(ofFile: $0))) }
  }

  /// Returns the folders with a path that most of them have, such as `skin.json`.
  private func foldersOfOneStructure(among folders: [Int]) -> [Int] {
    guard let first = folders.first else { return [] }
    let start = tree.path(ofFolder: Int(tree.folders[first].parent)).split(separator: slash).count
    return foldersInCommon(folders) { file in
      stableHash(
        tree.path(ofFile: file).split(separator: slash).dropFirst(start + 1)
          .joined(separator: CollectionOfOne(slash)))
    }
  }

  private func foldersInCommon<Key: Hashable>(
    _ folders: [Int], by key: (Int) -> Key
  ) -> [Int] {
    let keys = folders.map { Set(tree.allFiles(of: $0).filter(isUndecided).map(key)) }
    var counts: [Key: Int] = [:]
    for key in keys.joined() { counts[key, default: 0] += 1 }
    let common = Set(counts.filter { $0.value * 2 > folders.count }.keys)
    return folders.indices.filter { !keys[$0].isDisjoint(with: common) }.map { folders[$0] }
  }

  private func singular(_ name: String) -> String {
    if name.hasSuffix("ies") { return name.dropLast(3) + "y" }
    return name.hasSuffix("s") ? String(name.dropLast()) : name
  }
}

// MARK: - Groups

extension Grouping {
  /// Groups large files in folders such as `Episodes`, with the files of the same stem; returns the
  /// number of sets.
  private mutating func groupSiblingFiles() -> Int {
    var set = 0
    for folder in tree.folders.indices {
      let name = lowerName(ofFolder: folder)
      let isOrdered = SiblingNames.ordered.contains(name)
      guard isOrdered || SiblingNames.unordered.contains(name) else { continue }
      let units = siblingFiles(in: folder)
      guard units.count >= 2 else { continue }
      let first = isOrdered ? firstLevel(among: units.map(\.name), in: folder) : nil
      setNames[set] = [name]
      for unit in units {
        let bytes = unit.files.reduce(0) { $0 + estimates[$1] }
        if let first, unit.name == first.name, coreEstimate + bytes <= options.essentialLimit {
          let name = shownPath(ofFolder: folder) + "/" + shownBytes(unit.name.utf8)
          assignFirst(unit.files, named: name, because: first.reason)
          continue
        }
        let stem = singular(name)
        let part = unit.name.hasPrefix(stem) ? String(unit.name.dropFirst(stem.count)) : unit.name
        let group = add(
          Group(
            .sibling(set: set), named: [stem, part],
            Reason(
              GroupingRules.siblings,
              "one of \(units.count) large files in '\(shownName(ofFolder: folder))'")))
        assign(unit.files, to: group)
      }
      set += 1
    }
    return set
  }

  /// Returns the undecided files of a folder by their stems, if these are large.
  private func siblingFiles(in folder: Int) -> [(name: String, files: [Int])] {
    var units: [String: [Int]] = [:]
    for file in tree.ownFiles(of: folder) where isUndecided(file) {
      let name = tree.name(ofFile: file)
      let kind = lowered(fileExtension(of: name))
      guard !MediaKinds.sounds.contains(kind), !MediaKinds.videos.contains(kind) else { continue }
      units[lowered(fileStem(of: name)), default: []].append(file)
    }
    return units.filter { unit in
      unit.value.reduce(0) { $0 + estimates[$1] } >= smallest
    }.map { ($0.key, $0.value) }.sorted { $0.files[0] < $1.files[0] }
  }

  /// Groups the siblings; returns false if they are too small, or if all are needed together.
  private mutating func group(_ siblings: Siblings, set: Int) -> Bool {
    let sizes = siblings.folders.map { undecidedEstimate(in: $0) }
    let sum = sizes.reduce(0, +)
    guard sum >= smallest, sum > 0 else { return false }
    setNames[set] = [longName(ofFolder: siblings.parent)]
    let first = siblings.isOrdered ? firstSibling(of: siblings.folders, in: siblings.parent) : nil
    let average = sum / UInt64(siblings.folders.count)
    // A menu shows all members of a set, such as skins. Small ones are in one group.
    let least = isExample ? min(smallest, total / 100) : (siblings.isOrdered ? 2 : 5) * smallest
    let areLarge = average >= least
    guard areLarge || siblings.isOrdered else { return false }
    // Small levels are one pack, or several ones with some levels each.
    let isDivided = areLarge || sum > 100 * smallest
    var whole: Int?
    for (folder, size) in zip(siblings.folders, sizes) {
      let files = tree.allFiles(of: folder)
      if let first, folder == first.folder, coreEstimate + size <= options.essentialLimit {
        assignFirst(files, named: shownPath(ofFolder: folder), because: first.reason)
      } else if isDivided {
        assign(files, to: addSibling(folder, of: siblings, set: set))
      } else {
        let group = whole ?? addAll(of: siblings, set: set)
        whole = group
        assign(files, to: group)
      }
    }
    if !areLarge, isDivided { joinSiblings(of: set, below: sum / 8) }
    return true
  }

  private mutating func addSibling(_ folder: Int, of siblings: Siblings, set: Int) -> Int {
    let name = lowerName(ofFolder: folder)
    let part = name.hasPrefix(siblings.stem) ? String(name.dropFirst(siblings.stem.count)) : name
    return add(
      Group(
        .sibling(set: set), named: [siblings.stem, part],
        Reason(
          GroupingRules.siblings,
          "one of \(siblings.folders.count) similar folders in '\(siblings.name)'")))
  }

  private mutating func addAll(of siblings: Siblings, set: Int) -> Int {
    add(
      Group(
        .sibling(set: set), named: setNames[set] ?? [],
        Reason(
          GroupingRules.joined,
          "\(siblings.folders.count) similar folders in '\(siblings.name)' that are small")))
  }

  /// A member of a set of siblings around a folder.
  struct Level {
    /// The folder of the set, and the start of the IDs and the different part.
    var set: Int
    var stem, part: String
    /// The names of the folders in the level, down to the folder.
    var inner: [String]
    var isFirst: Bool
    /// The reason for the choice of the first level.
    var reason = ""
  }

  /// Returns the level that contains a folder, or is it; nil if there is none.
  func level(around folder: Int) -> Level? {
    var member = folder
    var inner: [String] = []
    while member != AssetTree.rootFolder {
      if var level = level(ofMember: member) {
        level.inner = inner.reversed()
        return level
      }
      inner.append(lowerName(ofFolder: member))
      member = Int(tree.folders[member].parent)
    }
    return nil
  }

  private func level(ofMember folder: Int) -> Level? {
    let set = Int(tree.folders[folder].parent)
    let (setName, name) = (lowerName(ofFolder: set), lowerName(ofFolder: folder))
    var members = tree.subfolders(of: set).filter { tree.allFiles(of: $0).contains(where: isKept) }
    let isOrdered = SiblingNames.ordered.contains(setName)
    if isOrdered || SiblingNames.unordered.contains(setName), members.count >= 2 {
      let stem = singular(setName)
      let first = isOrdered ? firstSibling(of: members, in: set) : nil
      return Level(
        set: set, stem: stem,
        part: name.hasPrefix(stem) ? String(name.dropFirst(stem.count)) : name,
        inner: [], isFirst: first?.folder == folder, reason: first?.reason ?? "")
    }
    let start = name.prefix { !$0.isNumber }
    func isNumbered(_ other: String) -> Bool {
      other.hasPrefix(start) && other.count > start.count
        && other.dropFirst(start.count).allSatisfy(\.isNumber)
    }
    members = members.filter { isNumbered(lowerName(ofFolder: $0)) }
    let word = start.filter(\.isLetter)
    guard isNumbered(name), members.count >= 3,
      SiblingNames.areMembers(numbersAfter: word, in: setName), !(word + setName).isEmpty
    else { return nil }
    let first = firstSibling(of: members, in: set)
    return Level(
      set: set, stem: word.isEmpty ? singular(setName) : word,
      part: String(name.dropFirst(start.count)), inner: [], isFirst: first?.folder == folder,
      reason: first?.reason ?? "")
  }
}

// MARK: - The core

extension Grouping {
  /// Returns the group of the essential pack.
  mutating func coreGroup() -> Int {
    if let index = groups.firstIndex(where: { $0.kind == .core }) { return index }
    return add(Group(.core, named: ["core"], Reason(GroupingRules.core, "")))
  }

  /// Adds the files of a first level to the core, with the reason.
  mutating func assignFirst(
    _ files: some Sequence<Int>, named name: String, because reason: String
  ) {
    assign(files, to: coreGroup())
    firstLevels.append(
      Reason(GroupingRules.firstSibling, "'\(name)' is taken as the first level: \(reason)"))
  }

  /// The estimated size of the core after compression.
  var coreEstimate: UInt64 { groups.first { $0.kind == .core }?.estimate ?? 0 }

  /// Returns the parts of an ID that name a folder.
  func nameParts(of folder: Int) -> [String] {
    folder == AssetTree.rootFolder ? [] : [lowerName(ofFolder: folder)]
  }
}
