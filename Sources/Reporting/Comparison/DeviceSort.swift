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
/// The app is already released. It requests packs that its device was offered before the release.
struct DeviceSort {
  /// The history of a device.
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

  /// The device after the release.
  let device: Device
  /// The language of the app user; nil for one that no pack supports.
  let preference: LanguageTag?
  /// The packs that are installed without a request.
  let before: PackSet
  let after: PackSet
  /// The packs that the app could request before the release.
  let requestable: PackSet
  /// The packs that the device receives on request after the release.
  let granted: PackSet

  /// Whether the device's file system may ignore case in paths.
  var ignoresCase: Bool { device.platform == .macOS }

  /// Whether the device can have a pack, before or after the release.
  func reaches(_ pack: Int, isOld: Bool) -> Bool {
    isOld
      ? before[pack] || requestable[pack]
      : after[pack] || requestable[pack] && granted[pack]
  }

  /// Returns the kinds of devices for all combinations of platform, language, system and history,
  /// without duplicates.
  static func all(_ sides: OfferedSides) -> [DeviceSort] {
    let languages = (sides.old + sides.new).compactMap { $0?.language }.inOrder
    var seen: Set<Key> = []
    var sorts: [DeviceSort] = []
    for platform in Platform.allCases {
      let preferences = [nil] + languages.map(Optional.some)
      for preference in preferences {
        let devices = (
          device(platform, preference, sides.old), device(platform, preference, sides.new)
        )
        add(devices, preference, sides, &sorts, &seen)
      }
      var old = Device(platform: platform)
      old.knowsLocalizedPacks = false
      add((old, old), nil, sides, &sorts, &seen)
    }
    return sorts
  }

  private struct Key: Hashable {
    var ignoresCase: Bool
    var sets: [PackSet]
  }

  /// Returns a device whose user prefers a language, with the language that it resolves.
  private static func device(
    _ platform: Platform, _ preference: LanguageTag?, _ packs: [OfferedPack?]
  ) -> Device {
    let offered = packs.compactMap { $0 }.filter { $0.isOffered(on: platform) }
    let choice = LanguageChoice(
      among: offered.compactMap(\.language), preferring: preference.map { [$0] } ?? [],
      primary: nil)
    return Device(platform: platform, language: choice.language)
  }

  private static func add(
    _ devices: (old: Device, new: Device), _ preference: LanguageTag?, _ sides: OfferedSides,
    _ sorts: inout [DeviceSort], _ seen: inout Set<Key>
  ) {
    for history in History.allCases {
      let sort = DeviceSort(devices, history, preference, sides)
      let sets = [sort.before, sort.after, sort.requestable, sort.granted]
      if seen.insert(Key(ignoresCase: sort.ignoresCase, sets: sets)).inserted { sorts.append(sort) }
    }
  }

  private init(
    _ devices: (old: Device, new: Device), _ history: History, _ preference: LanguageTag?,
    _ sides: OfferedSides
  ) {
    var (old, new) = devices
    old.event = history == .updates ? .subsequentUpdate : .firstInstallation
    new.event = history == .installs ? .firstInstallation : .subsequentUpdate
    let empty = PackSet(below: sides.ids.count)
    var (before, after, requestable, granted) = (empty, empty, empty, empty)
    var updated = old
    updated.event = .subsequentUpdate
    for number in sides.ids.indices {
      var wasInstalled = false
      if let pack = sides.old[number] {
        wasInstalled =
          (history == .keeps || history == .stays) && pack.obstacle(on: old) == nil
        before[number] =
          pack.obstacle(on: history == .keeps ? updated : old) == nil || wasInstalled
        requestable[number] = pack.isOffered(to: old)
      }
      if let pack = sides.new[number] {
        granted[number] =
          pack.obstacleToRequests(
            on: new.platform, knowsLocalizedPacks: new.knowsLocalizedPacks) == nil
        // Installed packs are updated, and removed only if the device is no longer offered them.
        let isKept = wasInstalled && granted[number]
        after[number] = isKept || history != .stays && pack.obstacle(on: new) == nil
      }
    }
    device = new
    self.preference = preference
    (self.before, self.after) = (before, after)
    (self.requestable, self.granted) = (requestable, granted)
  }
}
