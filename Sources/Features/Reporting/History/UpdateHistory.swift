package import BAPackKit
import SystemIO

/// The updates between consecutive releases: what devices downloaded, and how many of these bytes
/// had changed.
///
/// The downloads are those of ``Comparison``, so they are equal to those of `diff` and of simulated
/// devices. A file has changed if its path has other bytes than before, in any pack.
package struct UpdateHistory: Sendable {
  /// Downloaded bytes, and the bytes of changed files among them.
  package struct Bytes: Sendable, Equatable {
    package var downloaded: UInt64
    package var changed: UInt64

    package init(downloaded: UInt64 = 0, changed: UInt64 = 0) {
      self.downloaded = downloaded
      self.changed = changed
    }

    /// Downloaded bytes for each changed byte; nil if nothing changed.
    package var ratio: Double? {
      changed > 0 ? Double(downloaded) / Double(changed) : nil
    }

    mutating func add(_ other: Bytes) {
      downloaded = downloaded.addingSaturated(other.downloaded)
      changed = changed.addingSaturated(other.changed)
    }
  }

  /// A pack in one update.
  package struct PackUpdate: Sendable, Equatable {
    package var id: PackID
    package var bytes: Bytes
  }

  /// The update from one release to the next.
  package struct Update: Sendable, Equatable {
    package var old: String
    package var new: String
    /// The packs that devices download, in the order of their IDs.
    package var packs: [PackUpdate]
    /// The downloads of each kind of device.
    package var costs: UpdateCosts
  }

  /// A pack in all updates.
  package struct PackSum: Sendable, Equatable {
    package var id: PackID
    /// The number of releases with the pack, and of those in which it had changed.
    package var releases: Int
    package var changes: Int
    /// The size in the last release with the pack.
    package var size: UInt64
    package var bytes: Bytes
  }

  /// All updates of devices of the same kind, with all packs installed.
  package struct DeviceSum: Sendable, Equatable {
    package var platforms: [Platform]
    /// The preferred language; nil for languages that no pack has.
    package var language: LanguageTag?
    package var bytes: Bytes
  }

  /// The origin of the sizes of packs.
  package enum Sizes: String, Sendable, CaseIterable {
    /// The sizes of archives.
    case archives
    /// Estimates from the files of today's archives.
    case estimated
    /// Estimates from the kinds of files only.
    case kinds
  }

  package private(set) var updates: [Update] = []
  private var sums: [PackID: PackSum] = [:]
  package let sizes: Sizes
  /// The omissions of the history, one sentence each.
  package let notes: [String]

  package init(sizes: Sizes = .archives, notes: [String] = []) {
    self.sizes = sizes
    self.notes = notes
  }

  /// Adds the update to the next release.
  package mutating func append(_ comparison: Comparison) {
    if updates.isEmpty { Self.count(comparison.old, &sums) }
    Self.count(comparison.new, &sums)
    let update = Update(comparison)
    for pack in update.packs { sums[pack.id]?.bytes.add(pack.bytes) }
    for change in comparison.changes where change.isDownloadedAgain {
      sums[change.id]?.changes += 1
    }
    updates.append(update)
  }

  /// The packs, in descending order of downloaded bytes.
  package var packs: [PackSum] {
    sums.values.sorted { ($1.bytes.downloaded, $0.id) < ($0.bytes.downloaded, $1.id) }
  }

  private static func count(_ release: Inventory, _ sums: inout [PackID: PackSum]) {
    for pack in release.packs {
      var sum =
        sums[pack.id] ?? PackSum(id: pack.id, releases: 0, changes: 0, size: 0, bytes: Bytes())
      sum.releases += 1
      sum.size = pack.downloadSize ?? 0
      sums[pack.id] = sum
    }
  }

  /// Whether there are several updates, and all sizes are known.
  package var isKnown: Bool {
    updates.count > 1 && updates.allSatisfy { $0.costs.isKnown && $0.costs.isOldKnown }
  }

  /// The kind of device that downloaded the most.
  package var largest: DeviceSum? { devices.first }

  /// The kinds of devices, in descending order of downloaded bytes.
  package var devices: [DeviceSum] {
    let rows = updates.flatMap(\.costs.rows)
    let languages = [nil] + rows.compactMap(\.language).inOrder.map(Optional.some)
    var sums: [DeviceSum] = []
    for platform in Platform.allCases where rows.contains(where: { $0.platform == platform }) {
      for language in languages {
        let sum = DeviceSum(
          platforms: [platform], language: language,
          bytes: updates.reduce(into: Bytes()) { $0.add($1.bytes(on: platform, language)) })
        let same = sums.firstIndex {
          $0.language.isEquivalent(to: language) && $0.bytes == sum.bytes
        }
        if let same { sums[same].platforms.append(platform) } else { sums.append(sum) }
      }
    }
    return sums.enumerated().sorted { left, right in
      let (first, second) = (left.element.bytes.downloaded, right.element.bytes.downloaded)
      return first == second ? left.offset < right.offset : first > second
    }.map(\.element)
  }
}

extension UpdateHistory.Update {
  /// Creates the update that a comparison describes.
  package init(_ comparison: Comparison) {
    old = comparison.old.name
    new = comparison.new.name
    costs = comparison.costs
    let changes = Dictionary(comparison.changes.map { ($0.id, $0) }) { first, _ in first }
    let downloads = costs.rows.reduce(into: Set<PackID>()) { $0.formUnion($1.downloads) }
    packs = downloads.sorted().map { id in
      let size = comparison.new[id]?.downloadSize ?? 0
      // A device that downloads an unchanged pack had none of its files.
      let changed = changes[id].map { min($0.changedBytes, size) } ?? size
      return .init(id: id, bytes: .init(downloaded: size, changed: changed))
    }
  }

  /// Returns the bytes of devices of one kind with all packs.
  package func bytes(on platform: Platform, _ language: LanguageTag?) -> UpdateHistory.Bytes {
    let own = costs.rows.filter { $0.platform == platform }
    guard let row = own.first(where: { $0.language.isEquivalent(to: language) }) ?? own.first else {
      return UpdateHistory.Bytes()
    }
    return packs.reduce(into: UpdateHistory.Bytes()) { sum, pack in
      if row.downloads.contains(pack.id) { sum.add(pack.bytes) }
    }
  }
}

extension PackChange {
  /// The bytes of the archive that files with other bytes at their path take.
  fileprivate var changedBytes: UInt64 {
    files.reduce(0) { sum, file in
      switch file.kind {
      case .removed, .moved: sum
      case .added, .changed, .renamed, .unknown:
        sum.addingSaturated(file.stored ?? file.newSize ?? 0)
      }
    }
  }
}
