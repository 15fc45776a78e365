import BAPackKit

/// A set of packs, by their numbers.
struct PackSet: Hashable {
  private var words: [UInt64]

  init(below count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }

  subscript(number: Int) -> Bool {
    get { words[number >> 6] >> UInt64(number & 63) & 1 == 1 }
    set {
      let bit = UInt64(1) << UInt64(number & 63)
      if newValue { words[number >> 6] |= bit } else { words[number >> 6] &= ~bit }
    }
  }
}

/// The packs of both releases as devices are offered them, with common numbers.
///
/// An unknown property of a pack is assumed to be equal in both releases. A pack with an unknown
/// policy is assumed to be essential.
struct OfferedSides {
  let ids: [PackID]
  let old: [OfferedPack?]
  let new: [OfferedPack?]
  /// The files of each pack; nil if they are unknown.
  private(set) var oldContents: [PackContents?]
  private(set) var newContents: [PackContents?]

  init(_ old: Inventory, _ new: Inventory) {
    let ids = Set(old.packs.map(\.id)).union(new.packs.map(\.id)).sorted()
    self.ids = ids
    self.old = ids.map { Self.offered(old[$0], beside: new[$0]) }
    self.new = ids.map { Self.offered(new[$0], beside: old[$0]) }
    (oldContents, newContents) = ([], [])
    update(old, new)
  }

  /// Sets the files of both releases, for example with digests.
  mutating func update(_ old: Inventory, _ new: Inventory) {
    oldContents = ids.map { old[$0]?.contents }
    newContents = ids.map { id in
      new[id].flatMap { pack in pack.contents ?? old[id]?.contents }
    }
  }

  private static func offered(_ pack: InventoryPack?, beside other: InventoryPack?) -> OfferedPack?
  {
    guard let pack else { return nil }
    // A download manifest does not contain the platforms and languages of its packs.
    let described = [pack, other].compactMap { $0 }.first { $0.policy != nil && $0.contents != nil }
    return OfferedPack(
      id: pack.id,
      policy: pack.policy ?? other?.policy ?? .essential(Set(InstallationEvent.allCases)),
      platforms: described?.platforms ?? [], language: described?.language, size: PackSize())
  }
}

/// A kind of device: all devices of one kind have equal packs before a release, and equal packs
/// after it, with and without requests of the app.
///
/// The app is already released. It requests packs of any language whose requests succeeded before
/// the release. Requests that failed before it, such as for a pack that did not exist, are not
/// compared. Each app user prefers one language, and the app has no primary language.
struct DeviceSort {
  enum History: CaseIterable {
    /// The app is installed for the first time. An installation before the release is compared with
    /// one after it.
    case installs
    /// The app was installed before it had packs. An update before the release is compared with one
    /// after it.
    case updates
    /// The app was installed with packs before the release. An update before the release is
    /// compared with one after it.
    case keeps
    /// The app was installed before the release, and is not updated: the device updates the packs
    /// that it has, and downloads no others without a request.
    case stays
  }

  /// The properties of a device that requests depend on.
  struct Requests: Hashable {
    var platform: Platform
    var knowsLocalizedPacks: Bool
  }

  /// The device after the release.
  let device: Device
  /// The device before the release, at its last event.
  private let former: Device
  private let history: History
  /// The language of the app user; nil for one that no pack supports.
  let preference: LanguageTag?
  private let old: [OfferedPack?]
  private let new: [OfferedPack?]

  /// The languages that the device resolves before and after the release.
  var oldLanguage: LanguageMeaning? { former.language?.meaning }
  var newLanguage: LanguageMeaning? { device.language?.meaning }

  var requests: Requests {
    Requests(platform: device.platform, knowsLocalizedPacks: device.knowsLocalizedPacks)
  }

  /// Whether the device's file system may ignore case in paths.
  var ignoresCase: Bool { device.platform == .macOS }

  fileprivate init(
    _ devices: (old: Device, new: Device), _ history: History, _ preference: LanguageTag?,
    _ sides: OfferedSides
  ) {
    var (before, now) = devices
    before.event =
      history == .updates || history == .keeps ? .subsequentUpdate : .firstInstallation
    now.event = history == .installs ? .firstInstallation : .subsequentUpdate
    (former, device) = (before, now)
    self.history = history
    self.preference = preference
    (old, new) = (sides.old, sides.new)
  }

  /// Whether the device had a pack from the installation on.
  private func wasInstalled(_ pack: Int) -> Bool {
    guard history == .keeps || history == .stays, let pack = old[pack] else { return false }
    var installed = former
    installed.event = .firstInstallation
    return pack.obstacle(on: installed) == nil
  }

  /// Whether a pack is installed without a request before the release.
  func has(before pack: Int) -> Bool {
    old[pack].map { $0.obstacle(on: former) == nil } ?? false || wasInstalled(pack)
  }

  /// Whether a pack is installed without a request after the release.
  func has(after pack: Int) -> Bool {
    guard let now = new[pack] else { return false }
    // Installed packs are updated, and removed only if the device is no longer offered them.
    return history != .stays && now.obstacle(on: device) == nil || wasInstalled(pack) && gets(pack)
  }

  /// Whether the app could request a pack before the release.
  func couldRequest(_ pack: Int) -> Bool { canRequest(old[pack]) }

  /// Whether the device receives a pack on request after the release.
  func gets(_ pack: Int) -> Bool { canRequest(new[pack]) }

  private func canRequest(_ pack: OfferedPack?) -> Bool {
    guard let pack else { return false }
    return pack.obstacleToRequests(
      on: device.platform, knowsLocalizedPacks: device.knowsLocalizedPacks) == nil
  }

  /// Whether the release adds a pack to these devices, removes it from them, or makes a request for
  /// it impossible.
  func changes(_ pack: Int) -> Bool {
    has(before: pack) != has(after: pack) || couldRequest(pack) && !gets(pack)
  }
}

/// The kinds of devices for all combinations of platform, language, system and history, without
/// duplicates.
struct DeviceSorts {
  private var all: [DeviceSort] = []
  /// The kinds without localized packs, and those with packs of a language on either side.
  private var common: [Int] = []
  private var localized: [LanguageMeaning: [Int]] = [:]
  private let languages: [Set<LanguageMeaning>]
  private let isCommon: [Bool]

  init(_ sides: OfferedSides) {
    languages = zip(sides.old, sides.new).map { pair in
      let meanings = [pair.0, pair.1].compactMap { $0?.language?.meaning }
      return Set(meanings)
    }
    isCommon = zip(sides.old, sides.new).map { pair in
      pair.0.map { $0.language == nil } ?? false || pair.1.map { $0.language == nil } ?? false
    }
    let tags = (sides.old + sides.new).compactMap { $0?.language }.inOrder
    var seen: Set<PlatformKey> = []
    for platform in Platform.allCases where seen.insert(PlatformKey(platform, sides)).inserted {
      let candidates = [sides.old, sides.new].map {
        $0.compactMap(\.self).languages(on: platform)
      }
      var pairs: Set<[LanguageMeaning?]> = []
      for preference in [nil] + tags.map(Optional.some) {
        let devices = candidates.map {
          Device(
            platform: platform, language: Device.language(among: $0, preferring: preference))
        }
        guard pairs.insert(devices.map { $0.language?.meaning }).inserted else { continue }
        add((devices[0], devices[1]), preference, sides)
      }
      let older = Device(platform: platform, knowsLocalizedPacks: false)
      if !tags.isEmpty { add((older, older), nil, sides) }
    }
  }

  /// The packs that are offered on a platform.
  ///
  /// Platforms with equal packs have equal devices.
  private struct PlatformKey: Hashable {
    var ignoresCase: Bool
    var sets: [PackSet]

    init(_ platform: Platform, _ sides: OfferedSides) {
      ignoresCase = platform == .macOS
      sets = [sides.old, sides.new].map { packs in
        var set = PackSet(below: packs.count)
        for (number, pack) in packs.enumerated() {
          set[number] = pack?.isOffered(on: platform) ?? false
        }
        return set
      }
    }
  }

  private mutating func add(
    _ devices: (old: Device, new: Device), _ preference: LanguageTag?, _ sides: OfferedSides
  ) {
    let own = [devices.old, devices.new].compactMap { $0.language?.meaning }
    let meanings = Set(own)
    for history in DeviceSort.History.allCases {
      if meanings.isEmpty { common.append(all.count) }
      for meaning in meanings { localized[meaning, default: []].append(all.count) }
      all.append(DeviceSort(devices, history, preference, sides))
    }
  }

  subscript(number: Int) -> DeviceSort { all[number] }

  /// Returns the kinds of devices that differ in some packs: those without localized packs, and
  /// those of the languages of these packs.
  func of(_ packs: some Sequence<Int>) -> [Int] {
    var meanings: Set<LanguageMeaning> = []
    for pack in packs { meanings.formUnion(languages[pack]) }
    var numbers = Set(common)
    for meaning in meanings { numbers.formUnion(localized[meaning] ?? []) }
    return numbers.sorted()
  }

  /// Whether a device can have a pack without a request in every language.
  func isCommon(_ pack: Int) -> Bool { isCommon[pack] }

  /// Returns the languages of a pack on both sides.
  func languages(of pack: Int) -> Set<LanguageMeaning> { languages[pack] }
}
