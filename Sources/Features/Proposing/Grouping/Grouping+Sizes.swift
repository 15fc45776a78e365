import BAPackKit
import SystemIO

/// The limits of packs: small groups are joined, large ones are split, and there are at most 200.
extension Grouping {
  /// The size above which a group is split: 4 GB, less one part in 50 for the headers of the
  /// archive.
  ///
  /// No maximum size of a pack is published.
  private static let largest: UInt64 = 4_000_000_000 / 50 * 49
  /// The maximum number of packs of an app.
  private static let mostPacks = DeliveryLimits.current.packs

  /// Joins small groups, splits large ones, and limits their number.
  mutating func fitSizes() {
    joinSmallGroups()
    joinSiblings(below: smallest)
    var limit = max(smallest, 1)
    while count > Self.mostPacks, limit < .max / 2 {
      limit *= 2
      joinSiblings(below: limit)
      joinFolders(below: limit)
      joinKinds(below: limit)
    }
    splitLargeGroups()
  }

  private var count: Int { groups.count { $0.count > 0 } }

  /// Joins small groups of folders with the core, or with each other if the core is full.
  private mutating func joinSmallGroups() {
    for index in groups.indices where groups[index].count > 0 {
      switch groups[index].kind {
      case .folder, .music, .videos, .model, .translation:
        if groups[index].bytes < smallest { joinCore(index) }
      // The first screen shows text.
      case .text: if groups[index].bytes < 10_000_000 { joinCore(index) }
      case .core, .localized, .sibling, .tier, .platform: break
      }
    }
    joinFolders(below: smallest)
  }

  private mutating func joinCore(_ group: Int) {
    guard coreBytes + groups[group].bytes <= options.essentialLimit else { return }
    let core = coreGroup()
    merge([group], into: core)
  }

  /// Joins the folders below a size.
  private mutating func joinFolders(below limit: UInt64) {
    let small = groups.indices.filter {
      groups[$0].kind == .folder && groups[$0].count > 0 && groups[$0].bytes < limit
    }
    guard let first = small.first, small.count > 1 else { return }
    merge(small.dropFirst(), into: first)
    change(first) { group in
      group.name = ["assets"]
      group.reason = Reason(GroupingRules.joined, "\(small.count) small folders")
    }
  }

  /// Joins models, the packs of a quality, and those of a platform, if they are below a size.
  private mutating func joinKinds(below limit: UInt64) {
    var first: [String: Int] = [:]
    for index in groups.indices where groups[index].count > 0 && groups[index].bytes < limit {
      let name: String
      switch groups[index].kind {
      case .model: name = "models"
      case .tier: name = "quality-\(groups[index].name.last ?? "")"
      case .platform: name = "platform-\(groups[index].name.last ?? "")"
      case .core, .localized, .translation, .text, .sibling, .music, .videos, .folder: continue
      }
      guard let other = first[name] else {
        first[name] = index
        continue
      }
      merge([index], into: other)
      change(other) { group in
        group.name = [name]
        group.reason = Reason(GroupingRules.joined, "small packs of the same kind")
      }
    }
  }

  /// Joins siblings that follow each other while they are below a size.
  private mutating func joinSiblings(below limit: UInt64) {
    let sets = Dictionary(
      grouping: groups.indices.filter { groups[$0].count > 0 }
    ) { index -> Int? in
      if case .sibling(let set) = groups[index].kind { set } else { nil }
    }
    for (set, members) in sets.sorted(by: { ($0.key ?? -1) < ($1.key ?? -1) }) where set != nil {
      var run: [Int] = []
      var bytes: UInt64 = 0
      for index in members {
        if groups[index].bytes >= limit {
          join(run)
          (run, bytes) = ([], 0)
          continue
        }
        run.append(index)
        bytes += groups[index].bytes
        if bytes >= limit, run.count > 1 {
          join(run)
          (run, bytes) = ([], 0)
        }
      }
      join(run)
    }
  }

  private mutating func join(_ run: [Int]) {
    guard let first = run.first, let last = run.last, run.count > 1 else { return }
    let firstPart = groups[first].name.last ?? ""
    let lastPart = (groups[last].name.last ?? "").split(separator: "…").last.map(String.init) ?? ""
    let start = firstPart.split(separator: "…").first.map(String.init) ?? firstPart
    merge(run.dropFirst(), into: first)
    change(first) { group in
      group.name = group.name.dropLast() + ["\(start)…\(lastPart)"]
      group.reason = Reason(
        GroupingRules.joined, "\(run.count) similar folders that are small")
    }
  }
}

// MARK: - Splitting

extension Grouping {
  /// Splits the groups of more than the maximum size along their folders.
  private mutating func splitLargeGroups() {
    for index in groups.indices where groups[index].bytes > Self.largest {
      var pieces: [[Int]] = [[]]
      var bytes: UInt64 = 0
      for unit in units(of: index, in: AssetTree.rootFolder) {
        let size = unit.reduce(0) { $0 + tree.files[$1].size }
        if bytes > 0, bytes + size > Self.largest {
          pieces.append([])
          bytes = 0
        }
        pieces[pieces.count - 1] += unit
        bytes += size
      }
      guard pieces.count > 1 else { continue }
      let whole = groups[index]
      for (number, files) in pieces.enumerated() {
        var piece = Group(
          whole.kind, named: whole.name + ["\(number + 1)"],
          Reason(GroupingRules.split, "part \(number + 1) of \(pieces.count) of more than 4 GB"))
        piece.platforms = whole.platforms
        let group = add(piece)
        for file in files { move(file, to: group) }
      }
    }
  }

  /// Returns the files of a group in units that are not divided: folders, and single files of
  /// folders that are too large.
  private func units(of group: Int, in folder: Int) -> [[Int]] {
    let files = tree.allFiles(of: folder).filter { self.group(of: $0) == group }
    guard !files.isEmpty else { return [] }
    let bytes = files.reduce(0) { $0 + tree.files[$1].size }
    if bytes <= Self.largest, folder != AssetTree.rootFolder { return [files] }
    let own = tree.ownFiles(of: folder).filter { self.group(of: $0) == group }
    return own.map { [$0] }
      + tree.subfolders(of: folder).flatMap { units(of: group, in: $0) }
  }
}
