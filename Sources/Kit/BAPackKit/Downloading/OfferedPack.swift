import SystemIO

/// The size of packs in bytes: of the download, and unpacked.
package struct PackSize: Sendable, Equatable {
  /// The size of the archives.
  package var download: UInt64
  /// The size of the files in them.
  package var unpacked: UInt64

  package init(download: UInt64 = 0, unpacked: UInt64 = 0) {
    self.download = download
    self.unpacked = unpacked
  }

  /// Returns the sum of two sizes, without overflow.
  package static func + (left: PackSize, right: PackSize) -> PackSize {
    PackSize(
      download: left.download.addingSaturated(right.download),
      unpacked: left.unpacked.addingSaturated(right.unpacked))
  }

  /// Returns the larger download size and the larger unpacked size of two sizes.
  package func maximum(_ other: PackSize) -> PackSize {
    PackSize(download: max(download, other.download), unpacked: max(unpacked, other.unpacked))
  }
}

extension Sequence<PackSize> {
  package var sum: PackSize { reduce(PackSize(), +) }
}

/// A pack that is offered to devices: its audience, its download policy and its size.
package struct OfferedPack: Sendable, Equatable {
  /// The ID by which the app requests the pack.
  package var id: PackID
  package var policy: DownloadPolicy
  /// The platforms that the pack is offered on; empty means all.
  package var platforms: [Platform]
  /// The language; nil for a pack for all languages.
  package var language: LanguageTag?
  package var size: PackSize

  package init(
    id: PackID, policy: DownloadPolicy, platforms: [Platform] = [], language: LanguageTag? = nil,
    size: PackSize
  ) {
    self.id = id
    self.policy = policy
    self.platforms = platforms
    self.language = language
    self.size = size
  }

  /// The devices that the pack is offered to.
  package var audience: PackAudience { PackAudience(platforms: platforms, language: language) }

  package func isOffered(on platform: Platform) -> Bool { audience.isOffered(on: platform) }

  package func isOffered(to device: Device) -> Bool {
    switch obstacle(on: device) {
    case nil, .policy: true
    case .platform, .system, .language: false
    }
  }

  /// Returns the reason why a request of the app for the pack fails; nil if it succeeds.
  package func obstacleToRequests(
    on platform: Platform, knowsLocalizedPacks: Bool
  ) -> PackObstacle? {
    if !isOffered(on: platform) { return .platform }
    return language != nil && !knowsLocalizedPacks ? .system : nil
  }

  /// Returns the reason why a device does not download the pack at its event without a request; nil
  /// if it does.
  package func obstacle(on device: Device) -> PackObstacle? {
    if let obstacle = obstacleToRequests(
      on: device.platform, knowsLocalizedPacks: device.knowsLocalizedPacks)
    {
      return obstacle
    }
    if !language.serves(device.language) { return .language }
    return policy.time(on: device.event) == .onRequest ? .policy : nil
  }
}

/// A reason why a device does not download a pack.
package enum PackObstacle: Sendable, Equatable, CaseIterable {
  /// The pack is for other platforms.
  case platform
  /// The pack has a language, and the system does not support localized packs.
  case system
  /// The pack is for another language than the device's.
  case language
  /// The pack is downloaded only when the app requests it.
  case policy
}

/// A device on which an app is installed or updated.
package struct Device: Sendable, Hashable {
  package var platform: Platform
  package var event: InstallationEvent
  /// The language of the packs that matches the preferences of the device best; nil if there is
  /// none, and on systems that do not support localized packs.
  package var language: LanguageTag?
  /// Whether the system supports localized packs.
  package var knowsLocalizedPacks: Bool

  /// The first version of the systems that supports localized packs.
  package static let firstSystemWithLocalizedPacks = 27

  package init(
    platform: Platform, event: InstallationEvent = .firstInstallation, language: LanguageTag? = nil,
    knowsLocalizedPacks: Bool = true
  ) {
    self.platform = platform
    self.event = event
    self.language = language
    self.knowsLocalizedPacks = knowsLocalizedPacks
  }
}

extension Device {
  /// Returns the language that a device resolves among the packs that it is offered; nil if none
  /// matches its preferences or the app's primary language.
  package static func language(
    among candidates: LanguageCandidates, preferring preference: LanguageTag?,
    primary: LanguageTag? = nil
  ) -> LanguageTag? {
    LanguageChoice(
      among: candidates, preferring: preference.map { [$0] } ?? [], primary: primary
    ).language
  }
}

extension [OfferedPack] {
  /// Returns the languages of the packs that are offered on a platform.
  package func languages(on platform: Platform) -> LanguageCandidates {
    LanguageCandidates(lazy.filter { $0.isOffered(on: platform) }.compactMap(\.language))
  }
}
