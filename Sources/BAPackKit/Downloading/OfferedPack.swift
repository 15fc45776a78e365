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

/// A pack as it is offered to devices: to which of them, when they download it, and how large it is.
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

  /// Whether it is offered on a platform.
  package func isOffered(on platform: Platform) -> Bool {
    platforms.isEmpty || platforms.contains(platform)
  }

  /// Whether it is offered to a device.
  package func isOffered(to device: Device) -> Bool {
    isOffered(on: device.platform) && language.serves(device.language)
  }
}

/// A device on which an app is installed or updated.
package struct Device: Sendable, Hashable {
  /// What kind of device it is.
  package var platform: Platform
  /// What happens to the app.
  package var event: InstallationEvent
  /// The language among those of the packs that was found to suit its owner best; nil where none is,
  /// and on systems that know no localized packs.
  package var language: LanguageTag?

  /// Describes a device.
  package init(
    platform: Platform, event: InstallationEvent = .firstInstallation, language: LanguageTag? = nil
  ) {
    self.platform = platform
    self.event = event
    self.language = language
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
