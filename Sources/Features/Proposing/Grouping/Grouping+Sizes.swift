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

  /// The size up to which files that are not for the first screen are in the core: a tenth of the
  /// limit.
  var small: UInt64 { options.essentialLimit / 10 }

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
        if groups[index].estimate < smallest { joinCore(index) }
      // The first screen shows text.
      case .text: if groups[index].estimate <= small { joinCore(index) }
      // All members of a set.
      case .sibling where groups[index].name.count == 1:
        if groups[index].estimate < smallest { joinCore(index) }
      case .core, .localized, .sibling, .tier, .platform: break
      }
    }
    joinFolders(below: smallest)
  }

  private mutating func joinCore(_ group: Int) {
    guard coreEstimate + groups[group].estimate <= options.essentialLimit else { return }
    let core = coreGroup()
    merge([group], into: core)
  }

  /// Joins the folders below a size.
  private mutating func joinFolders(below limit: UInt64) {
    let small = groups.indices.filter {
      groups[$0].kind == .folder && groups[$0].count > 0 && groups[$0].estimate < limit
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
    for index in groups.indices where groups[index].count > 0 && groups[index].estimate < limit {
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
  mutating func joinSiblings(of only: Int? = nil, below limit: UInt64) {
    let sets = Dictionary(
      grouping: groups.indices.filter { groups[$0].count > 0 }
    ) { index -> Int? in
      if case .sibling(let set) = groups[index].kind { set } else { nil }
    }
    for (set, members) in sets.sorted(by: { ($0.key ?? .min) < ($1.key ?? .min) })
    where set != nil && (only == nil || set == only) {
      var runs: [[Int]] = []
      var run: [Int] = []
      var bytes: UInt64 = 0
      for index in members {
        if groups[index].estimate >= limit {
          runs.append(run)
          (run, bytes) = ([], 0)
          continue
        }
        run.append(index)
        bytes += groups[index].estimate
        if bytes >= limit, run.count > 1 {
          runs.append(run)
          (run, bytes) = ([], 0)
        }
      }
      runs.append(run)
      join(runs.filter { $0.count > 1 }, of: set ?? 0)
    }
  }

  /// Joins the members of each run; the packs have the name of the folder of the set, and the
  /// numbers of the members.
  private mutating func join(_ runs: [[Int]], of set: Int) {
    for (number, run) in runs.enumerated() {
      let parts = run.flatMap { Self.numbers(in: groups[$0].name.last ?? "") }
      let range = parts.count >= run.count ? "\(parts[0])-\(parts[parts.count - 1])" : nil
      let count = run.reduce(0) { $0 + (memberCounts[$1] ?? 1) }
      memberCounts[run[0]] = count
      merge(run.dropFirst(), into: run[0])
      let name = setNames[set] ?? Array(groups[run[0]].name.dropLast())
      change(run[0]) { group in
        group.name = name + (range.map { [$0] } ?? (runs.count > 1 ? ["\(number + 1)"] : []))
        group.reason = Reason(GroupingRules.joined, "\(count) similar folders that are small")
      }
    }
  }

  /// Returns the number of a member, or those of a run; none for other names.
  private static func numbers(in part: String) -> [String] {
    let parts = part.split(separator: "-").map(String.init)
    return parts.count <= 2 && parts.allSatisfy { $0.allSatisfy(\.isNumber) } ? parts : []
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
