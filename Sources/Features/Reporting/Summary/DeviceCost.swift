package import BAPackKit
import SystemIO

/// The downloads of one kind of device: at the installation, and for an update from an earlier
/// release.
package struct DeviceCost: Sendable, Equatable {
  /// The platforms with these values.
  package var platforms: [Platform]
  /// The preferred language; nil for languages that no pack has.
  package var language: LanguageTag?
  /// The language that applies in the release without a pack for `language`: the one with the
  /// largest update.
  package var fallback: LanguageTag?
  /// Whether its systems support localized packs.
  package var knowsLocalizedPacks: Bool
  /// The downloads before the app opens for the first time.
  package var beforeLaunch: PackSize
  /// The downloads in the background, from the installation on.
  package var inBackground: PackSize
  /// The downloads on request of the app.
  package var onRequest: PackSize
  /// The automatic downloads of an update, on a device with all packs installed; nil without an
  /// earlier release.
  package var update: UInt64?
  /// The further changed packs on a device with all packs installed, which are on demand.
  package var updateOnRequest: UInt64?

  /// The total of all offered packs.
  package var offered: PackSize { beforeLaunch + inBackground + onRequest }

  /// The total update of a device with all packs installed; nil without an earlier release.
  package var wholeUpdate: UInt64? {
    update.map { $0.addingSaturated(updateOnRequest ?? 0) }
  }

  /// Returns one row for each language and platform that has packs in either release.
  ///
  /// Platforms with equal values share their rows.
  package static func all(for inventory: Inventory, _ comparison: Comparison?) -> [DeviceCost] {
    // Other languages are last.
    all(for: inventory, comparison, costs(inventory, comparison).rows) {
      $0.dropFirst() + $0.prefix(1)
    }
  }

  /// Returns one row for each platform with localized packs, on systems that do not support them.
  package static func onOlderSystems(
    for inventory: Inventory, _ comparison: Comparison?
  ) -> [DeviceCost] {
    let localized = inventory.offered.filter { $0.language != nil }
    let rows = costs(inventory, comparison).olderSystemRows.filter { row in
      localized.contains { $0.isOffered(on: row.platform) }
    }
    return all(for: inventory, comparison, rows) { $0 }.map { cost in
      var cost = cost
      cost.knowsLocalizedPacks = false
      return cost
    }
  }

  private static func costs(_ inventory: Inventory, _ comparison: Comparison?) -> UpdateCosts {
    comparison?.costs ?? UpdateCosts(from: .missing(""), to: inventory, changed: [])
  }

  private static func all(
    for inventory: Inventory, _ comparison: Comparison?, _ rows: [UpdateCosts.Row],
    inOrder: (ArraySlice<UpdateCosts.Row>) -> ArraySlice<UpdateCosts.Row>
  ) -> [DeviceCost] {
    let byPlatform = Dictionary(grouping: rows, by: \.platform)
    return grouped(
      Platform.allCases.compactMap { platform in
        byPlatform[platform].map { rows in
          let plans = LanguagePlans(
            of: inventory.offered.filter { $0.isOffered(on: platform) }, on: platform)
          return inOrder(rows[...]).map {
            DeviceCost($0, plans[$0.resolved], hasUpdate: comparison != nil)
          }
        }
      })
  }

  /// Devices of the same platforms for which the same values are shown.
  package struct Group {
    /// One of the rows.
    package var cost: DeviceCost
    /// Their languages; nil for languages that no pack has.
    package var languages: [String?]
    /// Whether these are several languages, and all languages of the platforms.
    package var isEveryLanguage = false
  }

  /// The devices of a row, in all languages.
  private struct Devices: Hashable {
    private let platforms: [Platform]
    private let knowsLocalizedPacks: Bool

    init(of cost: DeviceCost) {
      platforms = cost.platforms
      knowsLocalizedPacks = cost.knowsLocalizedPacks
    }
  }

  /// The common values of the rows of a group.
  private struct GroupKey<Value: Hashable>: Hashable {
    var devices: Devices
    var value: Value
  }

  /// Combines rows with equal platforms, systems and shown values.
  package static func groups<Value: Hashable>(
    of costs: [DeviceCost], by value: (DeviceCost) -> Value
  ) -> [Group] {
    var counts: [Devices: Int] = [:]
    var places: [GroupKey<Value>: Int] = [:]
    var groups: [Group] = []
    for cost in costs {
      let devices = Devices(of: cost)
      counts[devices, default: 0] += 1
      let key = GroupKey(devices: devices, value: value(cost))
      if let place = places[key] {
        groups[place].languages.append(cost.languageText)
      } else {
        places[key] = groups.count
        groups.append(Group(cost: cost, languages: [cost.languageText]))
      }
    }
    for place in groups.indices {
      let devices = Devices(of: groups[place].cost)
      let count = groups[place].languages.count
      groups[place].isEveryLanguage = count > 1 && count == counts[devices]
    }
    return groups
  }

  /// Returns the rows of platforms; platforms with equal values share their rows.
  private static func grouped(_ rows: [[DeviceCost]]) -> [DeviceCost] {
    var groups: [[DeviceCost]] = []
    for rows in rows {
      let index = groups.firstIndex { group in
        zip(group, rows).allSatisfy { $0.isSame(as: $1) }
      }
      guard let index else {
        groups.append(rows)
        continue
      }
      for row in rows.indices { groups[index][row].platforms += rows[row].platforms }
    }
    return groups.flatMap(\.self)
  }

  private init(_ row: UpdateCosts.Row, _ sizes: LanguagePlans.Sizes, hasUpdate: Bool) {
    platforms = [row.platform]
    language = row.language
    fallback = row.fallback
    knowsLocalizedPacks = true
    beforeLaunch = sizes.beforeLaunch
    inBackground = sizes.inBackground
    onRequest = sizes.onRequest
    update = hasUpdate ? row.update : nil
    updateOnRequest = hasUpdate ? row.updateOnDemand : nil
  }

  private func isSame(as other: DeviceCost) -> Bool {
    var other = other
    other.platforms = platforms
    return self == other
  }

  /// A description of devices with an older system.
  package static let olderSystems =
    "systems before version \(Device.firstSystemWithLocalizedPacks) (iOS 26): no localized packs"

  /// The languages of the devices as a text; nil for languages that no pack has.
  package var languageText: String? {
    language.map { language in "\(language)" + (fallback.map { " (then \($0))" } ?? "") }
  }

  /// A description of the platforms.
  package var platformText: String {
    platforms.count == Platform.allCases.count
      ? "All platforms" : platforms.map(\.rawValue).joined(separator: ", ")
  }
}
