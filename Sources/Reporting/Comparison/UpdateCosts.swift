package import BAPackKit
import SystemIO

/// The download sizes of an update for existing app users, and of an installation for new ones.
///
/// A changed archive is downloaded completely, because partial downloads are undocumented.
package struct UpdateCosts: Sendable, Equatable {
  /// The downloads of devices of one platform with one language.
  package struct Row: Sendable, Equatable {
    /// The platform.
    package var platform: Platform
    /// The language, among those of the packs; nil if no pack has it.
    package var language: LanguageTag?
    /// The automatic downloads of the update, on a device with all packs installed.
    package var update: UInt64
    /// The further changed packs on a device with all packs installed, which are on demand.
    package var updateOnDemand: UInt64
    /// The packs that the update downloads again or for the first time.
    package var downloads: Set<PackID> = []
    /// The old and new downloads of an installation before the app opens.
    package var oldFirstLaunch: UInt64
    package var firstLaunch: UInt64
    /// The old and new downloads until the end of the installation.
    package var oldInstall: UInt64
    package var install: UInt64

    /// The total download of a device with all packs installed.
    package var wholeUpdate: UInt64 { update.addingSaturated(updateOnDemand) }
  }

  /// One row for each language and each platform that has a pack on either side.
  package let rows: [Row]
  /// The total size of the old archives; nil if one of them is unknown.
  package let oldHosted: UInt64?
  package let hosted: UInt64?
  /// The total size of all known files.
  package let unpacked: UInt64?
  /// Whether the sizes and policies of all new packs are known.
  ///
  /// Otherwise, rows are incomplete.
  package let isKnown: Bool
  /// Whether the sizes and policies of all old packs are known.
  package let isOldKnown: Bool

  /// The row with the largest update.
  package var largestUpdate: Row? { rows.max { $0.wholeUpdate < $1.wholeUpdate } }

  /// Computes the downloads of devices; `changed` contains the packs with changed archives.
  package init(from old: Inventory, to new: Inventory, changed: Set<PackID>) {
    oldHosted = old.hostedSize
    hosted = new.hostedSize
    unpacked = new.packs.reduce(0) { sum, pack in
      sum.flatMap { sum in pack.unpackedSize.map(sum.addingSaturated) }
    }
    isKnown = new.packs.allSatisfy { $0.policy != nil && $0.downloadSize != nil }
    isOldKnown = old.packs.allSatisfy { $0.policy != nil && $0.downloadSize != nil }
    let (before, now) = (old.offered, new.offered)
    let languages: [LanguageTag?] = [nil] + (before + now).compactMap(\.language).inOrder
    let had = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
    rows = Self.platforms(of: before + now).flatMap { platform in
      languages.map { language in
        func plan(_ packs: [OfferedPack]) -> DownloadPlan {
          DownloadPlan(of: packs, on: Device(platform: platform, language: language))
        }
        let (first, second) = (plan(before), plan(now))
        var row = Row(
          platform: platform, language: language, update: 0, updateOnDemand: 0,
          oldFirstLaunch: first.beforeLaunch.size.download,
          firstLaunch: second.beforeLaunch.size.download,
          oldInstall: (first.beforeLaunch.size + first.inBackground.size).download,
          install: (second.beforeLaunch.size + second.inBackground.size).download)
        // Before the first release no device has an app to update.
        if old.isMissing { return row }
        let device = Device(platform: platform, event: .subsequentUpdate, language: language)
        for pack in now where pack.isOffered(on: platform) {
          // Installed packs are updated, even if they are for a language that no longer applies.
          if had[pack.id]?.isOffered(to: device) ?? false {
            guard changed.contains(pack.id) else { continue }
            row.add(pack)
          } else if pack.isOffered(to: device),
            pack.policy.time(on: .subsequentUpdate) != .onRequest
          {
            row.add(pack)
          }
        }
        return row
      }
    }
  }

  /// Returns the platforms on which packs are offered; all platforms if there are no packs.
  static func platforms(of packs: [OfferedPack]) -> [Platform] {
    let platforms = Platform.allCases.filter { platform in
      packs.contains { $0.isOffered(on: platform) }
    }
    return platforms.isEmpty ? Platform.allCases : platforms
  }
}

extension UpdateCosts.Row {
  fileprivate mutating func add(_ pack: OfferedPack) {
    downloads.insert(pack.id)
    if pack.policy == .onDemand {
      updateOnDemand = updateOnDemand.addingSaturated(pack.size.download)
    } else {
      update = update.addingSaturated(pack.size.download)
    }
  }
}

// MARK: - Equal rows

extension UpdateCosts {
  /// Devices with the same value.
  package struct Group<Value: Hashable> {
    /// The value.
    package var value: Value
    /// Their rows; at least one.
    package var rows: [Row]
    /// A description of the devices, such as `iOS in de, fr`; nil for all devices.
    package var players: String?
  }

  /// Groups the rows by a value, in descending order of the update size.
  package func groups<Value: Hashable>(by value: (Row) -> Value) -> [Group<Value>] {
    var places: [Value: Int] = [:]
    var groups: [(value: Value, rows: [Row])] = []
    for row in rows {
      let value = value(row)
      if let place = places[value] {
        groups[place].rows.append(row)
      } else {
        places[value] = groups.count
        groups.append((value, [row]))
      }
    }
    let order = groups.indices.sorted {
      let (left, right) = (groups[$0].rows[0].wholeUpdate, groups[$1].rows[0].wholeUpdate)
      return left != right ? left > right : $0 < $1
    }
    return order.map { place in
      let group = groups[place]
      return Group(
        value: group.value, rows: group.rows,
        players: group.rows.count == rows.count ? nil : phrase(for: group.rows))
    }
  }

  /// Returns a description of some rows, without platforms or languages that all of them share.
  private func phrase(for some: [Row]) -> String {
    let platforms = rows.map(\.platform).inOrder
    let languages = rows.filter { $0.platform == rows[0].platform }.map(\.language)
    var parts: [(platforms: [Platform], languages: [LanguageTag?])] = []
    for platform in platforms {
      let own = some.filter { $0.platform == platform }.map(\.language)
      if own.isEmpty { continue }
      if let place = parts.firstIndex(where: { $0.languages == own }) {
        parts[place].platforms.append(platform)
      } else {
        parts.append(([platform], own))
      }
    }
    return parts.map { part in
      let devices = part.platforms.map(\.rawValue).joined(separator: ", ")
      // Languages without a pack are last.
      let tags = part.languages.compactMap(\.self).map(\.description).sorted()
      let spoken =
        (tags + (part.languages.contains(nil) ? ["other languages"] : [])).joined(separator: ", ")
      if part.languages.count == languages.count { return devices }
      return part.platforms == platforms ? spoken : "\(devices) in \(spoken)"
    }.joined(separator: "; ")
  }
}

extension [Platform] {
  /// The platforms without duplicates, in their standard order.
  fileprivate var inOrder: [Platform] { Platform.allCases.filter(contains) }
}
