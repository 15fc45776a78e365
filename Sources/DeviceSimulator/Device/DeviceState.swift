package import BAPackKit
package import Faults
import SystemIO

/// A pack on a device.
package struct InstalledPack: Sendable, Equatable {
  /// What was downloaded.
  package var pack: ReleasedPack
  /// Whether the app asked for it by its ID.
  package var isAskedFor: Bool

  package init(_ pack: ReleasedPack, isAskedFor: Bool) {
    self.pack = pack
    self.isAskedFor = isAskedFor
  }

  /// How much room it takes: its files, or its archive where they are not known.
  package var size: UInt64 {
    pack.contents == nil && pack.offered.size.unpacked == 0
      ? pack.offered.size.download : pack.offered.size.unpacked
  }
}

/// A partly downloaded version of a pack.
package struct PartialDownload: Sendable, Hashable {
  let id: PackID
  let version: Int

  init(_ pack: ReleasedPack) { (id, version) = (pack.id, pack.version) }
}

/// All that a device knows and has, at one moment: a value.
package struct DeviceState: Sendable, Equatable {
  /// What it is.
  package var profile = DeviceProfile()
  /// The number of the release that the server has; nil before there is one.
  package var server: Int?
  /// What the device was told of the packs last; nil before it asked.
  package var manifest: Release?
  /// The packs that are there.
  package private(set) var installed: [PackID: InstalledPack] = [:]
  /// How much room the packs take.
  package private(set) var used: UInt64 = 0
  /// Whether the app is installed.
  package var hasApp = false
  /// The language that the app set; nil where it set none.
  package var chosenLanguage: LanguageTag?
  /// The packs whose downloads the extension refuses.
  package var refused: Set<PackID> = []
  /// The packs whose prefetch failed; the next check for updates prefetches them again.
  package internal(set) var missed: Set<PackID> = []
  /// Whether there is a network.
  package var isOnline = true
  /// The faults that are switched on.
  package var faults = FaultBoard()
  /// The received bytes of each failed download; the next download resumes there.
  package var partial: [PartialDownload: UInt64] = [:]
  /// How many milliseconds have passed.
  package var clock: UInt64 = 0
  /// When the app was opened last.
  package var lastLaunch: UInt64?
  /// When the system looked for updates last.
  package var lastPoll: UInt64 = 0

  /// A device without the app.
  package init() {}

  /// No clock goes further: whatever is added to a time then is still a number.
  static let lastMoment: UInt64 = 1 << 60

  /// Lets time pass.
  mutating func pass(_ time: UInt64) {
    clock = min(clock.addingSaturated(time), Self.lastMoment)
  }

  /// Puts a pack there, in the place of the one that had its ID.
  package mutating func put(_ pack: InstalledPack) {
    take(pack.pack.id)
    installed[pack.pack.id] = pack
    missed.remove(pack.pack.id)
    used = used.addingSaturated(pack.size)
  }

  /// Takes a pack away.
  @discardableResult
  package mutating func take(_ id: PackID) -> InstalledPack? {
    guard let pack = installed.removeValue(forKey: id) else { return nil }
    used -= min(used, pack.size)
    return pack
  }

  /// Notes that the app asked for a pack by its ID.
  mutating func noteRequest(of id: PackID) { installed[id]?.isAskedFor = true }

  /// The languages of the packs that are there.
  package var localLanguages: [LanguageTag] {
    installed.values.compactMap(\.pack.offered.language).inOrder
  }

  /// The IDs of the packs that are there, in order.
  package var installedIDs: [PackID] { installed.keys.sorted() }
}

/// What AssetPack.Status says of a pack, in the words of the option set.
package enum PackStatus: String, Sendable, CaseIterable {
  case downloadAvailable, updateAvailable, upToDate, outOfDate, obsolete, downloading, downloaded
}

extension DeviceState {
  /// The status of a pack relative to the manifest that the device read last.
  ///
  /// The status of an unknown pack is empty.
  package func status(of id: PackID) -> [PackStatus] {
    // Who knows of no manifest cannot compare.
    guard let manifest else { return installed[id] == nil ? [] : [.downloaded] }
    let offered = manifest[id, to: profile]
    guard let own = installed[id] else { return offered == nil ? [] : [.downloadAvailable] }
    guard let offered else { return [.obsolete, .downloaded] }
    return offered.version > own.pack.version
      ? [.updateAvailable, .outOfDate, .downloaded] : [.upToDate, .downloaded]
  }

  /// The language that counts on the device now.
  package var language: LanguageResolution {
    let languages = manifest?.offered(to: profile).languages ?? []
    if let chosenLanguage { return LanguageResolution(chosen: chosenLanguage, of: languages) }
    return LanguageResolution(
      of: languages, preferring: profile.languages, primary: profile.primaryLanguage)
  }
}
