package import BAPackKit
import SystemIO

/// What devices of one sort download: at first, and to come from a former release to this one.
package struct DeviceCost: Sendable, Equatable {
  /// The platforms on which it is so.
  package var platforms: [Platform]
  /// The language; nil for every one that no pack is for.
  package var language: LanguageTag?
  /// Whether its systems know localized packs.
  package var knowsLocalizedPacks: Bool
  /// Before the app opens for the first time.
  package var beforeLaunch: PackSize
  /// From the installation on.
  package var inBackground: PackSize
  /// When the app asks.
  package var onRequest: PackSize
  /// What comes by itself with an update, for somebody who has every pack; nil without a former
  /// release.
  package var update: UInt64?
  /// What else changed for somebody who has every pack: packs that come on demand.
  package var updateOnRequest: UInt64?

  /// Everything together.
  package var offered: PackSize { beforeLaunch + inBackground + onRequest }

  /// All that somebody downloads again who has every pack; nil without a former release.
  package var wholeUpdate: UInt64? {
    update.map { $0.addingSaturated(updateOnRequest ?? 0) }
  }

  /// One row for each language and each platform that has packs; platforms of which all is the same
  /// share theirs.
  package static func all(for inventory: Inventory, _ comparison: Comparison?) -> [DeviceCost] {
    let packs = inventory.offered
    let languages = packs.compactMap(\.language).inOrder.map(Optional.some) + [nil]
    return grouped(
      platforms(of: packs, comparison).map { platform in
        languages.map { language in
          DeviceCost(of: packs, comparison, Device(platform: platform, language: language))
        }
      })
  }

  /// One row for each platform that has localized packs, on systems that know none.
  package static func onOlderSystems(
    for inventory: Inventory, _ comparison: Comparison?
  ) -> [DeviceCost] {
    let packs = inventory.offered
    let localized = packs.filter { $0.language != nil }
    return grouped(
      Platform.allCases.filter { platform in
        localized.contains { $0.isOffered(on: platform) }
      }.map { platform in
        [DeviceCost(of: packs, comparison, Device(platform: platform, knowsLocalizedPacks: false))]
      })
  }

  /// Devices of the same platforms for which the same values are shown.
  package struct Group {
    /// One of their rows.
    package var cost: DeviceCost
    /// Their languages; nil for every one that no pack is for.
    package var languages: [LanguageTag?]
    /// Whether these are several languages, and all that the platforms have.
    package var isEveryLanguage = false
  }

  /// The devices that a row is about, in all languages.
  private struct Devices: Hashable {
    private let platforms: [Platform]
    private let knowsLocalizedPacks: Bool

    init(of cost: DeviceCost) {
      platforms = cost.platforms
      knowsLocalizedPacks = cost.knowsLocalizedPacks
    }
  }

  /// What the rows of a group have in common.
  private struct GroupKey<Value: Hashable>: Hashable {
    var devices: Devices
    var value: Value
  }

  /// The rows of which the platforms, the systems and the shown values are equal, as one each.
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
        groups[place].languages.append(cost.language)
      } else {
        places[key] = groups.count
        groups.append(Group(cost: cost, languages: [cost.language]))
      }
    }
    for place in groups.indices {
      let devices = Devices(of: groups[place].cost)
      let count = groups[place].languages.count
      groups[place].isEveryLanguage = count > 1 && count == counts[devices]
    }
    return groups
  }

  private static func platforms(
    of packs: [OfferedPack], _ comparison: Comparison?
  ) -> [Platform] {
    UpdateCosts.platforms(of: packs + (comparison?.old.offered ?? []))
  }

  /// The rows of platforms, where platforms of which all is the same share theirs.
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

  private init(
    of packs: [OfferedPack], _ comparison: Comparison?, _ device: Device
  ) {
    let plan = DownloadPlan(of: packs, on: device)
    platforms = [device.platform]
    language = device.language
    knowsLocalizedPacks = device.knowsLocalizedPacks
    beforeLaunch = plan.beforeLaunch.size
    inBackground = plan.inBackground.size
    onRequest = plan.onRequest.size
    let row = comparison?.costs.rows.first {
      $0.platform == device.platform && $0.language.isEquivalent(to: device.language)
    }
    update = row?.update
    updateOnRequest = row?.updateOnDemand
  }

  private func isSame(as other: DeviceCost) -> Bool {
    var other = other
    other.platforms = platforms
    return self == other
  }

  /// The devices of an older system in words.
  package static let olderSystems =
    "before version \(Device.firstSystemWithLocalizedPacks) (iOS 26): no localized packs"

  /// The platforms in words.
  package var platformWords: String {
    platforms.count == Platform.allCases.count
      ? "All platforms" : platforms.map(\.rawValue).joined(separator: ", ")
  }
}
