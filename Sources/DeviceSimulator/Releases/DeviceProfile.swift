package import BAPackKit
import SystemIO

/// What a device is, and how its owner has set it.
package struct DeviceProfile: Sendable, Equatable {
  /// What kind of device it is.
  package var platform = Platform.iOS
  /// The version of its system.
  package var system = 27
  /// The languages of its owner, the most wanted first.
  package var languages: [LanguageTag] = []
  /// The app's primary language, as App Store Connect has it.
  package var primaryLanguage: LanguageTag?
  /// How much room there is for packs, in bytes; nil for enough.
  package var free: UInt64?
  /// How fast it downloads, in bytes a second; nil where times do not matter.
  package var bytesPerSecond: UInt64?

  /// A device like most.
  package init() {}

  /// Systems before version 27 know no localized packs.
  package var knowsLocalizedPacks: Bool { system >= Device.firstSystemWithLocalizedPacks }

  /// The systems that are told apart.
  package static let systems = [26, 27]
}

extension DeviceProfile {
  /// Reads the version of a system; nil if it is none of `systems`.
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
