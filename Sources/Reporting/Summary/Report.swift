package import BAPackKit
package import SourceDiagnostics
import SystemIO

/// What is in packs and what they cost, computed once for every form in which it is shown.
package struct Report: Sendable {
  /// The packs.
  package let inventory: Inventory
  /// What is wrong with them, or worth a second look.
  package let findings: Ledger
  /// What changed since a release.
  package let comparison: Comparison?
  /// The releases that are known, the oldest first; the packs themselves come last.
  package let history: [HistoryPoint]
  /// All packs together.
  package let totals: Totals
  /// Files by what they are, the largest sum first.
  package let kinds: [KindSum]
  /// What each sort of device downloads.
  package let costs: [DeviceCost]
  /// What devices download whose systems know no localized packs, where there are such packs.
  package let olderSystemCosts: [DeviceCost]
  /// Files that are there more than once, what costs most first.
  package let duplicates: [Duplicate]
  /// Files that take as much in an archive as on a disk, by the ends of their names.
  package let uncompressed: [UncompressedFiles]
  /// What some languages lack.
  package let families: [LanguageFamily]
  /// The files that take most, the largest first.
  package let largest: [FilePlace]
  /// What would have made the update smaller.
  package let hints: [Verdict.Hint]

  /// How many of the largest files a report names.
  package static let mostLargest = 50

  /// Where a file is: the place of its pack, and its own in that.
  package struct FilePlace: Sendable, Hashable {
    package var pack: Int
    package var file: Int
  }

  /// A sum over all packs.
  package struct Totals: Sendable, Equatable {
    package var packs = 0
    package var files = 0
    /// The size of all files; nil where some are not known.
    package var unpacked: UInt64?
    /// The size of all archives; nil while one is not known.
    package var hosted: UInt64?
    /// The most that any device downloads before the app opens for the first time.
    package var firstLaunch = PackSize()
    /// The most that any device may have.
    package var device = PackSize()
    /// What copies of files cost.
    package var duplicates: UInt64 = 0
  }

  /// The files of one kind.
  package struct KindSum: Sendable, Equatable {
    package var kind: AssetKind
    package var files = 0
    package var size: UInt64 = 0
    /// Their bytes in archives; nil where those are not known.
    package var stored: UInt64?
  }

  /// Whether all archives are there, so that downloads can be told.
  package var knowsDownloads: Bool { totals.hosted != nil }

  /// What a sort of packs costs: their download where it is known, else their files.
  package func cost(_ size: PackSize) -> UInt64 { knowsDownloads ? size.download : size.unpacked }

  /// Sums up packs.
  package init(
    _ inventory: Inventory, findings: Ledger = Ledger(), comparison: Comparison? = nil,
    history: [HistoryPoint] = []
  ) {
    self.inventory = inventory
    self.findings = findings
    self.comparison = comparison
    self.history = history
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
    // A list that is kept short is faster than one of all files in order.
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
  /// The pack that a file is in.
  package func pack(of place: FilePlace) -> InventoryPack { inventory.packs[place.pack] }

  /// The path of a file, as the app sees it.
  package func path(of place: FilePlace) -> AssetPath {
    inventory.packs[place.pack].contents?[place.file] ?? AssetPath(unchecked: [])
  }

  /// The size of a file.
  package func size(of place: FilePlace) -> UInt64 {
    inventory.packs[place.pack].contents?.size(at: place.file) ?? 0
  }

  /// The bytes of the archive that a file takes; nil where they are not known.
  package func stored(of place: FilePlace) -> UInt64? {
    inventory.packs[place.pack].contents?.share(at: place.file)?.stored
  }
}

extension PackContents {
  /// What a file costs: its bytes in the archive where they are known, else its size.
  package func cost(at index: Int) -> UInt64 { share(at: index)?.stored ?? size(at: index) }
}

/// One release as the history shows it.
package struct HistoryPoint: Sendable, Equatable {
  /// How it is called: the name of its file or folder.
  package var name: String
  /// All archives together; nil where it is not known.
  package var hosted: UInt64?
  /// The most that any device downloads before the app opens for the first time.
  package var firstLaunch: UInt64?
  /// The most that any device downloads again to come here from the release before.
  package var update: UInt64?

  /// Describes a release.
  package init(name: String, hosted: UInt64?, firstLaunch: UInt64?, update: UInt64? = nil) {
    self.name = name
    self.hosted = hosted
    self.firstLaunch = firstLaunch
    self.update = update
  }

  /// A release as its packs are known; `update` says what came again.
  package init(_ inventory: Inventory, update: UInt64? = nil) {
    let size = DownloadPlan.largestSize(of: inventory.offered, at: .beforeLaunch)
    self.init(
      name: inventory.name, hosted: inventory.hostedSize,
      firstLaunch: inventory.hostedSize == nil ? nil : size.download, update: update)
  }
}
