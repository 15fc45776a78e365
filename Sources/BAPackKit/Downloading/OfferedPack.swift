import SystemIO

/// How many bytes packs have: as they are downloaded, and unpacked.
public struct PackSize: Sendable, Equatable {
  /// The bytes of archives.
  public var download: UInt64
  /// The bytes of the files in them.
  public var unpacked: UInt64

  /// Makes a size.
  public init(download: UInt64 = 0, unpacked: UInt64 = 0) {
    self.download = download
    self.unpacked = unpacked
  }

  /// Both together; beyond what can be counted a size stays at the end.
  public static func + (left: PackSize, right: PackSize) -> PackSize {
    PackSize(
      download: left.download.addingSaturated(right.download),
      unpacked: left.unpacked.addingSaturated(right.unpacked))
  }

  /// The larger of each.
  public func maximum(_ other: PackSize) -> PackSize {
    PackSize(download: max(download, other.download), unpacked: max(unpacked, other.unpacked))
  }
}

extension Sequence<PackSize> {
  /// All together.
  public var sum: PackSize { reduce(PackSize(), +) }
}

/// A pack as it is offered to devices: to which of them, when they download it, and how large it is.
public struct OfferedPack: Sendable, Equatable {
  /// The ID under which the app asks for it.
  public var id: PackID
  /// When it is downloaded.
  public var policy: DownloadPolicy
  /// The platforms that it is offered on; empty means all.
  public var platforms: [Platform]
  /// The language that it is for; nil for a pack that is for all.
  public var language: LanguageTag?
  /// How large it is.
  public var size: PackSize

  /// Describes a pack.
  public init(
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
  public func isOffered(on platform: Platform) -> Bool {
    platforms.isEmpty || platforms.contains(platform)
  }

  /// Whether it is offered to a device.
  public func isOffered(to device: Device) -> Bool {
    isOffered(on: device.platform) && (language == nil || language == device.language)
  }
}

/// A device on which an app is installed or updated.
public struct Device: Sendable, Hashable {
  /// What kind of device it is.
  public var platform: Platform
  /// What happens to the app.
  public var event: InstallationEvent
  /// The language among those of the packs that was found to suit its owner best; nil where none is,
  /// and on systems that know no localized packs.
  public var language: LanguageTag?

  /// Describes a device.
  public init(
    platform: Platform, event: InstallationEvent = .firstInstallation, language: LanguageTag? = nil
  ) {
    self.platform = platform
    self.event = event
    self.language = language
  }

  /// One device of each sort that packs make a difference to.
  public static func all(for packs: [OfferedPack]) -> [Device] {
    let languages = [nil] + Set(packs.compactMap(\.language)).map(Optional.some)
    return Platform.allCases.flatMap { platform in
      InstallationEvent.allCases.flatMap { event in
        languages.map { Device(platform: platform, event: event, language: $0) }
      }
    }
  }
}
