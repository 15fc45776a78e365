package import BAPackKit
import SystemIO

/// What players download because of a new release, and what new players download.
///
/// A pack whose archive changed is downloaded again whole: nobody documents that devices download
/// only what differs.
package struct UpdateCosts: Sendable, Equatable {
  /// Players with one sort of device who speak one language.
  package struct Row: Sendable, Equatable {
    /// Their device.
    package var platform: Platform
    /// Their language among those of the packs; nil where no pack is for it.
    package var language: LanguageTag?
    /// What comes by itself with the update, for somebody who has every pack.
    package var update: UInt64
    /// What else changed for somebody who has every pack: packs that come on demand.
    package var updateOnDemand: UInt64
    /// The packs that are downloaded again, and those that come with the update for the first time.
    package var downloads: Set<PackID> = []
    /// What a new player downloads before the app opens, before and now.
    package var oldFirstLaunch: UInt64
    package var firstLaunch: UInt64
    /// What a new player downloads by the end of the installation, before and now.
    package var oldInstall: UInt64
    package var install: UInt64

    /// All that somebody downloads who has every pack.
    package var wholeUpdate: UInt64 { update.addingSaturated(updateOnDemand) }
  }

  /// One row for each language and each platform that has a pack on either side.
  package let rows: [Row]
  /// The size of all archives together; nil while one of them is not known.
  package let oldHosted: UInt64?
  package let hosted: UInt64?
  /// The size of all files together, as far as they are known.
  package let unpacked: UInt64?
  /// Whether the sizes and policies of all packs of the new side are known, without which rows say
  /// too little.
  package let isKnown: Bool
  /// The same of the old side.
  package let isOldKnown: Bool

  /// The most that anybody downloads again.
  package var largestUpdate: Row? { rows.max { $0.wholeUpdate < $1.wholeUpdate } }

  /// Adds up what devices download; `changed` are the packs whose archives are others.
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
          // What is there is kept up to date, even if it is for another language by now.
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

  /// The platforms that packs are offered on; all of them where there is no pack.
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

// MARK: - Rows that are alike

extension UpdateCosts {
  /// Players for whom a value is the same.
  package struct Group<Value: Hashable> {
    /// The value.
    package var value: Value
    /// Their rows; there is at least one.
    package var rows: [Row]
    /// The players in words, such as `iOS in de, fr`; nil for all.
    package var players: String?
  }

  /// The rows by a value, those with the largest update first.
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

  /// Some of the rows as text, without platforms or languages that all of them share.
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
      // Those whom no pack has the language of come last.
      let tags = part.languages.compactMap(\.self).map(\.description).sorted()
      let spoken =
        (tags + (part.languages.contains(nil) ? ["other languages"] : [])).joined(separator: ", ")
      if part.languages.count == languages.count { return devices }
      return part.platforms == platforms ? spoken : "\(devices) in \(spoken)"
    }.joined(separator: "; ")
  }
}

extension [Platform] {
  /// Each once, where it stands first.
  fileprivate var inOrder: [Platform] { Platform.allCases.filter(contains) }
}
