package import BAPackKit
package import SourceDiagnostics
import SystemIO

/// The contents and costs of packs, computed once for all output formats.
package struct Report: Sendable {
  /// The packs.
  package let inventory: Inventory
  /// The findings about the packs.
  package let findings: Ledger
  /// The changes since a release.
  package let comparison: Comparison?
  /// The known releases, the oldest first; the current packs are last.
  package let history: [HistoryPoint]
  /// The updates between the releases of a history.
  package let updates: UpdateHistory?
  /// The totals of all packs.
  package let totals: Totals
  /// The files by kind, in descending order of size.
  package let kinds: [KindSum]
  /// The downloads of each kind of device.
  package let costs: [DeviceCost]
  /// The downloads of devices without support for localized packs, if there are such packs.
  package let olderSystemCosts: [DeviceCost]
  /// The files that exist more than once, in descending order of cost.
  package let duplicates: [Duplicate]
  /// The hardly compressed files, by file name extension.
  package let uncompressed: [UncompressedFiles]
  /// The files that some languages lack.
  package let families: [LanguageFamily]
  /// The files that take the most bytes, in descending order.
  package let largest: [FilePlace]
  /// The hints for a smaller update.
  package let hints: [Verdict.Hint]

  /// The number of the largest files that a report names.
  package static let mostLargest = 50

  /// The place of a file: the index of its pack, and its index in the pack.
  package struct FilePlace: Sendable, Hashable {
    package var pack: Int
    package var file: Int
  }

  /// The totals of all packs.
  package struct Totals: Sendable, Equatable {
    package var packs = 0
    package var files = 0
    /// The size of all files; nil if some sizes are unknown.
    package var unpacked: UInt64?
    /// The size of all archives; nil if one of them is unknown.
    package var hosted: UInt64?
    /// The maximum that any device downloads before the app opens for the first time.
    package var firstLaunch = PackSize()
    /// The maximum that any device may have.
    package var device = PackSize()
    /// The cost of duplicate files.
    package var duplicates: UInt64 = 0
  }

  /// The files of one kind.
  package struct KindSum: Sendable, Equatable {
    package var kind: AssetKind
    package var files = 0
    package var size: UInt64 = 0
    /// The bytes that the files take in archives; nil if unknown.
    package var stored: UInt64?
  }

  /// Whether all archives exist, so that download sizes are known.
  package var hasDownloadSizes: Bool { totals.hosted != nil }

  /// Returns the download size of packs if it is known, or else the size of their files.
  package func cost(_ size: PackSize) -> UInt64 { hasDownloadSizes ? size.download : size.unpacked }

  /// Computes the report of packs.
  package init(
    _ inventory: Inventory, findings: Ledger = Ledger(), comparison: Comparison? = nil,
    history: [HistoryPoint] = [], updates: UpdateHistory? = nil
  ) {
    self.inventory = inventory
    self.findings = findings
    self.comparison = comparison
    self.history = history
    self.updates = updates
    duplicates = Duplicate.all(in: inventory)
    uncompressed = UncompressedFiles.all(in: inventory)
    families = LanguageFamily.all(in: inventory)
    costs = DeviceCost.all(for: inventory, comparison)
    hints = comparison.map { Verdict($0, breaks: []).hints } ?? []
    olderSystemCosts = DeviceCost.onOlderSystems(for: inventory, comparison)
    kinds = Self.kinds(of: inventory)
    largest = Self.largest(in: inventory, atMost: Self.mostLargest)
    totals = Self.totals(of: inventory, costs, duplicates)
  }

  private static func totals(
    of inventory: Inventory, _ costs: [DeviceCost], _ duplicates: [Duplicate]
  ) -> Totals {
    var totals = Totals()
    totals.packs = inventory.packs.count
    totals.files = inventory.packs.reduce(0) { $0 + ($1.contents?.count ?? 0) }
    totals.unpacked = inventory.packs.reduce(0) { sum, pack in
      sum.flatMap { sum in pack.unpackedSize.map(sum.addingSaturated) }
    }
    totals.hosted = inventory.hostedSize
    totals.firstLaunch = costs.reduce(PackSize()) { $0.maximum($1.beforeLaunch) }
    totals.device = costs.reduce(PackSize()) { $0.maximum($1.offered) }
    totals.duplicates = duplicates.reduce(0) { $0.addingSaturated($1.cost) }
    return totals
  }

  private static func kinds(of inventory: Inventory) -> [KindSum] {
    var sums: [AssetKind: KindSum] = [:]
    for pack in inventory.packs {
      guard let contents = pack.contents else { continue }
      for file in 0..<contents.count {
        let kind = AssetKind(ofFileAt: contents[file])
        var sum = sums[kind] ?? KindSum(kind: kind)
        sum.files += 1
        sum.size = sum.size.addingSaturated(contents.size(at: file))
        if let share = contents.share(at: file) {
          sum.stored = (sum.stored ?? 0).addingSaturated(share.stored)
        }
        sums[kind] = sum
      }
    }
    return sums.values.sorted { ($1.size, $0.kind.rawValue) < ($0.size, $1.kind.rawValue) }
  }

  private static func largest(in inventory: Inventory, atMost count: Int) -> [FilePlace] {
    // A bounded list is faster than sorting all files.
    var kept: [(weight: UInt64, place: FilePlace)] = []
    for (pack, value) in inventory.packs.enumerated() {
      guard let contents = value.contents else { continue }
      for file in 0..<contents.count {
        let weight = contents.cost(at: file)
        if kept.count == count, let last = kept.last, weight <= last.weight { continue }
        let index = kept.firstIndex { $0.weight < weight } ?? kept.endIndex
        kept.insert((weight, FilePlace(pack: pack, file: file)), at: index)
        if kept.count > count { kept.removeLast() }
      }
    }
    return kept.map(\.place)
  }
}

extension Report {
  /// Returns the pack that contains a file.
  package func pack(of place: FilePlace) -> InventoryPack { inventory.packs[place.pack] }

  /// Returns the path of a file as the app uses it.
  package func path(of place: FilePlace) -> AssetPath {
    inventory.packs[place.pack].contents?[place.file] ?? AssetPath(unchecked: [])
  }

  package func size(of place: FilePlace) -> UInt64 {
    inventory.packs[place.pack].contents?.size(at: place.file) ?? 0
  }

  /// Returns the bytes of the archive that a file takes; nil if they are unknown.
  package func stored(of place: FilePlace) -> UInt64? {
    inventory.packs[place.pack].contents?.share(at: place.file)?.stored
  }
}

extension PackContents {
  /// Returns the bytes of the archive that a file takes if they are known, or else its size.
  package func cost(at index: Int) -> UInt64 { share(at: index)?.stored ?? size(at: index) }
}

/// A release in the history.
package struct HistoryPoint: Sendable, Equatable {
  /// The name of its file or folder.
  package var name: String
  /// The total size of all archives; nil if it is unknown.
  package var hosted: UInt64?
  /// The maximum that any device downloads before the app opens for the first time.
  package var firstLaunch: UInt64?
  /// The maximum that any device downloads again for an update from the previous release.
  package var update: UInt64?

  /// Creates a release.
  package init(name: String, hosted: UInt64?, firstLaunch: UInt64?, update: UInt64? = nil) {
    self.name = name
    self.hosted = hosted
    self.firstLaunch = firstLaunch
    self.update = update
  }

  /// Creates a release from its known packs; `update` is the size of the update.
  package init(_ inventory: Inventory, update: UInt64? = nil) {
    let size = DownloadPlan.largestSize(of: inventory.offered, at: .beforeLaunch)
    self.init(
      name: inventory.name, hosted: inventory.hostedSize,
      firstLaunch: inventory.hostedSize == nil ? nil : size.download, update: update)
  }
}
