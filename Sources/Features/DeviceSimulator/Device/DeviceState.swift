package import BAPackKit
package import Faults
import SystemIO

/// A pack on a device.
package struct InstalledPack: Sendable, Equatable {
  /// The downloaded pack.
  package var pack: ReleasedPack
  /// Whether the app requested it by its ID.
  package var isRequested: Bool

  package init(_ pack: ReleasedPack, isRequested: Bool) {
    self.pack = pack
    self.isRequested = isRequested
  }

  /// The space that it takes: the size of its files, or of its archive if they are unknown.
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

/// The state of a device at one moment.
package struct DeviceState: Sendable, Equatable {
  /// The properties of the device.
  package var profile = DeviceProfile()
  /// The live versions of packs in each channel of the server.
  package var live: [Channel: LiveRelease] = [:]
  /// The manifest that the device read last; nil before the first request.
  package var manifest: Release?
  /// The packs on the device.
  package private(set) var installed: [PackID: InstalledPack] = [:]
  /// The space that the packs take, in bytes.
  package private(set) var used: UInt64 = 0
  /// Whether the app is installed.
  package var hasApp = false
  /// The language that the app set; nil if it set none.
  package var chosenLanguage: LanguageTag?
  /// The packs whose downloads the extension rejects.
  package var refused: Set<PackID> = []
  /// The packs whose prefetch failed; the next check for updates prefetches them again.
  package internal(set) var missed: Set<PackID> = []
  /// The packs whose next download the app cancels.
  package var cancelling: Set<PackID> = []
  /// The packs of which a download was cancelled.
  package var cancelled: Set<PackID> = []
  /// The automatic downloads that the settings of the user do not allow.
  package var disallowed: Set<AutomaticDownloads> = []
  /// The status updates of each pack since the app was opened, or since the last step `status`.
  package internal(set) var updates: [PackID: [StatusUpdate]] = [:]
  /// Whether the device is online.
  package var isOnline = true
  /// The active faults.
  package var faults = FaultBoard<DownloadEffect>()
  /// The received bytes of each failed download; the next download resumes there.
  package var partial: [PartialDownload: UInt64] = [:]
  /// The time since the start, in milliseconds.
  package var clock: UInt64 = 0
  /// The time at which the app was opened last.
  package var lastLaunch: UInt64?
  /// The time of the last check for updates by the system.
  package var lastPoll: UInt64 = 0

  /// Creates a device without the app.
  package init() {}

  /// The release that the device is offered, by its number; nil before the first one.
  package var server: Int? { live[profile.channel]?.release }

  /// Whether the server offers packs to the device.
  var isOffered: Bool { live[profile.channel].map { $0 != LiveRelease() } ?? false }

  /// Publishes a release in one channel, or in all.
  package mutating func publish(_ release: Int, in channel: Channel? = nil) {
    for channel in channel.map({ [$0] }) ?? Channel.allCases {
      live[channel] = LiveRelease(release: release)
    }
  }

  /// Removes the app with its packs and its settings.
  mutating func removeApp() {
    installed = [:]
    used = 0
    (hasApp, manifest, chosenLanguage, lastLaunch) = (false, nil, nil, nil)
    (missed, cancelling, cancelled, updates) = ([], [], [], [:])
    partial = [:]
  }

  /// The latest time of a clock; it prevents an overflow when a duration is added.
  static let lastMoment: UInt64 = 1 << 60

  /// Advances the clock.
  mutating func pass(_ time: UInt64) {
    clock = min(clock.addingSaturated(time), Self.lastMoment)
  }

  /// Installs a pack, and replaces the pack with the same ID.
  package mutating func put(_ pack: InstalledPack) {
    remove(pack.pack.id)
    installed[pack.pack.id] = pack
    missed.remove(pack.pack.id)
    used = used.addingSaturated(pack.size)
  }

  /// Removes a pack.
  @discardableResult
  package mutating func remove(_ id: PackID) -> InstalledPack? {
    guard let pack = installed.removeValue(forKey: id) else { return nil }
    used -= min(used, pack.size)
    return pack
  }

  /// Records that the app requested a pack by its ID.
  mutating func noteRequest(of id: PackID) { installed[id]?.isRequested = true }

  /// The languages of the installed packs.
  package var localLanguages: [LanguageTag] {
    installed.values.compactMap(\.pack.offered.language).inOrder
  }

  /// The last manifest, with the files of the packs on the device.
  package var knownRelease: Release {
    let packs = (manifest?.packs ?? []).map { pack in
      var pack = pack
      if pack.contents == nil { pack.contents = installed[pack.id]?.pack.contents }
      return pack
    }
    return Release(manifest?.name ?? "", packs)
  }

  /// Whether the files of the packs on the device are known, or of all packs if it has none.
  package var knowsContents: Bool {
    installed.isEmpty
      ? knownRelease.offered(to: profile).knowsContents
      : installed.values.allSatisfy { $0.pack.contents != nil }
  }

  /// The IDs of the installed packs, in order.
  package var installedIDs: [PackID] { installed.keys.sorted() }
}

/// A status update of a download, as `statusUpdates` of the app receives it.
package enum StatusUpdate: String, Sendable, CaseIterable {
  case began, paused, downloading, finished, failed
}

/// A value of `AssetPack.Status`, with the name in the option set.
package enum PackStatus: String, Sendable, CaseIterable {
  case downloadAvailable, updateAvailable, upToDate, outOfDate, obsolete, downloading, downloaded
}

extension DeviceState {
  /// Returns the status of a pack relative to the manifest that the device read last.
  ///
  /// The status of an unknown pack is empty.
  package func status(of id: PackID) -> [PackStatus] {
    // Without a manifest, versions cannot be compared.
    guard let manifest else { return installed[id] == nil ? [] : [.downloaded] }
    let offered = manifest[id, to: profile]
    guard let own = installed[id] else { return offered == nil ? [] : [.downloadAvailable] }
    guard let offered else { return [.obsolete, .downloaded] }
    return offered.version > own.pack.version
      ? [.updateAvailable, .outOfDate, .downloaded] : [.upToDate, .downloaded]
  }

  /// The language that applies on the device now.
  package var language: LanguageResolution {
    let languages = manifest?.offered(to: profile).languages ?? []
    if let chosenLanguage { return LanguageResolution(chosen: chosenLanguage, of: languages) }
    return LanguageResolution(
      of: languages, preferring: profile.languages, primary: profile.primaryLanguage)
  }
}
