import SystemIO

/// How many bytes packs have: as they are downloaded, and unpacked.
package struct PackSize: Sendable, Equatable {
  /// The bytes of archives.
  package var download: UInt64
  /// The bytes of the files in them.
  package var unpacked: UInt64

  /// Makes a size.
  package init(download: UInt64 = 0, unpacked: UInt64 = 0) {
    self.download = download
    self.unpacked = unpacked
  }

  /// Both together; beyond what can be counted a size stays at the end.
  package static func + (left: PackSize, right: PackSize) -> PackSize {
    PackSize(
      download: left.download.addingSaturated(right.download),
      unpacked: left.unpacked.addingSaturated(right.unpacked))
  }

  /// The larger of each.
  package func maximum(_ other: PackSize) -> PackSize {
    PackSize(download: max(download, other.download), unpacked: max(unpacked, other.unpacked))
  }
}

extension Sequence<PackSize> {
  /// All together.
  package var sum: PackSize { reduce(PackSize(), +) }
}

/// A pack as it is offered to devices: to which of them, when they download it, and how large it
/// is.
package struct OfferedPack: Sendable, Equatable {
  /// The ID under which the app asks for it.
  package var id: PackID
  /// When it is downloaded.
  package var policy: DownloadPolicy
  /// The platforms that it is offered on; empty means all.
  package var platforms: [Platform]
  /// The language that it is for; nil for a pack that is for all.
  package var language: LanguageTag?
  /// How large it is.
  package var size: PackSize

  /// Describes a pack.
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

  /// Which devices are offered it.
  package var audience: PackAudience { PackAudience(platforms: platforms, language: language) }

  /// Whether it is offered on a platform.
  package func isOffered(on platform: Platform) -> Bool { audience.isOffered(on: platform) }

  /// Whether it is offered to a device.
  package func isOffered(to device: Device) -> Bool {
    switch obstacle(on: device) {
    case nil, .policy: true
    case .platform, .system, .language: false
    }
  }

  /// Why a device does not get the pack even if the app requests it; nil if it gets it.
  package func obstacleToRequests(
    on platform: Platform, knowsLocalizedPacks: Bool
  ) -> PackObstacle? {
    if !isOffered(on: platform) { return .platform }
    return language != nil && !knowsLocalizedPacks ? .system : nil
  }

  /// Why a device does not download the pack at its event without a request; nil if it does.
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

/// Why a device does not download a pack.
package enum PackObstacle: Sendable, Equatable, CaseIterable {
  /// The pack is for other platforms.
  case platform
  /// The pack has a language, and the system knows no localized packs.
  case system
  /// The pack is for another language than the device's.
  case language
  /// The pack waits until the app requests it.
  case policy
}

/// A device on which an app is installed or updated.
package struct Device: Sendable, Hashable {
  /// What kind of device it is.
  package var platform: Platform
  /// What happens to the app.
  package var event: InstallationEvent
  /// The language among those of the packs that was found to suit its owner best; nil where none
  /// is, and on systems that know no localized packs.
  package var language: LanguageTag?
  /// Whether its system knows localized packs.
  package var knowsLocalizedPacks: Bool

  /// The first version of the systems that know localized packs.
  package static let firstSystemWithLocalizedPacks = 27

  /// Describes a device.
  package init(
    platform: Platform, event: InstallationEvent = .firstInstallation, language: LanguageTag? = nil,
    knowsLocalizedPacks: Bool = true
  ) {
    self.platform = platform
    self.event = event
    self.language = language
    self.knowsLocalizedPacks = knowsLocalizedPacks
  }

  /// One device of each sort that packs make a difference to.
  package static func all(for packs: [OfferedPack]) -> [Device] {
    // In one order, so that the first of several alike is always the same.
    let languages = [nil] + packs.compactMap(\.language).inOrder.map(Optional.some)
    return Platform.allCases.flatMap { platform in
      InstallationEvent.allCases.flatMap { event in
        languages.map { Device(platform: platform, event: event, language: $0) }
      }
    }
  }
}
