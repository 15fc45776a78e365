import BAPackKit
import SourceDiagnostics
import SystemIO

/// A device as it is written down: a text, and a list of the paths of its files, which may be a million.
struct KeptDevice: Sendable {
  private(set) var state = DeviceState()
  private(set) var versions: [PackID: ReleaseReader.KnownVersion] = [:]
  /// The number of the list of paths; 0 while there is none.
  private(set) var number = 0
  /// Where archives are that were downloaded: those are known by their names, wherever the device is.
  private let folder: String

  private static let format = "1"
  static let largestText = 256 << 20

  /// A device of which nothing was written down.
  init(downloadingTo folder: String) { self.folder = folder }

  init(
    _ state: DeviceState, _ versions: [PackID: ReleaseReader.KnownVersion], number: Int,
    downloadingTo folder: String
  ) {
    self.folder = folder
    self.state = state
    self.versions = versions
    self.number = number
  }

  // MARK: Writing

  /// The paths of all packs, one behind the other: the size, a space, the path, a NUL.
  var files: [UInt8] {
    var files: [UInt8] = []
    for id in state.installedIDs {
      guard let contents = state.installed[id]?.pack.contents else { continue }
      for index in 0..<contents.count {
        files += Array("\(contents.size(at: index)) ".utf8)
        files += contents[index]
        files.append(0)
      }
    }
    return files
  }

  var text: [UInt8] {
    var members: [JSONValue.Member] = [
      .init("format", .string(Self.format)), .init("device", Self.json(state.profile)),
      .init("app", .bool(state.hasApp)), .init("clock", .number("\(state.clock)")),
      .init("poll", .number("\(state.lastPoll)")), .init("files", .number("\(number)")),
      .init("refused", .array(state.refused.sorted().map { .string($0.text) })),
    ]
    if let launch = state.lastLaunch { members.append(.init("launch", .number("\(launch)"))) }
    if let language = state.chosenLanguage {
      members.append(.init("language", .string("\(language)")))
    }
    let packs = state.installedIDs.compactMap { state.installed[$0] }
    members.append(
      .init(
        "packs",
        .array(
          packs.map { own in
            var members = description(of: own.pack) + [.init("asked", .bool(own.isAskedFor))]
            if let contents = own.pack.contents {
              members.append(.init("files", .number("\(contents.count)")))
            }
            return .object(members)
          })))
    if let manifest = state.manifest {
      members.append(
        .init(
          "manifest",
          .object([
            .init("name", .string(manifest.name)),
            .init("packs", .array(manifest.packs.map { .object(description(of: $0)) })),
          ])))
    }
    let known = versions.sorted { $0.key < $1.key }.map { id, known -> JSONValue in
      .object([
        .init("id", .string(id.text)), .init("version", .number("\(known.version)")),
        .init("bytes", .number("\(known.size)")), .init("sha256", .string(known.sha256 ?? "")),
      ])
    }
    return JSONWriter.bytes(.object(members + [.init("versions", .array(known))]), .readable)
  }

  private static func json(_ profile: DeviceProfile) -> JSONValue {
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
    return .object(members)
  }

  private func description(of pack: ReleasedPack) -> [JSONValue.Member] {
    let offered = pack.offered
    var members: [JSONValue.Member] = [
      .init("id", .string(pack.id.text)), .init("version", .number("\(pack.version)")),
      .init("bytes", .number("\(offered.size.download)")),
      .init("unpacked", .number("\(offered.size.unpacked)")),
      .init("policy", .string(offered.policy.name)),
      .init("events", .array(offered.policy.events.map(\.rawValue).sorted().map { .string($0) })),
      .init("platforms", .array(offered.platforms.map { .string($0.rawValue) })),
    ]
    let name = FilePath(pack.place).name
    if FilePath(folder).appending(name).text == pack.place {
      members.append(.init("archive", .string(FilePath(name.bytes).text)))
    } else {
      members.append(.init("place", .string(pack.place)))
    }
    if let language = offered.language { members.append(.init("language", .string("\(language)"))) }
    return members
  }

  // MARK: Reading

  /// Something in the text that we did not write.
  private struct Damage: Error {}

  /// Reads what was written down; `files` gives the list of paths with a number.
  init(
    reading text: [UInt8], named name: String, downloadingTo folder: String,
    files: (Int) throws(PackError) -> [UInt8]
  ) throws(PackError) {
    self.folder = folder
    var limits = JSONLimits()
    limits.size = Self.largestText
    let document = JSONDocument(parsing: SourceText(text, named: name), limits: limits)
    let root = document.findings.hasErrors ? nil : document.root
    if let format = root?["format"]?.string, format != Self.format {
      throw PackError(
        .unsupported, "'\(name)' was kept by another version of this program",
        remedy: "name another folder, or an empty one")
    }
    do throws(Damage) {
      guard let root else { throw Damage() }
      number = try Self.number(root["files"])
    } catch {
      throw Self.damaged(name)
    }
    let files = try number > 0 ? files(number) : []
    do throws(Damage) {
      guard let root else { throw Damage() }
      try read(root, files)
    } catch {
      throw Self.damaged(name)
    }
  }

  private static func damaged(_ name: String) -> PackError {
    PackError(
      .malformed(offset: nil), "'\(name)' is no device that was kept",
      remedy: "name another folder, or an empty one")
  }

  private mutating func read(_ root: JSONNode, _ files: [UInt8]) throws(Damage) {
    guard let app = root["app"]?.bool, let packs = root["packs"], let device = root["device"],
      let known = root["versions"]
    else { throw Damage() }
    state.profile = try Self.profile(device)
    state.hasApp = app
    state.clock = try Self.moment(root["clock"])
    state.lastPoll = try Self.moment(root["poll"])
    if let launch = root["launch"] { state.lastLaunch = try Self.moment(launch) }
    if let language = root["language"] { state.chosenLanguage = try Self.language(language) }
    for node in root["refused"]?.elements.map({ $0 }) ?? [] {
      guard let id = node.string else { throw Damage() }
      state.refused.insert(PackID(id))
    }
    if let manifest = root["manifest"] {
      guard let name = manifest["name"]?.string, let packs = manifest["packs"] else {
        throw Damage()
      }
      var released: [ReleasedPack] = []
      for node in packs.elements { released.append(try pack(node)) }
      state.manifest = Release(name, released)
    }
    var paths = Paths(files)
    for node in packs.elements {
      var pack = try pack(node)
      if let count = node["files"] { pack.contents = try paths.take(Self.number(count)) }
      guard let isAskedFor = node["asked"]?.bool else { throw Damage() }
      state.put(InstalledPack(pack, isAskedFor: isAskedFor))
    }
    for node in known.elements {
      guard let id = node["id"]?.string, let sha256 = node["sha256"]?.string else {
        throw Damage()
      }
      versions[PackID(id)] = .init(
        version: try Self.number(node["version"]), size: try Self.number(node["bytes"]),
        sha256: sha256, path: "")
    }
  }

  private static func number<Number: FixedWidthInteger>(
    _ node: JSONNode?
  ) throws(Damage) -> Number {
    guard let number = node?.number.flatMap({ Number($0) }), number >= 0 else { throw Damage() }
    return number
  }

  private static func moment(_ node: JSONNode?) throws(Damage) -> UInt64 {
    let moment: UInt64 = try number(node)
    guard moment <= DeviceState.lastMoment else { throw Damage() }
    return moment
  }

  private static func language(_ node: JSONNode) throws(Damage) -> LanguageTag {
    guard let tag = node.string.flatMap({ LanguageTag($0) }) else { throw Damage() }
    return tag
  }

  private static func platform(_ node: JSONNode?) throws(Damage) -> Platform {
    guard let platform = node?.string.flatMap({ Platform(rawValue: $0) }) else { throw Damage() }
    return platform
  }

  private static func profile(_ node: JSONNode) throws(Damage) -> DeviceProfile {
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

  private func pack(_ node: JSONNode) throws(Damage) -> ReleasedPack {
    let archive = node["archive"]?.string.map { FilePath(folder).appending(FilePath($0)).text }
    guard let id = node["id"]?.string, let place = archive ?? node["place"]?.string else {
      throw Damage()
    }
    var events: Set<InstallationEvent> = []
    for event in node["events"]?.elements.map({ $0 }) ?? [] {
      guard let event = event.string.flatMap({ InstallationEvent(rawValue: $0) }) else {
        throw Damage()
      }
      events.insert(event)
    }
    let policies: [DownloadPolicy] = [.essential(events), .prefetch(events), .onDemand]
    guard let policy = policies.first(where: { $0.name == node["policy"]?.string }) else {
      throw Damage()
    }
    var platforms: [Platform] = []
    for platform in node["platforms"]?.elements.map({ $0 }) ?? [] {
      platforms.append(try Self.platform(platform))
    }
    return ReleasedPack(
      OfferedPack(
        id: PackID(id), policy: policy, platforms: platforms,
        language: try node["language"].map { (tag) throws(Damage) in try Self.language(tag) },
        size: PackSize(
          download: try Self.number(node["bytes"]), unpacked: try Self.number(node["unpacked"]))),
      version: try Self.number(node["version"]), place: place)
  }

  /// The list of paths, of which packs take theirs one after the other.
  private struct Paths {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func take(_ count: Int) throws(Damage) -> PackContents {
      var contents = PackContents()
      for _ in 0..<count {
        guard let end = bytes[place...].firstIndex(of: 0) else { throw Damage() }
        let line = bytes[place..<end]
        let digits = line.prefix { $0 != UInt8(ascii: " ") }
        guard let size = UInt64(String(decoding: digits, as: UTF8.self)),
          contents.hasRoom(for: line)
        else { throw Damage() }
        contents.append(line.dropFirst(digits.count + 1), size: size)
        place = end + 1
      }
      contents.sort()
      return contents
    }
  }
}
