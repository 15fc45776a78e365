package import BAPackKit
import SystemIO

/// What players download because of a new release, and what new players download.
///
/// A pack whose archive changed is downloaded again whole: nobody documents that devices download only
/// what differs.
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
    /// What a new player downloads before the app opens, before and now.
    package var oldFirstLaunch: UInt64
    package var firstLaunch: UInt64
    /// What a new player downloads by the end of the installation, before and now.
    package var oldInstall: UInt64
    package var install: UInt64

    /// All that somebody downloads who has every pack.
    package var wholeUpdate: UInt64 { update.addingSaturated(updateOnDemand) }
  }

  /// One row for each platform and language.
  package let rows: [Row]
  /// The size of all archives together; nil while one of them is not known.
  package let oldHosted: UInt64?
  package let hosted: UInt64?
  /// The size of all files together, as far as they are known.
  package let unpacked: UInt64?
  /// Whether the sizes and policies of all packs of the new side are known, without which rows say too
  /// little.
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
    rows = Platform.allCases.flatMap { platform in
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
        let device = Device(platform: platform, event: .subsequentUpdate, language: language)
        for pack in now where pack.isOffered(on: platform) {
          // What is there is kept up to date, even if it is for another language by now.
          if had[pack.id]?.isOffered(to: device) ?? false {
            guard changed.contains(pack.id) else { continue }
            if pack.policy == .onDemand {
              row.updateOnDemand = row.updateOnDemand.addingSaturated(pack.size.download)
            } else {
              row.update = row.update.addingSaturated(pack.size.download)
            }
          } else if pack.isOffered(to: device),
            pack.policy.time(on: .subsequentUpdate) != .onRequest
          {
            row.update = row.update.addingSaturated(pack.size.download)
          }
        }
        return row
      }
    }
  }
}
