package import BAPackKit
import TerminalText

/// The reason why a pack is not on a device.
package struct PackAbsence: Sendable, Equatable {
  /// The reason in a few words.
  package var phrase: String
  /// The rules that cause it.
  package var rules: [SemanticRule]
  /// Whether the pack is for other devices.
  package var isOfDevice = false
}

extension DeviceProfile {
  /// The name and version of the device's system: `iOS 26`.
  var systemName: String { "\(platform.rawValue) \(system)" }
  /// The properties in the form of a scenario.
  var phrase: String {
    var parts = [systemName]
    if !languages.isEmpty {
      parts.append("languages " + languages.map(\.description).joined(separator: " "))
    }
    if let primaryLanguage { parts.append("primary \(primaryLanguage)") }
    if let free { parts.append("free \(Quantity.bytes(free))") }
    if let bytesPerSecond { parts.append("bandwidth \(Quantity.bytes(bytesPerSecond))/s") }
    return parts.joined(separator: ", ")
  }

  /// Whether the second cancellation of a download fails: iOS 26.0 to 26.3.
  var failsSecondCancellation: Bool { system.major == 26 && system.minor <= 3 }

  /// A message for a device whose system does not support localized packs.
  var noLocalizedPacks: String { "\(systemName) receives no localized packs" }
}

extension DeviceState {
  /// Returns the reason why a pack is not on the device; nil if it is on the device.
  package func absence(of id: PackID) -> PackAbsence? {
    if installed[id] != nil { return nil }
    guard hasApp || manifest != nil else {
      return PackAbsence(phrase: "the app is not installed", rules: [])
    }
    guard let manifest else {
      return PackAbsence(phrase: "the device has no manifest", rules: [.manifestFails])
    }
    guard let pack = manifest[id] else {
      return PackAbsence(phrase: "the release offers no such pack", rules: [.packNotFound])
    }
    let knows = profile.knowsLocalizedPacks
    let resolution = language
    let device = Device(
      platform: profile.platform, language: knows ? resolution.language : nil,
      knowsLocalizedPacks: knows)
    switch pack.offered.obstacle(on: device) {
    case .platform:
      let platforms = pack.offered.platforms.map(\.rawValue).joined(separator: ", ")
      return PackAbsence(
        phrase:
          "it is for \(platforms), but the platform of the device is \(profile.platform.rawValue)",
        rules: [.platform], isOfDevice: true)
    case .system:
      return PackAbsence(
        phrase: profile.noLocalizedPacks, rules: [.oldSystem], isOfDevice: true)
    case .language:
      let own = pack.offered.language.map { "'\($0)'" } ?? "all languages"
      let phrase =
        resolution.language.map { "but the device's language is '\($0)'" }
        ?? "but no pack has a language of the device"
      return PackAbsence(
        phrase: "it is for \(own), \(phrase)", rules: [.oneLanguage] + resolution.rules,
        isOfDevice: true)
    case .policy:
      return pack.offered.policy == .onDemand
        ? PackAbsence(
          phrase: "it is on demand, and the app has not requested it", rules: [.policyOnDemand])
        : PackAbsence(
          phrase: "its policy applies only to updates of the app", rules: [.policyEvents])
    case nil:
      return PackAbsence(
        phrase: refused.contains(id)
          ? "the downloader extension rejects it"
          : "it was removed, its download failed, or it was not downloaded "
            + "since it was offered",
        rules: [])
    }
  }
}
