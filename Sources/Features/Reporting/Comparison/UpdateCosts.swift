package import BAPackKit
import SystemIO

/// The download sizes of an update for existing app users, and of an installation for new ones.
///
/// A changed archive is downloaded completely, because partial downloads are undocumented.
package struct UpdateCosts: Sendable, Equatable {
  /// The downloads of devices of one platform that prefer one language.
  package struct Row: Sendable, Equatable {
    package var platform: Platform
    /// The preferred language, among those of the packs; nil if no pack has it.
    package var language: LanguageTag?
    /// The second language of the devices: the app's primary language, or a further preference.
    ///
    /// It applies in a release without a pack for `language`. Of all possible languages, this one
    /// causes the largest update; nil if no second language causes a larger update than none.
    package var fallback: LanguageTag?
    /// The languages of the packs that the device resolves in both releases.
    package var oldResolved: LanguageTag?
    package var resolved: LanguageTag?
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

    /// The languages of the device as a text: `de`, or `de (then en)`; nil for other languages.
    package var languageText: String? {
      language.map { language in "\(language)" + (fallback.map { " (then \($0))" } ?? "") }
    }
  }

  /// One row for each language and each platform that has a pack on either side.
  package let rows: [Row]
  /// One row for each of these platforms, on systems that do not support localized packs.
  let olderSystemRows: [Row]
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
    let languages = (before + now).compactMap(\.language).inOrder
    let platforms = Self.platforms(of: before + now)
    func rows(_ languages: [LanguageTag], _ isOffered: (OfferedPack) -> Bool) -> [Row] {
      platforms.flatMap { platform in
        // Before the first release no device has an app to update.
        PlatformUpdates(
          from: old.isMissing ? nil : before.filter(isOffered), to: now.filter(isOffered),
          changed: changed, on: platform
        ).rows(of: languages)
      }
    }
    self.rows = rows(languages) { _ in true }
    olderSystemRows = rows([]) { $0.language == nil }
  }

  /// Returns the platforms on which packs are offered; all platforms if there are no packs.
  package static func platforms(of packs: [OfferedPack]) -> [Platform] {
    let platforms = Platform.allCases.filter { platform in
      packs.contains { $0.isOffered(on: platform) }
    }
    return platforms.isEmpty ? Platform.allCases : platforms
  }
}

extension Comparison {
  /// Returns the costs if both releases had the changed files of a pack in a separate pack, which
  /// takes `size` bytes in the new release.
  func costs(separating size: UInt64, from id: PackID) -> UpdateCosts {
    let part = PackID(id.text + "/changed")
    func divided(_ release: Inventory) -> Inventory {
      release.with(
        release.packs.flatMap { pack -> [InventoryPack] in
          guard pack.id == id, let whole = pack.downloadSize else { return [pack] }
          var (rest, own) = (pack, pack)
          own.id = part
          own.downloadSize = min(size, whole)
          rest.downloadSize = whole - min(size, whole)
          return [rest, own]
        })
    }
    let changed = Set(changes.filter(\.isDownloadedAgain).map(\.id))
    return UpdateCosts(
      from: divided(old), to: divided(new), changed: changed.subtracting([id]).union([part]))
  }
}

// MARK: - Equal rows

extension UpdateCosts {
  /// Devices with the same value.
  package struct Group<Value: Hashable> {
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
    let count = rows.count { $0.platform == rows[0].platform }
    var parts: [(platforms: [Platform], languages: [String?])] = []
    for platform in platforms {
      let own = some.filter { $0.platform == platform }.map(\.languageText)
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
      let tags = part.languages.compactMap(\.self).sorted()
      let spoken =
        (tags + (part.languages.contains(nil) ? ["other languages"] : [])).joined(separator: ", ")
      if part.languages.count == count { return devices }
      return part.platforms == platforms ? spoken : "\(devices) in \(spoken)"
    }.joined(separator: "; ")
  }
}

extension [Platform] {
  /// The platforms without duplicates, in their standard order.
  fileprivate var inOrder: [Platform] { Platform.allCases.filter(contains) }
}
