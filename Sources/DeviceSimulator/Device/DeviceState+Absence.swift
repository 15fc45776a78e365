package import BAPackKit

/// Why a pack is not on a device.
package struct PackAbsence: Sendable, Equatable {
  /// The reason in a few words.
  package var phrase: String
  /// The rules that cause it.
  package var rules: [SemanticRule]
  /// Whether the device is another one than those that the pack is for.
  package var isOfDevice = false
}

extension DeviceProfile {
  /// The device's system as people name it: `iOS 26`.
  var systemName: String { "\(platform.rawValue) \(system)" }
  /// Why a device whose system is too old has no localized packs.
  var noLocalizedPacks: String { "\(systemName) receives no localized packs" }
}

extension DeviceState {
  /// Why a pack is not on the device; nil if it is there.
  package func absence(of id: PackID) -> PackAbsence? {
    if installed[id] != nil { return nil }
    guard hasApp || manifest != nil else {
      return PackAbsence(phrase: "the app is not installed", rules: [])
    }
    guard let manifest else {
      return PackAbsence(phrase: "the device has no manifest", rules: [.manifestFails])
    }
    guard let pack = manifest[id] else {
      return PackAbsence(phrase: "no such pack is offered", rules: [.packNotFound])
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
        phrase: "it is for \(platforms), and the device is for \(profile.platform.rawValue)",
        rules: [.platform], isOfDevice: true)
    case .system:
      return PackAbsence(
        phrase: profile.noLocalizedPacks, rules: [.oldSystem], isOfDevice: true)
    case .language:
      let own = pack.offered.language.map { "'\($0)'" } ?? "all languages"
      let phrase =
        resolution.language.map { "and the device's language is '\($0)'" }
        ?? "and no pack has a language of the device"
      return PackAbsence(
        phrase: "it is for \(own), \(phrase)", rules: [.oneLanguage] + resolution.rules,
        isOfDevice: true)
    case .policy:
      return pack.offered.policy == .onDemand
        ? PackAbsence(
          phrase: "it is on demand, and the app has not requested it", rules: [.policyOnDemand])
        : PackAbsence(phrase: "its policy is for updates of the app", rules: [.policyEvents])
    case nil:
      return PackAbsence(
        phrase: refused.contains(id)
          ? "the extension refuses it"
          : "it was removed, its download failed, or nothing has downloaded it "
            + "since it was offered",
        rules: [])
    }
  }
}
