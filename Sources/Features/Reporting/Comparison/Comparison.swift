package import BAPackKit
package import SystemIO

/// The changes between two releases, with their costs and breaks.
package struct Comparison: Sendable {
  /// The old packs.
  package let old: Inventory
  /// The new packs.
  package let new: Inventory
  /// The changed packs: packs that are downloaded again first, in descending order of size.
  package let changes: [PackChange]
  package let unchanged: [PackID]
  /// The download sizes for each kind of device.
  package let costs: UpdateCosts

  /// The breaks of released apps: packs first, then paths, in the order of the changes.
  package var breaks: [Break] {
    changes.flatMap(\.breaks)
      + changes.flatMap { change in
        change.files.compactMap { file in
          file.breakage.map { breakage in
            var found = Break(breakage: breakage, pack: change.id, path: file.brokenPath)
            if case .renamed = file.kind { found.what = "now \(file.path.shown)" }
            if case .moved(let pack) = file.kind {
              found.pack = pack
              found.what = "now in \(change.id)"
              if breakage == .policyWeakened, let policy = change.new?.policy, policy != .onDemand {
                found.what?.append(", which devices may download only after an update of the app")
              }
            }
            return found
          }
        }
      }
  }

  /// Whether the releases are equal.
  package var isEmpty: Bool { changes.isEmpty }

  /// Compares two releases; reads contents if sizes are equal.
  package init(
    from before: Inventory, to now: Inventory, memory: UInt64 = PackReader.defaultMemory,
    threads: Int = ProcessState.processorCount, _ work: Work
  ) throws(PackError) {
    var (old, new) = (try before.identified(by: now), try now.identified(by: before))
    let pairs = try Self.pairs(old, new, threads: threads, work)
    var walks = pairs.map(PathWalk.init)
    let shared = LostPathSearch(of: walks, old, new)
    Self.addMoveCandidates(&walks)
    var comparedOld = shared.comparedOld
    var comparedNew = shared.comparedNew
    for walk in walks {
      comparedOld[walk.id, default: []].formUnion(walk.comparedOld)
      comparedNew[walk.id, default: []].formUnion(walk.comparedNew)
    }
    old = try old.withDigests(of: comparedOld, memory: memory, threads: threads, work)
    new = try new.withDigests(of: comparedNew, memory: memory, threads: threads, work)
    var changes: [PackChange] = []
    var unchanged: [PackID] = []
    for var walk in walks {
      walk.update(old[walk.id], new[walk.id])
      if let change = walk.change() { changes.append(change) } else { unchanged.append(walk.id) }
    }
    shared.settle(&changes, old, new)
    self.old = old
    self.new = new
    self.changes = changes.sorted(by: Self.precedes)
    self.unchanged = unchanged.sorted()
    costs = UpdateCosts(
      from: old, to: new, changed: Set(changes.filter(\.isDownloadedAgain).map(\.id)))
  }

  private static func precedes(_ left: PackChange, _ right: PackChange) -> Bool {
    let (first, second) = (left.weight, right.weight)
    return first != second ? first > second : left.id < right.id
  }

  // MARK: Equal archives

  private static func pairs(
    _ old: Inventory, _ new: Inventory, threads: Int, _ work: Work
  ) throws(PackError) -> [PackPair] {
    let ids = Set(old.packs.map(\.id)).union(new.packs.map(\.id)).sorted()
    return try ids.map { PackPair(id: $0, old: old[$0], new: new[$0]) }.inParallel(
      threads: threads, work
    ) { pair, _ throws(PackError) in
      var pair = pair
      pair.hasSameBytes = try pair.comparedBytes(work)
      return pair
    }
  }

  /// Marks removed and added files of the same size, which may be equal.
  private static func addMoveCandidates(_ walks: inout [PathWalk]) {
    var gone: Set<UInt64> = []
    var come: Set<UInt64> = []
    for walk in walks {
      gone.formUnion(walk.removedSizes)
      come.formUnion(walk.addedSizes)
    }
    let both = gone.intersection(come).subtracting([0])
    for index in walks.indices { walks[index].addComparedFiles(ofSizes: both) }
  }
}

extension Inventory {
  /// Returns the inventory with the digests of all files.
  package func withDigests(
    memory: UInt64, threads: Int, _ work: Work
  ) throws(PackError) -> Inventory {
    try withDigests(
      of: Dictionary(
        uniqueKeysWithValues: packs.map { ($0.id, Set(0..<($0.contents?.count ?? 0))) }),
      memory: memory, threads: threads, work)
  }

  /// Returns the inventory with the digests of some files of each pack.
  fileprivate func withDigests(
    of wanted: [PackID: Set<Int>], memory: UInt64, threads: Int, _ work: Work
  ) throws(PackError) -> Inventory {
    with(
      try packs.inParallel(threads: threads, work) { pack, threads throws(PackError) in
        var pack = pack
        try pack.addDigests(of: wanted[pack.id] ?? [], memory: memory, threads: threads, work)
        return pack
      })
  }
}

extension PackChange {
  /// The weight of a change in the order of changes: its download size, then its total size.
  var weight: UInt64 {
    max(new?.downloadSize ?? 0, old?.downloadSize ?? 0, files.first?.weight ?? 0)
  }
}

extension FileChange {
  /// The path that released apps request.
  var brokenPath: AssetPath { if case .renamed(let from) = kind { from } else { path } }
}
