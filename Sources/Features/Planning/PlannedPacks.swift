import AssetHistory
package import BAPackKit
import Reporting
import SystemIO

/// The packs of a proposal: today's packs with other selectors, and new packs.
package struct PlannedPacks: Sendable {
  /// A pack of today, as the proposal changes it, or a new pack.
  package struct Pack: Sendable {
    package var manifest: Manifest
    /// The index of today's pack; nil for a new one.
    package var today: Int?
    /// The pack whose files it takes, for a new one.
    package var parent: Int?
    /// The selectors of today that go, by their indices, and those at the end.
    package var removed: [Int] = []
    package var added: [FileSelector] = []

    /// The pack of today with the same source root, policy, platforms and language.
    var source: Int { today ?? parent ?? 0 }

    package var isChanged: Bool { today == nil || !removed.isEmpty || !added.isEmpty }
  }

  package private(set) var packs: [Pack]

  /// A conflict that no selectors can express; the pack must stay as it is.
  struct Refused: Error {
    var pack: Int
  }

  /// Writes selectors for borders of units.
  ///
  /// - Parameters:
  ///   - borders: The number of the pack of each unit.
  ///   - takenIDs: The IDs that new packs must not have, in lowercase.
  init(
    _ units: [AssetUnit], _ borders: [Int], of manifests: [Manifest], in stored: StoredHistory,
    takenIDs: Set<String> = []
  ) throws(Refused) {
    let groups = Groups(units, borders, in: stored)
    let own = try groups.packsOfToday(among: manifests)
    packs = manifests.enumerated().map { Pack(manifest: $0.element, today: $0.offset) }
    var taken = takenIDs.union(manifests.map { $0.assetPackID.lowercased() })
    // The files that each pack of today gives away and takes.
    var lost: [[AssetUnit]] = manifests.map { _ in [] }
    var gained: [[AssetUnit]] = manifests.map { _ in [] }
    for (group, members) in groups.members.enumerated() {
      let pack = own[group]
      for unit in members where unit.pack != pack {
        lost[unit.pack].append(unit)
        if let pack { gained[pack].append(unit) }
      }
      guard pack == nil, let parent = groups.largestParent(of: group) else { continue }
      let id = Self.name(of: members, in: manifests[parent].assetPackID, stored, &taken)
      var manifest = manifests[parent]
      manifest.assetPackID = id
      manifest.userInfo = nil
      manifest.fileSelectors = Self.selectors(of: members, of: manifests, in: stored)
      packs.append(Pack(manifest: manifest, today: nil, parent: parent))
    }
    for pack in manifests.indices {
      try packs[pack].change(losing: lost[pack], gaining: gained[pack], manifests, in: stored)
    }
    try check(groups, own, in: stored)
  }

  /// Returns the selectors of units, with the exclusions of their packs that they need.
  fileprivate static func selectors(
    of units: [AssetUnit], of manifests: [Manifest], in stored: StoredHistory
  ) -> [FileSelector] {
    var selectors = units.compactMap(\.selector)
    let members = Set(units.flatMap(\.files))
    for pack in Set(units.map(\.pack)).sorted() {
      for selector in manifests[pack].fileSelectors {
        guard case .exclusion(let text) = selector, !selectors.contains(selector),
          let pattern = try? PathPattern(forExclusion: text)
        else { continue }
        var reach = SourceReach(selectors)
        let isNeeded = stored.packs[pack].paths.contains { index in
          let path = stored.paths[index]
          return reach.visit(path) && !members.contains(index) && pattern.matchesPathOrFolder(path)
        }
        if isNeeded { selectors.append(selector) }
      }
    }
    return selectors
  }

  /// Returns an ID: that of the pack whose files it takes, with the name of their folder or kind.
  private static func name(
    of units: [AssetUnit], in parent: String, _ stored: StoredHistory, _ taken: inout Set<String>
  ) -> String {
    let largest = units.max { stored.size(of: $0.files) < stored.size(of: $1.files) }
    let names = (largest?.selector?.source ?? "").split(separator: "/").map(String.init)
    let word = names.last { !$0.hasPrefix("*") } ?? names.last ?? "files"
    let end = word.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
      .joined(separator: "-")
    let base = parent.hasSuffix(end) || end.isEmpty ? parent + "-changing" : parent + "-" + end
    var id = base
    var number = 2
    while !taken.insert(id.lowercased()).inserted {
      id = "\(base)-\(number)"
      number += 1
    }
    return id
  }

  /// Checks that each file is in the intended pack, by the selectors alone.
  private func check(
    _ groups: Groups, _ own: [Int?], in stored: StoredHistory
  ) throws(Refused) {
    var intended = stored.packs.map(\.isMember)
    var new: [[Bool]] = []
    for (group, members) in groups.members.enumerated() {
      var files = [Bool](repeating: false, count: stored.paths.count)
      for unit in members {
        for file in unit.files { files[file] = true }
        if unit.pack != own[group] {
          for file in unit.files { intended[unit.pack][file] = false }
        }
      }
      guard let pack = own[group] else {
        new.append(files)
        continue
      }
      for file in files.indices where files[file] { intended[pack][file] = true }
    }
    for (index, files) in (intended + new).enumerated() where packs[index].isChanged {
      var reach = SourceReach(packs[index].manifest.fileSelectors)
      let pack = packs[index].source
      for file in stored.packs[pack].paths where reach.visit(stored.paths[file]) != files[file] {
        throw Refused(pack: pack)
      }
    }
  }
}

extension PlannedPacks.Pack {
  /// Changes the selectors so that files of units go or come.
  fileprivate mutating func change(
    losing lost: [AssetUnit], gaining gained: [AssetUnit], _ manifests: [Manifest],
    in stored: StoredHistory
  ) throws(PlannedPacks.Refused) {
    guard !lost.isEmpty || !gained.isEmpty, let today else { return }
    let range = stored.packs[today].paths
    let paths = stored.paths
    var gone = [Bool](repeating: false, count: paths.count)
    for unit in lost { for file in unit.files { gone[file] = true } }
    // A selector that selects only such files is removed.
    let old = manifest.fileSelectors
    for (index, selector) in old.enumerated() {
      if case .exclusion = selector { continue }
      var reach = SourceReach([selector])
      let isMember = stored.packs[today].isMember
      let found = range.filter { reach.visit(paths[$0]) && isMember[$0] }
      if !found.isEmpty && found.allSatisfy({ gone[$0] }) { removed.append(index) }
    }
    var kept = old.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
    for unit in lost {
      guard let exclusion = unit.selector?.asExclusion else {
        throw PlannedPacks.Refused(pack: today)
      }
      var reach = SourceReach(kept)
      if unit.files.contains(where: { reach.visit(paths[$0]) }) {
        added.append(exclusion)
        kept.append(exclusion)
      }
    }
    // An exclusion that matched files of removed selectors only would be unused.
    for (index, selector) in old.enumerated() {
      guard case .exclusion = selector else { continue }
      let own = paths[range]
      if Self.isUsed(selector, in: old, own) && !Self.isUsed(selector, in: kept, own) {
        removed.append(index)
        kept.removeAll { $0 == selector }
      }
    }
    let more = PlannedPacks.selectors(of: gained, of: manifests, in: stored)
    added += more
    manifest.fileSelectors = kept + more
    removed.sort()
  }

  /// Whether an exclusion makes a difference.
  private static func isUsed(
    _ exclusion: FileSelector, in selectors: [FileSelector], _ paths: ArraySlice<[UInt8]>
  ) -> Bool {
    var with = SourceReach(selectors)
    var without = SourceReach(selectors.filter { $0 != exclusion })
    return paths.contains { with.visit($0) != without.visit($0) }
  }
}

extension FileSelector {
  /// The path or pattern of a selector without a destination; nil for others.
  fileprivate var source: String? {
    switch self {
    case .file(let text), .directory(let text), .filePattern(let text): text
    case .renamedFile, .renamedDirectory, .exclusion: nil
    }
  }

  /// The exclusion of what a selector selects; nil if it has a destination.
  fileprivate var asExclusion: FileSelector? {
    let pattern: String
    switch self {
    case .file(let path), .directory(let path): pattern = SelectorText.escaped(path)
    case .filePattern(let text): pattern = text.hasSuffix("/**/*") ? String(text.dropLast(5)) : text
    case .renamedFile, .renamedDirectory, .exclusion: return nil
    }
    // Without a slash, it would match in each folder.
    return .exclusion(pattern.contains("/") ? pattern : "./" + pattern)
  }
}

/// The units of each pack of a proposal.
private struct Groups {
  let members: [[AssetUnit]]
  private let stored: StoredHistory

  init(_ units: [AssetUnit], _ borders: [Int], in stored: StoredHistory) {
    var places: [Int: Int] = [:]
    var members: [[AssetUnit]] = []
    for (unit, pack) in zip(units, borders) {
      let place = places[pack] ?? members.count
      if places[pack] == nil {
        places[pack] = place
        members.append([])
      }
      members[place].append(unit)
    }
    self.members = members
    self.stored = stored
  }

  /// Returns the pack of today that each group continues: the one with the most bytes in it.
  func packsOfToday(among manifests: [Manifest]) throws(PlannedPacks.Refused) -> [Int?] {
    var own: [Int?] = members.map { group in group.lazy.compactMap(\.borders.anchor).first }
    var rows: [(bytes: UInt64, pack: Int, group: Int)] = []
    for (group, units) in members.enumerated() {
      for unit in units {
        rows.append((stored.size(of: unit.files), unit.pack, group))
      }
    }
    var sums: [[Int]: UInt64] = [:]
    for row in rows { sums[[row.pack, row.group], default: 0] += row.bytes }
    var done = Set(own.compactMap(\.self))
    let order = sums.sorted {
      $0.value == $1.value ? $0.key.lexicographicallyPrecedes($1.key) : $0.value > $1.value
    }
    for (key, _) in order where own[key[1]] == nil && !done.contains(key[0]) {
      own[key[1]] = key[0]
      done.insert(key[0])
    }
    // Each pack must continue, because released apps may request it.
    for pack in Set(members.joined().map(\.pack)).subtracting(done).sorted() {
      var seen: Set<Int> = []
      guard give(pack, order.map(\.key), &own, &seen) else {
        throw PlannedPacks.Refused(pack: pack)
      }
    }
    return own
  }

  /// Gives a group to a pack without one; other packs may get another of their groups.
  private func give(
    _ pack: Int, _ pairs: [[Int]], _ own: inout [Int?], _ seen: inout Set<Int>
  ) -> Bool {
    for pair in pairs where pair[0] == pack && seen.insert(pair[1]).inserted {
      let group = pair[1]
      if members[group].contains(where: { $0.borders.anchor != nil }) { continue }
      guard let other = own[group] else {
        own[group] = pack
        return true
      }
      if give(other, pairs, &own, &seen) {
        own[group] = pack
        return true
      }
    }
    return false
  }

  /// Returns the pack of today with the most bytes in a group.
  func largestParent(of group: Int) -> Int? {
    var sums: [Int: UInt64] = [:]
    for unit in members[group] { sums[unit.pack, default: 0] += stored.size(of: unit.files) }
    return sums.max { $0.value == $1.value ? $0.key > $1.key : $0.value < $1.value }?.key
  }
}
