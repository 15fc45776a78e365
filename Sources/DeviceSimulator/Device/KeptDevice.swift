import BAPackKit
import SourceDiagnostics
import SystemIO

/// The saved state of a device: a document, and a list of the paths of its files.
///
/// The list can have a million paths.
struct KeptDevice: JSONStateDocument {
  /// The device; the `place` of a pack from a server is only the file name of its archive.
  private(set) var state = DeviceState()
  private(set) var versions: [PackID: ReleaseReader.KnownVersion] = [:]
  /// The number of the list of paths; 0 if there is none.
  private(set) var number = 0
  /// The packs whose archives the device downloaded to its download folder.
  private var downloaded: Set<PackID> = []
  /// Other files that the device created and that may still exist.
  var made: [String] = []
  /// The number of paths of each pack, in the order of the list.
  private var counts: [Count] = []
  /// Unknown members, which are preserved.
  private var unknown = Unknown()

  private struct Count: Equatable {
    var id: PackID
    var count: Int
  }

  private struct Unknown: Equatable {
    var members: [JSONValue.Member] = []
    var ofDevice: [JSONValue.Member] = []
    var ofPacks: [PackID: [JSONValue.Member]] = [:]
  }

  static var noun: String { "kept device" }
  static var loss: String { "the next run begins with a new device" }
  static var largest: Int { 256 << 20 }
  static var rules: StateRules { StateRules(.owner) }
  static var format: Int { 1 }
  static var writtenFormat: JSONValue { .string("1") }
  static var layout: JSONWriter.Layout { .readable }

  /// Creates a device without a saved state.
  init() {}

  /// Returns the device with its archives in the download folder.
  func device(downloadingTo folder: String) -> DeviceState {
    var device = state
    for id in downloaded {
      guard var own = state.installed[id] else { continue }
      own.pack.place = FilePath(folder).appending(FilePath(own.pack.place)).text
      device.put(own)
    }
    return device
  }

  /// Returns the same document with another state of the device.
  func changed(
    to state: DeviceState, _ versions: [PackID: ReleaseReader.KnownVersion], number: Int,
    downloadingTo folder: String
  ) -> KeptDevice {
    var device = self
    device.state = state
    device.versions = versions
    device.number = number
    device.made = []
    device.downloaded = []
    device.counts = []
    for id in state.installedIDs {
      guard var own = state.installed[id] else { continue }
      if let contents = own.pack.contents {
        device.counts.append(Count(id: id, count: contents.count))
      }
      let name = FilePath(own.pack.place).name
      guard DeviceFile(name)?.isArchive == true,
        FilePath(folder).appending(name).text == own.pack.place
      else { continue }
      own.pack.place = FilePath(name.bytes).text
      device.state.put(own)
      device.downloaded.insert(id)
    }
    return device
  }

  /// The archives of the packs that the device downloaded.
  var archives: Set<DeviceFile> {
    Set(downloaded.compactMap { state.installed[$0].flatMap { DeviceFile($0.pack.place) } })
  }

  /// All files that the device created and that may still exist: lists of paths and archives.
  var files: Set<DeviceFile> {
    var files = archives.union(made.compactMap { DeviceFile($0) })
    if number > 0 { files.insert(.list(number)) }
    return files
  }

  // MARK: Writing

  /// The paths of all packs, one behind the other: the size, a space, the path, a NUL.
  var paths: [UInt8] {
    var paths: [UInt8] = []
    for id in state.installedIDs {
      guard let contents = state.installed[id]?.pack.contents else { continue }
      for index in 0..<contents.count {
        paths += Array("\(contents.size(at: index)) ".utf8)
        paths += contents[index].bytes
        paths.append(0)
      }
    }
    return paths
  }

  var members: [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("device", .object(Self.members(of: state.profile) + unknown.ofDevice)),
      .init("app", .bool(state.hasApp)), .init("clock", .number("\(state.clock)")),
      .init("poll", .number("\(state.lastPoll)")), .init("files", .number("\(number)")),
      .init("refused", .array(state.refused.sorted().map { .string($0.text) })),
      .init("missed", .array(state.missed.sorted().map { .string($0.text) })),
      .init("made", .array(made.map { .string($0) })),
    ]
    if let launch = state.lastLaunch { members.append(.init("launch", .number("\(launch)"))) }
    if let language = state.chosenLanguage {
      members.append(.init("language", .string("\(language)")))
    }
    let counts = Dictionary(counts.map { ($0.id, $0.count) }) { first, _ in first }
    let packs = state.installedIDs.compactMap { id -> JSONValue? in
      guard let own = state.installed[id] else { return nil }
      let place = downloaded.contains(id) ? "archive" : "place"
      var members = Self.members(of: own.pack, placedBy: place)
      members.append(.init("asked", .bool(own.isAskedFor)))
      if let count = counts[id] { members.append(.init("files", .number("\(count)"))) }
      return .object(members + (unknown.ofPacks[id] ?? []))
    }
    members.append(.init("packs", .array(packs)))
    if let manifest = state.manifest {
      members.append(
        .init(
          "manifest",
          .object([
            .init("name", .string(manifest.name)),
            .init(
              "packs",
              .array(manifest.packs.map { .object(Self.members(of: $0, placedBy: "place")) })),
          ])))
    }
    let known = versions.sorted { $0.key < $1.key }.map { id, known -> JSONValue in
      .object([
        .init("id", .string(id.text)), .init("version", .number("\(known.version)")),
        .init("bytes", .number("\(known.size)")), .init("sha256", .string(known.sha256 ?? "")),
      ])
    }
    members.append(.init("versions", .array(known)))
    return members + unknown.members
  }

  /// The known members of the document, of the device and of a pack.
  private static let known: (document: Set<String>, device: Set<String>, pack: Set<String>) = (
    [
      "format", "device", "app", "clock", "poll", "files", "refused", "missed", "made", "launch",
      "language", "packs", "manifest", "versions",
    ], ["platform", "os", "languages", "primary", "free", "rate"],
    [
      "id", "version", "bytes", "unpacked", "policy", "events", "platforms", "archive", "place",
      "language", "asked", "files",
    ]
  )

  private static func members(of profile: DeviceProfile) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("platform", .string(profile.platform.rawValue)),
      .init("os", .number("\(profile.system)")),
      .init("languages", .array(profile.languages.map { .string("\($0)") })),
    ]
    if let primary = profile.primaryLanguage {
      members.append(.init("primary", .string("\(primary)")))
    }
    if let free = profile.free { members.append(.init("free", .number("\(free)"))) }
    if let rate = profile.bytesPerSecond { members.append(.init("rate", .number("\(rate)"))) }
    return members
  }

  private static func members(
    of pack: ReleasedPack, placedBy place: String
  ) -> [JSONValue.Member] {
    let offered = pack.offered
    var members: [JSONValue.Member] = [
      .init("id", .string(pack.id.text)), .init("version", .number("\(pack.version)")),
      .init("bytes", .number("\(offered.size.download)")),
      .init("unpacked", .number("\(offered.size.unpacked)")),
      .init("policy", .string(offered.policy.name)),
      .init("events", .array(offered.policy.events.map(\.rawValue).sorted().map { .string($0) })),
      .init("platforms", .array(offered.platforms.map { .string($0.rawValue) })),
      .init(place, .string(pack.place)),
    ]
    if let language = offered.language { members.append(.init("language", .string("\(language)"))) }
    return members
  }

  // MARK: Reading

  init(_ root: JSONNode, format: Int) throws(StateFault) {
    guard let app = root["app"]?.bool, let packs = root["packs"], let device = root["device"],
      let known = root["versions"]
    else { throw .damaged("a part of the device is missing") }
    unknown.members = Self.unknownMembers(of: root, besides: Self.known.document)
    unknown.ofDevice = Self.unknownMembers(of: device, besides: Self.known.device)
    number = try Self.number(root["files"])
    state.profile = try Self.profile(device)
    state.hasApp = app
    state.clock = try Self.moment(root["clock"])
    state.lastPoll = try Self.moment(root["poll"])
    if let launch = root["launch"] { state.lastLaunch = try Self.moment(launch) }
    if let language = root["language"] { state.chosenLanguage = try Self.language(language) }
    state.refused = try Self.ids(root["refused"])
    if let manifest = root["manifest"] {
      guard let name = manifest["name"]?.string, let packs = manifest["packs"] else {
        throw .damaged("the manifest has no name or no packs")
      }
      var released: [ReleasedPack] = []
      for node in packs.elements { released.append(try Self.pack(node).pack) }
      state.manifest = Release(name, released)
    }
    for node in packs.elements {
      let (pack, isDownloaded) = try Self.pack(node)
      if let count = node["files"] {
        counts.append(Count(id: pack.id, count: try Self.number(count)))
      }
      guard let isAskedFor = node["asked"]?.bool else {
        throw .damaged("a pack has no member 'asked'")
      }
      state.put(InstalledPack(pack, isAskedFor: isAskedFor))
      if isDownloaded { downloaded.insert(pack.id) }
      let others = Self.unknownMembers(of: node, besides: Self.known.pack)
      if !others.isEmpty { unknown.ofPacks[pack.id] = others }
    }
    state.missed = try Self.ids(root["missed"])
    for node in root["made"]?.elements.map({ $0 }) ?? [] {
      guard let name = node.string, DeviceFile(name) != nil else {
        throw .damaged("'made' contains a name that is not the name of a device's file")
      }
      made.append(name)
    }
    for node in known.elements {
      guard let id = node["id"]?.string, let sha256 = node["sha256"]?.string else {
        throw .damaged("a version has no pack or no digest")
      }
      versions[PackID(id)] = .init(
        version: try Self.number(node["version"]), size: try Self.number(node["bytes"]),
        sha256: sha256, path: "")
    }
  }

  /// Adds the paths of the files of all packs from the list.
  mutating func add(paths bytes: [UInt8]) throws(StateFault) {
    var paths = Paths(bytes)
    for count in counts {
      guard var own = state.installed[count.id] else { continue }
      own.pack.contents = try paths.take(count.count)
      state.put(own)
    }
  }

  private static func unknownMembers(
    of node: JSONNode, besides known: Set<String>
  ) -> [JSONValue.Member] {
    node.members.compactMap { member in
      guard let key = member.key.string, !known.contains(key) else { return nil }
      return JSONValue.Member(key, member.value.value)
    }
  }

  private static func ids(_ node: JSONNode?) throws(StateFault) -> Set<PackID> {
    var ids: Set<PackID> = []
    for element in node?.elements.map({ $0 }) ?? [] {
      guard let id = element.string else { throw .damaged("an ID of a pack is not a string") }
      ids.insert(PackID(id))
    }
    return ids
  }
  private static func number<Number: FixedWidthInteger>(
    _ node: JSONNode?
  ) throws(StateFault) -> Number {
    guard let number = node?.number.flatMap({ Number($0) }), number >= 0 else {
      throw .damaged("a number is missing or out of range")
    }
    return number
  }

  private static func moment(_ node: JSONNode?) throws(StateFault) -> UInt64 {
    let moment: UInt64 = try number(node)
    guard moment <= DeviceState.lastMoment else { throw .damaged("a time is out of range") }
    return moment
  }

  private static func language(_ node: JSONNode) throws(StateFault) -> LanguageTag {
    guard let tag = node.string.flatMap({ LanguageTag($0) }) else {
      throw .damaged("a language is not valid")
    }
    return tag
  }

  private static func platform(_ node: JSONNode?) throws(StateFault) -> Platform {
    guard let platform = node?.string.flatMap({ Platform(rawValue: $0) }) else {
      throw .damaged("a platform is not known")
    }
    return platform
  }

  private static func profile(_ node: JSONNode) throws(StateFault) -> DeviceProfile {
    var profile = DeviceProfile()
    profile.platform = try platform(node["platform"])
    profile.system = try number(node["os"])
    for language in node["languages"]?.elements.map({ $0 }) ?? [] {
      profile.languages.append(try Self.language(language))
    }
    if let primary = node["primary"] { profile.primaryLanguage = try language(primary) }
    if let free = node["free"] { profile.free = try number(free) }
    if let rate = node["rate"] { profile.bytesPerSecond = try number(rate) }
    return profile
  }

  /// Reads a pack; `isDownloaded` is true if its archive is in the download folder.
  private static func pack(
    _ node: JSONNode
  ) throws(StateFault) -> (pack: ReleasedPack, isDownloaded: Bool) {
    let archive = node["archive"]?.string
    if let archive, DeviceFile(archive)?.isArchive != true {
      throw .damaged("'archive' is not the name of a device's archive")
    }
    guard let id = node["id"]?.string, let place = archive ?? node["place"]?.string else {
      throw .damaged("a pack has no ID or no place")
    }
    var events: Set<InstallationEvent> = []
    for event in node["events"]?.elements.map({ $0 }) ?? [] {
      guard let event = event.string.flatMap({ InstallationEvent(rawValue: $0) }) else {
        throw .damaged("an installation event is not known")
      }
      events.insert(event)
    }
    let policies: [DownloadPolicy] = [.essential(events), .prefetch(events), .onDemand]
    guard let policy = policies.first(where: { $0.name == node["policy"]?.string }) else {
      throw .damaged("a download policy is not known")
    }
    var platforms: [Platform] = []
    for platform in node["platforms"]?.elements.map({ $0 }) ?? [] {
      platforms.append(try Self.platform(platform))
    }
    let pack = ReleasedPack(
      OfferedPack(
        id: PackID(id), policy: policy, platforms: platforms,
        language: try node["language"].map { (tag) throws(StateFault) in try Self.language(tag) },
        size: PackSize(
          download: try Self.number(node["bytes"]), unpacked: try Self.number(node["unpacked"]))),
      version: try Self.number(node["version"]), place: place)
    return (pack, archive != nil)
  }

  /// The list of paths, of which packs take theirs one after the other.
  private struct Paths {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func take(_ count: Int) throws(StateFault) -> PackContents {
      var contents = PackContents()
      for _ in 0..<count {
        guard let end = bytes[place...].firstIndex(of: 0) else {
          throw .damaged("the list of paths ends too early")
        }
        let line = bytes[place..<end]
        let digits = line.prefix { $0 != UInt8(ascii: " ") }
        let path = AssetPath(unchecked: line.dropFirst(digits.count + 1))
        guard let size = UInt64(String(decoding: digits, as: UTF8.self)),
          contents.hasRoom(for: path)
        else { throw .damaged("the list of paths has a line without a size") }
        contents.append(path, size: size)
        place = end + 1
      }
      contents.sort()
      return contents
    }
  }
}
