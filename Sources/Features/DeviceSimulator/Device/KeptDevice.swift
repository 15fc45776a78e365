import BAPackKit
import SourceDiagnostics
import SystemIO

/// The saved state of a device, except for the paths of its files.
struct KeptDevice: JSONStateDocument {
  /// The device; `packs` contains its packs.
  private var state = DeviceState()
  private var packs: [KeptPack] = []
  private(set) var versions: [PackID: ReleaseReader.KnownVersion] = [:]
  /// The number of the list of paths; 0 if there is none.
  private(set) var number = 0
  /// Other files that the device created and that may still exist.
  var made: [DeviceFile] = []
  private var unknown: [JSONValue.Member] = []
  private var unknownOfProfile: [JSONValue.Member] = []

  static var noun: String { "kept device" }
  static var loss: String { "the next run starts with a new device" }
  static var largest: Int { 256 << 20 }
  static var rules: StateRules { StateRules(.owner) }
  static var format: Int { 1 }
  static var writtenFormat: JSONValue { .string("1") }
  static var layout: JSONWriter.Layout { .readable }

  /// Creates a device without a saved state.
  init() {}

  /// Returns the device with its archives in the download folder.
  ///
  /// The contents of its packs are unknown if `list` is nil.
  func device(downloadingTo folder: String, _ list: [UInt8]?) throws(StateFault) -> DeviceState {
    var device = state
    var paths = list.map { PathList($0) }
    for kept in packs {
      guard var pack = kept.pack(downloadingTo: folder) else { continue }
      if let count = kept.count { pack.contents = try paths?.nextContents(count) }
      device.put(InstalledPack(pack, isRequested: kept.isRequested))
    }
    device.missed = state.missed
    return device
  }

  /// Returns the same document with another state of the device.
  func changed(
    to state: DeviceState, _ versions: [PackID: ReleaseReader.KnownVersion], number: Int,
    downloadingTo folder: String
  ) -> KeptDevice {
    let before = Dictionary(packs.map { ($0.offered.id, $0) }) { $1 }
    var device = self
    device.state = state
    device.packs = state.installedIDs.compactMap { id in
      state.installed[id].map { KeptPack($0, downloadingTo: folder, like: before[id]) }
    }
    device.versions = versions
    device.number = number
    device.made = []
    return device
  }

  /// The archives of the packs that the device downloaded.
  var archives: Set<DeviceFile> { Set(packs.compactMap(\.archive)) }

  /// All files that the device created and that may still exist: lists of paths and archives.
  var files: Set<DeviceFile> {
    var files = archives.union(made)
    if number > 0 { files.insert(.list(number)) }
    return files
  }
}

/// A pack in the saved state of a device.
struct KeptPack: Equatable {
  private(set) var offered = OfferedPack(id: "", policy: .onDemand, size: PackSize())
  private var version = 0
  /// The archive, if it is in the download folder.
  private(set) var archive: DeviceFile?
  /// The path or the address of the archive, if it is elsewhere.
  private var place: String?
  private(set) var isRequested = false
  /// The number of its paths in the list; nil if its files are unknown.
  private(set) var count: Int?
  private var unknown: [JSONValue.Member] = []

  private init() {}

  fileprivate init(_ pack: ReleasedPack) {
    offered = pack.offered
    version = pack.version
    place = pack.place
  }

  /// Describes a pack of a device; `before` is the same pack in an earlier state.
  init(_ installed: InstalledPack, downloadingTo folder: String, like before: KeptPack?) {
    self.init(installed.pack)
    isRequested = installed.isRequested
    count = installed.pack.contents?.count
    unknown = before?.unknown ?? []
    let name = FilePath(installed.pack.place).name
    guard let file = DeviceFile(name), file.isArchive,
      FilePath(folder).appending(name).text == installed.pack.place
    else { return }
    (archive, place) = (file, nil)
  }

  /// Returns the pack without its contents; nil if it has no place.
  func pack(downloadingTo folder: String) -> ReleasedPack? {
    let place = archive.map { FilePath(folder).appending($0.name).text } ?? place
    return place.map { ReleasedPack(offered, version: version, place: $0) }
  }
}

// MARK: - As JSON

extension KeptDevice: Described {
  static let table = Table("a device", blank: KeptDevice()) {
    keys
    // The member 'format' belongs to the file.
    Key(others: \.unknown, besides: names(of: keys) + ["format"])
  }

  private static let keys: [Key<Self>] = [
    Key("device", \.profile, .object, "The properties of the device."),
    Key("app", \.state.hasApp, .flag, "Whether the app is installed."),
    Key("clock", \.state.clock, .milliseconds, "The time on the device in milliseconds."),
    Key("poll", \.state.lastPoll, .milliseconds, "The time of the last check by the system."),
    Key("files", \.number, .count, "The number in the name of the list of paths; 0 for none."),
    Key(
      "refused", \.state.refused, .packIDs, is: .optional,
      "The packs whose downloads the extension rejects."),
    Key("missed", \.state.missed, .packIDs, is: .optional, "The packs whose prefetch failed."),
    Key(
      "made", \.made, .list(of: .deviceFile), is: .optional,
      "Other files in the folder that the device created."),
    Key("launch", \.state.lastLaunch, .milliseconds, "The time of the last launch of the app."),
    Key("language", \.state.chosenLanguage, .language, "The language that the app set."),
    Key("packs", \.packs, .list(of: .installed), "The packs on the device."),
    Key("manifest", \.state.manifest, .manifest, "The manifest that the device read last."),
    Key("versions", \.versions, .versions, "The versions of local archives."),
  ]

  private var profile: KeptProfile {
    get { KeptProfile(profile: state.profile, unknown: unknownOfProfile) }
    set { (state.profile, unknownOfProfile) = (newValue.profile, newValue.unknown) }
  }
}

/// The properties of a device, in its saved state.
private struct KeptProfile: Described {
  var profile = DeviceProfile()
  var unknown: [JSONValue.Member] = []

  static let table = Table("a device", blank: Self()) {
    keys
    Key(others: \.unknown, besides: names(of: keys))
  }

  private static let keys: [Key<Self>] = [
    Key("platform", \.profile.platform, .word, "The platform."),
    Key("os", \.profile.system, .count, "The version of the system."),
    Key(
      "languages", \.profile.languages, .list(of: .language), is: .optional,
      "The preferred languages, the most preferred first."),
    Key("primary", \.profile.primaryLanguage, .language, "The primary language of the app."),
    Key("free", \.profile.free, .bytes, "The space for packs in bytes, if it is limited."),
    Key(
      "rate", \.profile.bytesPerSecond, .bytes, "The bandwidth in bytes per second, if it is known."
    ),
  ]
}

extension KeptPack: Described {
  static let table = Table("a pack", blank: KeptPack()) {
    keys
    Key(others: \.unknown, besides: names(of: keys))
  }

  private static let keys =
    offer + [
      Key("asked", \.isRequested, .flag, "Whether the app requested the pack."),
      Key("files", \.count, .count, "The number of its files, if they are known."),
    ]

  /// A pack that is offered to the device.
  private static let offered = Table("a pack", blank: KeptPack()) { offer }

  private static let offer: [Key<Self>] = [
    Key("id", \.offered.id, .packID, "The ID of the pack."),
    Key("version", \.version, .count, "The version of the pack."),
    Key("bytes", \.offered.size.download, .bytes, "The size of the archive in bytes."),
    Key("unpacked", \.offered.size.unpacked, .bytes, "The size of its files in bytes."),
    Key(cases: "policy", \.offered.policy, "The download policy.") {
      Case(DownloadPolicy.essential([]).name, DownloadPolicy.essential, \.essential, blank: []) {
        events
      }
      Case(DownloadPolicy.prefetch([]).name, DownloadPolicy.prefetch, \.prefetch, blank: []) {
        events
      }
      Case(DownloadPolicy.onDemand.name, { _ in .onDemand }, \.onDemand, blank: []) { events }
    },
    Key(
      "platforms", \.offered.platforms, .list(of: .word), is: .optional,
      "The platforms that it is offered on; empty for all."),
    Key("archive", \.archive, .archive, "The file in the download folder."),
    Key("place", \.place, .text, "The path or the address of the archive, if it is elsewhere."),
    Key("language", \.offered.language, .language, "The language, if the pack is localized."),
  ]

  private static let events = Key<Set<InstallationEvent>>(
    "events", \.self,
    .mapped(
      .list(of: .word), write: { $0.sorted { $0.rawValue < $1.rawValue } }, read: { Set($0) }),
    is: .optional, "The installation events of the policy.")

  fileprivate static func form(_ table: Table<Self>) -> Form<Self> {
    .mapped(
      .object(table), expecting: "a pack with a place", write: { $0 },
      read: { $0.pack(downloadingTo: "") == nil ? nil : $0 })
  }

  fileprivate static let manifest = Table("a manifest", blank: (name: "", packs: [KeptPack]())) {
    Key("name", \.name, .text, "The path or the address of the manifest.")
    Key("packs", \.packs, .list(of: form(offered)), "The packs in the manifest.")
  }
}

extension DownloadPolicy {
  fileprivate var essential: Set<InstallationEvent>? {
    if case .essential(let events) = self { events } else { nil }
  }
  fileprivate var prefetch: Set<InstallationEvent>? {
    if case .prefetch(let events) = self { events } else { nil }
  }
  fileprivate var onDemand: Set<InstallationEvent>? { self == .onDemand ? [] : nil }
}

extension Form<KeptPack> {
  /// A pack on the device.
  fileprivate static var installed: Form { KeptPack.form(KeptPack.table) }
}

extension Form<Release> {
  fileprivate static var manifest: Form {
    .mapped(
      .object(KeptPack.manifest), write: { ($0.name, $0.packs.map { KeptPack($0) }) },
      read: { Release($0.name, $0.packs.compactMap { $0.pack(downloadingTo: "") }) })
  }
}

extension Form<[PackID: ReleaseReader.KnownVersion]> {
  fileprivate static var versions: Form {
    .mapped(
      .list(of: .object(knownVersion)), write: { $0.sorted { $0.key < $1.key }.map { ($0, $1) } },
      read: { Dictionary($0.map { ($0.id, $0.known) }) { $1 } })
  }
}

private let knownVersion = Table(
  "a version",
  blank: (
    id: PackID(""), known: ReleaseReader.KnownVersion(version: 0, size: 0, sha256: "", path: "")
  )
) {
  Key("id", \.id, .packID, "The ID of the pack.")
  Key("version", \.known.version, .count, "The version of the archive.")
  Key("bytes", \.known.size, .bytes, "The size of the archive in bytes.")
  Key("sha256", \.known.digest, .text, "The SHA-256 digest of the archive.")
}

extension ReleaseReader.KnownVersion {
  /// The digest, which is known when the device is saved.
  fileprivate var digest: String {
    get { sha256 ?? "" }
    set { sha256 = newValue }
  }
}

extension Form<UInt64> {
  /// A time on the clock of a device.
  fileprivate static var milliseconds: Form {
    .mapped(
      .count, expecting: "a number of milliseconds", write: { $0 },
      read: { $0 <= DeviceState.lastMoment ? $0 : nil })
  }
}

extension Form<Set<PackID>> {
  fileprivate static var packIDs: Form {
    .mapped(.list(of: .packID), write: { $0.sorted() }, read: { Set($0) })
  }
}

extension Form<DeviceFile> {
  fileprivate static var deviceFile: Form {
    .text(expecting: "the name of a file of a device", write: \.text) { DeviceFile($0) }
  }

  fileprivate static var archive: Form {
    .mapped(
      .deviceFile, expecting: "the name of an archive of a device", write: { $0 },
      read: { $0.isArchive ? $0 : nil })
  }
}

private func names<Subject>(of keys: [Key<Subject>]) -> [String] { keys.flatMap(\.record.names) }
