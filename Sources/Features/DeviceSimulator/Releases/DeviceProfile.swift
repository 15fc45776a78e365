package import BAPackKit
import SystemIO

/// The properties and settings of a device.
package struct DeviceProfile: Sendable, Equatable {
  /// The platform.
  package var platform = Platform.iOS
  /// The version of the system.
  package var system = DeviceSystem(27)
  /// The preferred languages, the most preferred first.
  package var languages: [LanguageTag] = []
  /// The app's primary language in App Store Connect.
  package var primaryLanguage: LanguageTag?
  /// The space for packs in bytes; nil for unlimited space.
  package var free: UInt64?
  /// The bandwidth in bytes per second; nil if times do not matter.
  package var bytesPerSecond: UInt64?
  /// The channel from which the app is installed.
  package var channel = Channel.store
  /// The consequence if the download of an essential pack fails.
  package var essentialFailure = EssentialFailure.opensWithout
  /// The undocumented rules of which the device has the other behavior.
  package var otherwise: Set<SemanticRule> = []

  /// Creates a device with default properties.
  package init() {}

  /// Whether the system supports localized packs: version 27 or later.
  package var knowsLocalizedPacks: Bool { system.major >= Device.firstSystemWithLocalizedPacks }

  /// Whether a device behaves according to an undocumented rule, and not in the other way.
  func follows(_ rule: SemanticRule) -> Bool { !otherwise.contains(rule) }
}

/// The consequence if the download of an essential pack fails.
package enum EssentialFailure: String, Sendable, CaseIterable {
  /// The app is installed and can be opened, without the pack.
  case opensWithout = "opens-without"
  /// The app is not installed or updated.
  case blocksLaunch = "blocks-launch"
}

/// The version of a system: `27` or `26.3`.
package struct DeviceSystem: Sendable, Equatable, CustomStringConvertible {
  /// The supported major versions.
  package static let supported = [26, 27]

  package var major: Int
  package var minor: Int

  package init(_ major: Int, _ minor: Int = 0) { (self.major, self.minor) = (major, minor) }

  /// Parses a version; nil if its major version is not supported.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      .map { number(ofDigits: $0).map { Int($0) } }
    guard (1...3).contains(parts.count), let major = parts[0], Self.supported.contains(major),
      parts.allSatisfy({ $0 != nil })
    else { return nil }
    self.init(major, parts.count > 1 ? parts[1] ?? 0 : 0)
  }

  package var description: String { minor == 0 ? "\(major)" : "\(major).\(minor)" }
}
