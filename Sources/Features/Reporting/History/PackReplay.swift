package import AssetHistory
package import BAPackKit
package import SystemIO

/// Packs of today in former releases: what their selectors would have selected in each of them.
package struct PackReplay: Sendable {
  /// A pack: its manifest, and its files in all releases.
  private struct Pack {
    var template: InventoryPack
    var files: [File]
    var frame: UInt64
  }

  /// A file of a pack, in the order of the paths in the pack.
  private struct File {
    /// The path in the source root.
    var source: Int
    var path: AssetPath
    var estimate: StoredSizes.Estimate
  }

  fileprivate let history: AssetHistory
  private let packs: [Pack]
  /// The origin of the sizes.
  package let sizes: UpdateHistory.Sizes

  /// Selects the files of packs whose manifests have the same source root.
  ///
  /// - Parameters:
  ///   - history: The files below the source root.
  ///   - manifests: The manifests of the packs, with their paths.
  ///   - today: The packs as they are, for the sizes of files in archives.
  package init(
    _ history: AssetHistory, _ manifests: [(manifest: Manifest, place: String)],
    measuredBy today: Inventory, _ work: Work
  ) throws(PackError) {
    self.history = history
    let stored = StoredSizes(of: today)
    sizes = stored.areMeasured ? .estimated : .kinds
    packs = try manifests.map { (manifest, place) throws(PackError) in
      var reach = SourceReach(manifest.fileSelectors)
      var files: [File] = []
      for (index, path) in history.paths.enumerated() {
        if index.isMultiple(of: 4096) { try work.checkCancellation() }
        guard reach.visit(path) else { continue }
        for destination in reach.destinations(of: path) {
          let path = AssetPath(unchecked: destination)
          files.append(
            File(source: index, path: path, estimate: stored.estimate(ofFileAt: path)))
        }
      }
      if reach.renames { files.sort { $0.path < $1.path } }
      let template = InventoryPack(manifest, place: place, source: .none)
      return Pack(template: template, files: files, frame: stored.frame(of: template.id))
    }
  }

  /// The omissions, one sentence each.
  fileprivate var notes: [String] {
    history.notes
      + packs.filter(\.files.isEmpty).map { pack in
        "no release contains a file of the pack '\(pack.template.id)'"
      }
  }

  /// Returns the packs of a release; a pack without files is omitted.
  package func packs(in release: Int) -> [InventoryPack] {
    packs(with: contents(in: release), differingFrom: nil)
  }

  /// The content of each path in a release; -1 without a file.
  fileprivate func contents(in release: Int) -> [Int32] {
    var contents = [Int32](repeating: -1, count: history.paths.count)
    for file in history.releases[release].files { contents[Int(file.path)] = file.content }
    return contents
  }

  /// Returns the packs with these contents of paths; of the files, only those that differ from
  /// others are listed, but all are in the size.
  fileprivate func packs(
    with contents: [Int32], differingFrom others: [Int32]?
  ) -> [InventoryPack] {
    packs.compactMap { pack in
      var files = PackContents()
      var size = pack.frame
      var isEmpty = true
      // Most files need only a part of their values, which an index does not copy.
      for index in pack.files.indices {
        let source = pack.files[index].source
        let number = contents[source]
        guard number >= 0 else { continue }
        isEmpty = false
        let stored = pack.files[index].estimate.stored(history.contents[Int(number)].size)
        size = size.addingSaturated(stored)
        if let others, others[source] == number { continue }
        let content = history.contents[Int(number)]
        files.append(
          pack.files[index].path, size: content.size,
          share: .init(stored: stored, uncompressed: 0, shared: 0), digest: content.digest)
      }
      guard !isEmpty else { return nil }
      var inventory = pack.template
      inventory.contents = files
      inventory.downloadSize = size
      return inventory
    }
  }
}

extension UpdateHistory {
  /// Computes the updates of today's packs; there is one replay for each source root.
  ///
  /// They begin with the first release that contains a file of a pack.
  package init(
    replaying replays: [PackReplay], threads: Int = ProcessState.processorCount, _ work: Work
  ) throws(PackError) {
    // All source roots are in one repository.
    var notes: [String] = []
    for note in replays.flatMap(\.notes) where !notes.contains(note) { notes.append(note) }
    self.init(sizes: replays.first?.sizes ?? .kinds, notes: notes)
    var last: (name: String, contents: [[Int32]])?
    for (index, release) in (replays.first?.history.releases ?? []).enumerated() {
      let contents = replays.map { $0.contents(in: index) }
      // Packs differ in the same way without the files that are equal in both releases.
      func packs(_ own: [[Int32]], _ others: [[Int32]]) -> [InventoryPack] {
        replays.indices.flatMap { replays[$0].packs(with: own[$0], differingFrom: others[$0]) }
      }
      guard let former = last else {
        if !packs(contents, contents).isEmpty { last = (release.name, contents) }
        continue
      }
      append(
        try Comparison(
          from: Inventory(former.name, packs(former.contents, contents)),
          to: Inventory(release.name, packs(contents, former.contents)), threads: threads, work))
      last = (release.name, contents)
    }
  }
}
