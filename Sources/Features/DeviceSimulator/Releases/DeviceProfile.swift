package import BAPackKit
import SystemIO

/// The properties and settings of a device.
package struct DeviceProfile: Sendable, Equatable {
  /// The platform.
  package var platform = Platform.iOS
  /// The version of the system.
  package var system = 27
  /// The preferred languages, the most preferred first.
  package var languages: [LanguageTag] = []
  /// The app's primary language in App Store Connect.
  package var primaryLanguage: LanguageTag?
  /// The space for packs in bytes; nil for unlimited space.
  package var free: UInt64?
  /// The bandwidth in bytes per second; nil if times do not matter.
  package var bytesPerSecond: UInt64?

  /// Creates a device with default properties.
  package init() {}

  /// Whether the system supports localized packs: version 27 or later.
  package var knowsLocalizedPacks: Bool { system >= Device.firstSystemWithLocalizedPacks }

  /// The supported system versions.
  package static let systems = [26, 27]
}

extension DeviceProfile {
  /// Parses the version of a system; nil if it is not one of `systems`.
  ///
  /// `26.1` is a version of 26.
  package static func system(written text: String) -> Int? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      .map { number(ofDigits: $0) }
    guard parts.allSatisfy({ $0 != nil }), let first = parts.first, let major = first else {
      return nil
    }
    return systems.first { $0 == Int(major) }
  }
}
