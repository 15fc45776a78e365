import AssetServer
import BAPackKit
import DeviceSimulator
import Faults
import HTTPServer
import SourceDiagnostics
import SystemIO
import TLSIdentity
import TestSupport
import Testing

/// A game with three releases, and the actions on a device, generated from a seed.
private struct Story {
  struct Pack: Equatable {
    var id: String
    var policy: String
    var language: String?
    var platforms: [String]
    var size: Int
    var seed: UInt64
  }

  enum Act: Equatable, CustomStringConvertible {
    case step(Step)
    case release(Int)
    case fault(DownloadFault)

    var description: String {
      switch self {
      case .step(let step): "\(step)"
      case .release(let number): "release \(number)"
      case .fault(let fault): "fault \(fault)"
      }
    }
  }

  var releases: [[Pack]] = []
  var acts: [Act] = []
  var profile = DeviceProfile()

  private static let policies = [
    #"{"essential": {"installationEventTypes": ["firstInstallation", "subsequentUpdate"]}}"#,
    #"{"essential": {"installationEventTypes": ["firstInstallation"]}}"#,
    #"{"prefetch": {"installationEventTypes": ["firstInstallation", "subsequentUpdate"]}}"#,
    #"{"prefetch": {"installationEventTypes": ["subsequentUpdate"]}}"#,
    #"{"onDemand": {}}"#,
  ]
  private static let languages = ["en", "fr", "es-MX", "zh-Hant"]
  static let ids = ["a", "b", "c", "d", "x1", "x2"]

  init(seed: UInt64) throws {
    var random = Seeded(seed: seed)
    var packs: [Pack] = []
    for id in Self.ids.prefix(4) { packs.append(Self.pack(id, &random)) }
    releases.append(packs)
    for number in 1...2 {
      packs.removeAll { _ in random.next(below: 8) == 0 }
      for index in packs.indices where random.next(below: 2) == 0 {
        packs[index].size = 1500 + random.next(below: 5000)
        packs[index].seed = random.next()
      }
      // New packs sort after the others, as on the server.
      packs.append(Self.pack("x\(number)", &random))
      releases.append(packs)
    }
    profile.languages = [Self.tag(&random), Self.tag(&random)].compactMap { $0 }
    profile.primaryLanguage = LanguageTag("en")
    if random.next(below: 3) == 0 { profile.free = UInt64(4000 + random.next(below: 30_000)) }
    acts = [.release(0), .step(.install)]
    var release = 0
    for _ in 0..<18 { acts.append(try Self.act(&random, &release)) }
    if random.next(below: 2) == 0 { acts.insert(.fault(try Self.fault(&random)), at: 1) }
  }

  private static func pack(_ id: String, _ random: inout Seeded) -> Pack {
    Pack(
      id: id, policy: policies[random.next(below: policies.count)],
      language: random.next(below: 3) == 0 ? languages[random.next(below: languages.count)] : nil,
      platforms: random.next(below: 6) == 0 ? ["macOS"] : [],
      size: 1500 + random.next(below: 5000), seed: random.next())
  }

  private static func tag(_ random: inout Seeded) -> LanguageTag? {
    LanguageTag(languages[random.next(below: languages.count)])
  }

  private static func act(_ random: inout Seeded, _ release: inout Int) throws -> Act {
    func ids() -> [PackID] {
      (0...random.next(below: 2)).map { _ in PackID(Self.ids[random.next(below: Self.ids.count)]) }
    }
    switch random.next(below: 22) {
    case 0: return .step(.install)
    case 1: return .step(.updateApp)
    case 2...5: return .step(.request(ids(), latest: random.next(below: 2) == 0))
    case 6, 7: return .step(.checkForUpdates)
    case 8, 9:
      // Published again, a release is the predecessor of itself on the server.
      if release == 2 { return .step(.launch) }
      release += 1
      return .release(release)
    case 10: return .step(.remove(ids()))
    case 11: return .step(.deviceLanguage([tag(&random)].compactMap { $0 }))
    case 12: return .step(.reconcile)
    case 13: return .step(random.next(below: 2) == 0 ? .offline : .online)
    case 14: return .step(.online)
    case 15: return .step(.launch)
    case 16: return .step(.wait(UInt64(random.next(below: 3)) * 86_400_000))
    default: return .fault(try fault(&random))
    }
  }

  private static func fault(_ random: inout Seeded) throws -> DownloadFault {
    let isOfManifest = random.next(below: 5) == 0
    let common: [DownloadEffect] = [
      .cut(.percent([0, 1, 60, 99, 100][random.next(below: 5)])), .cut(.bytes(20)),
      .reset(.bytes(0)),
      .status([404, 429, 503][random.next(below: 3)]), .stall(.milliseconds(5)), .truncate,
      .corrupt, .tlsClose,
    ]
    let own: [DownloadEffect] =
      isOfManifest
      ? [.notJSON, .stale] : [.cut(.bytes(1000)), .cut(.bytes(1 << 20)), .reset(.bytes(1 << 20))]
    let effects = common + own
    let name = ["*", "?", "x*"] + ids
    let subject = isOfManifest ? "manifest" : name[random.next(below: name.count)]
    let effect = effects[random.next(below: effects.count)]
    let turns = ["once", "once", "twice", "3 times", ""][random.next(below: 5)]
    return try DownloadFault(parsing: "\(subject): \(effect) \(turns)")
  }

  /// Returns the archive of a pack.
  static func archive(_ pack: Pack) -> [UInt8] {
    var random = Seeded(seed: pack.seed)
    var bytes = PackBytes.beginning
    bytes.addFile("Contents/\(pack.id).bin", random.noise(pack.size))
    bytes.addFile("Contents/shared.bin", random.noise(10))
    let tag = pack.language.map { #", "language": "\#($0)""# } ?? ""
    let platforms = pack.platforms.map { "\"\($0)\"" }.joined(separator: ", ")
    bytes.addFile(
      "Manifest.json",
      Array(
        """
        {"assetPackID": "\(pack.id)", "downloadPolicy": \(pack.policy), "platforms": [\(platforms)],
         "fileSelectors": [{"directory": "."}]\(tag)}
        """.utf8))
    return bytes.container()
  }
}

/// The state of a device that is visible to an app and its user.
private struct Seen: Equatable {
  var hasApp: Bool
  var versions: [String: Int]
  var used: UInt64
  var language: LanguageTag?
  var localLanguages: [LanguageTag]
  var statuses: [String: [PackStatus]]
  var readable: [String: Event.ReadResult]

  init(_ state: DeviceState, _ source: ReleaseSource) {
    hasApp = state.hasApp
    versions = Dictionary(
      uniqueKeysWithValues: state.installed.map { ($0.key.text, $0.value.pack.version) })
    used = state.used
    language = state.language.language
    localLanguages = state.localLanguages
    statuses = Dictionary(
      uniqueKeysWithValues: Story.ids.map { ($0, state.status(of: PackID($0))) })
    let paths = Story.ids.map { "\($0).bin" } + ["shared.bin"]
    readable = Dictionary(uniqueKeysWithValues: paths.map { ($0, state.find($0, source).answer) })
  }
}

/// A loopback server that publishes the releases of a story, one after the other.
private final class StoryServer {
  private let folder: String
  private let catalogue = Catalogue()
  private let board = LiveFaults()
  private let server: HTTPServer
  private let releases: [[Story.Pack]]
  private var current: [Story.Pack] = []

  init(_ story: Story, in folder: String, _ authority: Authority) throws {
    let now = Moment.now
    let context = try TLSContext { name, address throws(Failure) in
      guard let host = name.flatMap({ HostName($0) }) ?? HostName(address.hostText) else {
        throw .malformed("no host")
      }
      return try authority.leaf(for: host, at: now)
    }
    let listener = try Listener()
    let packs = AssetServer(catalogue, switches: board, port: listener.address.port)
    server = try HTTPServer(listener, tls: context, packs.handler)
    try server.start()
    self.folder = folder
    releases = story.releases
  }

  deinit { server.stop() }

  var address: String { "https://127.0.0.1:\(server.address.port)" }

  func publish(_ number: Int) throws {
    if current == releases[number] { return }
    let gone = current.filter { pack in !releases[number].contains { $0.id == pack.id } }
    // In one change: the packs before it are those of a stale manifest.
    _ = catalogue.replace(
      removing: gone.map { PackID($0.id) },
      by: try releases[number].filter { !current.contains($0) }.map { pack in
        let path = "\(folder)/release-\(number)/\(pack.id).aar"
        return Catalogue.Offer(
          try PublishedArchive(reading: path, .unstoppable),
          try PackFile(ByteSource(FileDescriptor.open(path, for: .reading))))
      })
    current = releases[number]
  }

  func cause(_ fault: DownloadFault) { board.add(fault) }

  /// The versions of the published packs.
  var packs: [PackID: Int] {
    Dictionary(uniqueKeysWithValues: catalogue.all.map { ($0.id, $0.version) })
  }
}

extension DeviceState {
  /// Returns whether the manifest of this device lists a version that the server no longer has.
  fileprivate func hasOldManifest(_ packs: [PackID: Int]) -> Bool {
    (manifest?.packs ?? []).contains { $0.isOffered(to: profile) && packs[$0.id] != $0.version }
  }
}

/// Faults of a TLS server and the same faults as scenario steps lead to the same device state.
@Suite(.mustEnd) struct SameFaultsTests {
  private let authority: Authority

  init() throws { authority = try Authority.make(called: "Tests", at: .now) }

  private struct Difference {
    let number: Int
    let act: Story.Act
    let byAddress: Seen
    let byFolder: Seen
    let events: String
  }

  /// Plays a story with the server and with folders, and returns the first difference.
  private func play(_ story: Story) throws -> Difference? {
    let folder = try TemporaryFolder()
    try folder.makeFolder("device")
    var reader = ReleaseReader()
    var local: [Release] = []
    for (number, packs) in story.releases.enumerated() {
      try folder.makeFolder("release-\(number)")
      for pack in packs {
        try folder.makeFile("release-\(number)/\(pack.id).aar", Story.archive(pack))
      }
      var findings = Ledger()
      local.append(try reader.read([folder.path("release-\(number)")], &findings, .unstoppable))
    }
    let server = try StoryServer(story, in: folder.path, authority)
    var options = RemoteServer.Options()
    options.roots = [try authority.root.pem()]
    let addresses = Dictionary(uniqueKeysWithValues: local.indices.map { ($0, server.address) })
    let remote = ReleaseSource(
      local.map { _ in Release(server.address, []) }, addresses: addresses,
      server: RemoteServer(keepingIn: folder.path("device"), options, .unstoppable), .unstoppable)
    let known = ReleaseSource(local: local, .unstoppable)
    var (one, other) = (DeviceState(), DeviceState())
    (one.profile, other.profile) = (story.profile, story.profile)
    for (number, act) in story.acts.enumerated() {
      var events: [[Event.Kind]] = [[], []]
      func play(_ step: Step, _ isRemote: Bool) {
        let result = (isRemote ? one : other).after(step, in: isRemote ? remote : known)
        if isRemote { one = result.state } else { other = result.state }
        events[isRemote ? 0 : 1] += result.events.map(\.kind)
      }
      switch act {
      case .fault(let fault):
        server.cause(fault)
        play(.fault(fault), false)
      case .release(let release):
        try server.publish(release)
        for isRemote in [true, false] { play(.release(release), isRemote) }
      case .step(let step): for isRemote in [true, false] { play(step, isRemote) }
      }
      let (byAddress, byFolder) = (Seen(one, remote), Seen(other, known))
      // With an old manifest, a device requests packs that the server no longer has. A folder still
      // has the packs of each release.
      let hasRequested = events[0].contains { event in
        switch event {
        case .manifest, .manifestFailed: true
        default: false
        }
      }
      if hasRequested, one.isOnline, one.hasOldManifest(server.packs) { return nil }
      if byAddress != byFolder {
        return Difference(
          number: number, act: act, byAddress: byAddress, byFolder: byFolder,
          events: "by address \(events[0])\nby folder \(events[1])")
      }
    }
    return nil
  }

  /// Returns a story without the actions that the difference does not need.
  private func shrunk(_ story: Story) throws -> Story {
    var smallest = story
    var index = story.acts.count - 1
    while index >= 0 {
      defer { index -= 1 }
      // A stale manifest is that of the release before.
      if case .release = smallest.acts[index] { continue }
      var shorter = smallest
      shorter.acts.remove(at: index)
      if try play(shorter) != nil { smallest = shorter }
    }
    return smallest
  }

  private func check(seed: UInt64) throws {
    let story = try Story(seed: seed)
    guard try play(story) != nil else { return }
    let smallest = try shrunk(story)
    let found = try play(smallest)
    Issue.record(
      """
      seed \(seed): the devices differ after step \(found?.number ?? -1)
      steps: \(smallest.acts.map(\.description).joined(separator: "\n  "))
      packs: \(smallest.releases)
      profile: \(smallest.profile)
      \(found?.events ?? "it does not happen again")
      by address: \(found.map { "\($0.byAddress)" } ?? "")
      by folder:  \(found.map { "\($0.byFolder)" } ?? "")
      """)
  }

  @Test(.heavy, arguments: 0..<6)
  func `150 sequences of server faults and scenario faults lead to the same device state`(part: Int)
    throws
  {
    for seed in 0..<25 { try check(seed: UInt64(part * 25 + seed)) }
  }
}

extension LiveFaults {
  /// Switches a fault on; returns false if there are too many.
  @discardableResult
  func add(_ fault: DownloadFault) -> Bool { (try? apply(.add(fault))) != nil }

  /// Switches a fault off; returns false if it was not on.
  @discardableResult
  func remove(_ fault: DownloadFault) -> Bool { (try? apply(.remove(fault))) != nil }
}
