// Long because all tests use one server and its packs.
import AssetServer
import BAPackKit
import BlockCodecs
@testable import DeviceSimulator
import Faults
import Foundation
import HTTPServer
import SystemIO
import TLSIdentity
import TerminalText
import TestSupport
import Testing
import Transfers

/// A device with the project's server over TLS, with every fault.
@Suite(.mustEnd) final class RemoteTests {
  private let folder: TemporaryFolder
  private let authority: Authority
  private let board = LiveFaults()
  private let packs: AssetServer
  private let server: HTTPServer
  private var isExpired = false

  init() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("device")
    let now = Moment.now
    let past = Moment(seconds: now.seconds - 3 * 365 * 86_400)
    let authority = try Authority.make(called: "Tests", at: past)
    let context = try TLSContext { name, address throws(Failure) in
      // For 'localhost', the server uses an expired certificate.
      let requested = name.flatMap { HostName($0) } ?? HostName(address.hostText)
      guard let host = requested else { throw .malformed("no host") }
      return try authority.leaf(for: host, at: name == "localhost" ? past : now)
    }
    let listener = try Listener()
    let packs = AssetServer(Catalogue(), switches: board, port: listener.address.port)
    let server = try HTTPServer(listener, tls: context, packs.handler)
    try server.start()
    self.folder = folder
    self.authority = authority
    self.packs = packs
    self.server = server
    try publish("tutorial", #"{"essential": {"installationEventTypes": ["firstInstallation"]}}"#)
    try publish("cave", #"{"onDemand": {}}"#, size: 300_000)
    try publish("voices", #"{"onDemand": {}}"#, language: "es-US")
  }

  deinit { server.stop() }

  private func publish(
    _ id: String, _ policy: String, size: Int = 10, language: String? = nil,
    platforms: [Platform] = []
  ) throws {
    var random = Seeded(seed: UInt64(size))
    var pack = PackBytes.beginning
    pack.addFile("Contents/\(id).bin", random.noise(size))
    let tag = language.map { #", "language": "\#($0)""# } ?? ""
    let names = platforms.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    pack.addFile(
      "Manifest.json",
      Array(
        (#"{"assetPackID": "\#(id)", "downloadPolicy": \#(policy), "platforms": [\#(names)], "#
          + #""fileSelectors": [{"directory": "."}]\#(tag)}"#)
          .utf8))
    let name = "\(UUID().uuidString).aar"
    try folder.makeFile(name, pack.container())
    let archive = try PublishedArchive(reading: folder.path(name), .unstoppable)
    let file = try PackFile(ByteSource(FileDescriptor.open(folder.path(name), for: .reading)))
    _ = packs.catalogue.add(archive, file, version: nil)
  }

  private func address(_ host: String = "127.0.0.1") -> String {
    "https://\(host):\(server.address.port)"
  }

  private func settings() throws -> RemoteServer.Options {
    var options = RemoteServer.Options()
    options.roots = [try authority.root.pem()]
    options.backoff.attempts = 1
    options.stallTime = .seconds(600)
    return options
  }

  private func source(
    _ host: String = "127.0.0.1", _ change: (inout RemoteServer.Options) -> Void = { _ in }
  ) throws -> ReleaseSource {
    var options = try settings()
    change(&options)
    let remote = RemoteServer(keepingIn: folder.path("device"), options, .unstoppable)
    return ReleaseSource(
      [Release(address(host), [])], addresses: [0: address(host)], server: remote, .unstoppable)
  }

  /// Returns the names of whole archives that were downloaded.
  private func kept() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("device"))
      .filter { $0.hasSuffix(".aar") }
  }

  private func installed(_ source: ReleaseSource) -> DeviceState {
    var state = DeviceState()
    state.publish(0)
    state.profile.languages = [LanguageTag("es-MX")].compactMap { $0 }
    return state.after(.install, in: source).state
  }

  @Test func `packs are downloaded, and their files are then known`() throws {
    let source = try source()
    var state = installed(source)
    #expect(state.installedIDs == ["tutorial"])
    #expect(state.language.language?.description == "es-US")
    state = state.after(.request(["cave"], latest: false), in: source).state
    #expect(state.installedIDs == ["cave", "tutorial"])
    #expect(state.find("cave.bin", source).answer == .readable(["cave"], haveSameBytes: false))
    #expect(state.installed["cave"]?.pack.contents?.unpackedSize == 300_000)
    #expect(try kept().count == 2)
    // A new release of the pack.
    try publish("cave", #"{"onDemand": {}}"#, size: 200_000)
    state = state.after(.checkForUpdates, in: source).state
    #expect(state.installed["cave"]?.pack.version == packs.catalogue["cave"]?.version)
    #expect(state.installed["cave"]?.pack.contents?.unpackedSize == 200_000)
  }

  @Test(
    .heavy,
    arguments: [
      "cave: cut 0", "cave: cut 60%", "cave: cut 299999", "cave: reset 1000", "cave: status 404",
      "cave: status 503", "cave: truncate", "cave: stall 600s", "cave: tls-close",
    ])
  func `after any fault, the files on disk are complete, and the failed pack is reported`(
    fault: String
  ) throws {
    let source = try source()
    let state = installed(source)
    board.add(try DownloadFault(parsing: fault))
    let impatient = try self.source { $0.stallTime = .seconds(fault.contains("stall") ? 1 : 600) }
    let result = state.after(.request(["cave"], latest: false), in: impatient)
    let reasons = result.events.compactMap { event -> String? in
      if case .failed("cave", .trouble(let reason)) = event.kind { reason } else { nil }
    }
    #expect(reasons.count == 1, "\(result.events.map(\.kind))")
    // The event and its line name the pack. The reason is never empty, and contains a remedy.
    #expect(reasons.first?.contains("; ") == true, "\(reasons)")
    #expect(result.state.installedIDs == ["tutorial"])
    #expect(try kept().count == 1)
    // Without the fault, the same request succeeds.
    #expect(board.remove(try DownloadFault(parsing: fault)))
    let again = result.state.after(.request(["cave"], latest: false), in: source)
    #expect(again.state.installedIDs == ["cave", "tutorial"])
  }

  @Test func `a fault that happens once fails one download, and the next one resumes`() throws {
    var options = RemoteServer.Options()
    options.roots = [try authority.root.pem()]
    let remote = RemoteServer(keepingIn: folder.path("device"), options, .unstoppable)
    let source = ReleaseSource(
      [Release(address(), [])], addresses: [0: address()], server: remote, .unstoppable)
    let state = installed(source)
    board.add(try DownloadFault(parsing: "cave: cut 60% once"))
    let failed = state.after(.request(["cave"], latest: false), in: source).state
    #expect(failed.installed["cave"] == nil)
    // The rest is smaller than the part after which this fault ends a download.
    board.add(try DownloadFault(parsing: "cave: cut 150000"))
    let after = failed.after(.request(["cave"], latest: false), in: source).state
    let pack = try #require(after.installed["cave"]?.pack)
    let digest = try PublishedArchive.sha256(ofFileAt: pack.place, .unstoppable)
    #expect(packs.catalogue["cave"]?.archive.sha256 == digest)
  }

  @Test func `an address lists the packs of the requested platform`() throws {
    try publish("phone", #"{"onDemand": {}}"#, size: 20, platforms: [.iOS])
    try publish("desk", #"{"onDemand": {}}"#, size: 30, platforms: [.macOS, .visionOS])
    let source = try source()
    var requested: [Platform] = []
    let matrix = try DeviceMatrix(.platforms, for: DeviceProfile()) {
      (platform) throws(ReleaseFailure) in
      requested.append(platform)
      let release = try source.manifest(0, platform).get()
      return Release(release.name, release.packs.filter { $0.id == "phone" || $0.id == "desk" })
    }
    #expect(requested == [.iOS, .macOS, .tvOS, .visionOS])
    let phone = try #require(packs.catalogue["phone"]?.archive.size)
    let desk = try #require(packs.catalogue["desk"]?.archive.size)
    #expect(matrix.rows.map(\.onDemand) == [phone, desk, 0, desk])
  }

  @Test func `an archive that does not name the platform of its manifest is not installed`() throws
  {
    try publish("phone", #"{"onDemand": {}}"#, size: 20, platforms: [.iOS, .tvOS])
    let source = try source()
    // A server with one manifest for all platforms.
    let release = try source.manifest(0, .iOS).get()
    let one = ReleaseSource(manifest: { _, _ in .success(release) }, download: source.download)
    var state = DeviceState()
    state.publish(0)
    state.profile.platform = .macOS
    state = state.after(.install, in: one).state
    let result = state.after(.request(["phone", "cave"], latest: false), in: one)
    #expect(result.state.installedIDs == ["cave", "tutorial"])
    #expect(
      result.events.contains {
        $0.kind
          == .failed(
            "phone",
            .trouble("the manifest lists 'phone' for macOS, but its archive is for iOS, tvOS"))
      }, "\(result.events.map(\.kind))")
    #expect(result.events.rules.contains { $0.id == "platform-of-archive" })
    // Only the archive shows that a pack names no platform.
    #expect(result.events.rules.contains { $0.id == "platform-none" })
    state.profile.platform = .tvOS
    #expect(
      state.after(.request(["phone"], latest: false), in: one).state.installed["phone"] != nil)
  }

  @Test func `low storage gives the same result for remote and local packs`() throws {
    let source = try source()
    for (free, ids) in [
      (UInt64(2000), ["tutorial"]), (400_000, ["tutorial"]), (700_000, ["cave", "tutorial"]),
    ] as [(UInt64, [PackID])] {
      var state = DeviceState()
      state.publish(0)
      state.profile.free = free
      state = state.after(.install, in: source).state
      let release = try #require(state.manifest)
      let known = Release("known", try release.packs.map { try source.inspect($0).get() })
      var local = DeviceState()
      local.publish(0)
      local.profile.free = free
      let here = ReleaseSource([known])
      local = local.after(.install, in: here).state
      let step = Step.request(["cave"], latest: false)
      let (one, other) = (state.after(step, in: source), local.after(step, in: here))
      #expect(one.state.installedIDs == ids)
      #expect(one.state.used == other.state.used && one.state.used <= free)
      func rooms(_ events: [Event]) -> [Event.Kind] {
        events.map(\.kind).filter { if case .failed = $0 { true } else { false } }
      }
      #expect(rooms(one.events) == rooms(other.events))
    }
  }

  @Test func `an archive of another pack is reported and discarded`() throws {
    let source = try source()
    let state = installed(source)
    try publish("cave", #"{"onDemand": {}}"#, size: 300_001)
    let release = try source.manifest(0, .iOS).get()
    let (cave, voices) = (try #require(release["cave"]), try #require(release["voices"]))
    // The server has one archive in the place of another.
    var swapped = cave
    swapped.place = voices.place
    swapped.offered.size = voices.offered.size
    let swappedRelease = Release("swapped", [swapped])
    let lying = ReleaseSource(
      manifest: { _, _ in .success(swappedRelease) }, download: source.download)
    let result = state.after(.request(["cave"], latest: false), in: lying)
    let reasons = result.events.compactMap { event -> String? in
      if case .failed("cave", .trouble(let reason)) = event.kind { reason } else { nil }
    }
    #expect(
      reasons == [
        "the archive contains the pack 'voices'; publish the correct archive at this address"
      ])
    #expect(try kept().count == 1)
  }

  @Test func `packs whose IDs have the same prefix have different files`() throws {
    let long = String(repeating: "x", count: 200)
    var places: Set<String> = []
    for id in [long + "a", long + "b", long, "x"] {
      let pack = Lantern.pack(PackID(id), .onDemand)
      let name = FilePath(RemoteServer.place(of: pack, in: "/p")).name
      #expect(name.bytes.count < 200)
      places.insert(name.shown)
    }
    #expect(places.count == 4)
  }

  @Test func `a damaged archive is discarded`() throws {
    let source = try source()
    let state = installed(source)
    board.add(try DownloadFault(parsing: "cave: corrupt once"))
    let result = state.after(.request(["cave"], latest: false), in: source)
    #expect(result.state.installedIDs == ["tutorial"])
    #expect(try kept().count == 1)
    let again = result.state.after(.request(["cave"], latest: false), in: source)
    #expect(again.state.installedIDs == ["cave", "tutorial"])
  }

  @Test func `an error names the address of a pack without its secrets`() throws {
    let source = try source()
    let state = installed(source)
    let release = try source.manifest(0, .iOS).get()
    var cave = try #require(release["cave"])
    let port = "127.0.0.1:\(server.address.port)"
    cave.place = "https://user:s3cr3t@\(port)/cave?Signature=s3cr3t"
    try folder.makeFile("no pack", "no pack")
    let file = try PackFile(
      ByteSource(FileDescriptor.open(folder.path("no pack"), for: .reading)))
    let served = try #require(packs.catalogue["cave"]).archive
    let archive = PublishedArchive(
      path: served.path, manifest: served.manifest, size: 7, installedSize: 1,
      sha256: hexadecimal(try BlockCodecs.sha256(of: Array("no pack".utf8))))
    _ = packs.catalogue.add(archive, file, version: 2)
    cave.offered.size.download = 7
    let changed = Release("changed", [cave])
    let other = ReleaseSource(
      manifest: { _, _ in .success(changed) }, download: source.download)
    let result = state.after(.request(["cave"], latest: false), in: other)
    let texts = reasons(result)
    #expect(texts.count == 1 && texts[0].contains("https://\(port)/cave'"), "\(texts)")
    #expect(!texts.joined().contains("s3cr3t") && !texts.joined().contains("user"))
  }

  @Test func `packs get the user name and the password of the manifest's address`() throws {
    let listener = try Listener()
    var options = AssetServer.Options()
    options.credentials = BasicCredentials(user: "bob", password: "a:b c")
    let secured = AssetServer(
      packs.catalogue, switches: board, options: options, port: listener.address.port)
    let authority = authority
    let context = try TLSContext { _, address throws(Failure) in
      try authority.leaf(for: HostName(address.hostText) ?? .name("localhost"), at: .now)
    }
    let server = try HTTPServer(listener, tls: context, secured.handler)
    try server.start()
    defer { server.stop() }
    let client = RemoteServer(
      keepingIn: folder.path("device"), try settings(), .unstoppable)
    let port = server.address.port
    let release = try client.release("https://bob:a%3Ab%20c@127.0.0.1:\(port)", for: .iOS).get()
    let cave = try #require(release["cave"])
    #expect(try client.download(cave).get().contents != nil)
    // Another server does not get them.
    var elsewhere = cave
    elsewhere.place = "https://127.0.0.1:\(self.server.address.port)/cave"
    #expect(try client.download(elsewhere).get().contents != nil)
    let stranger = RemoteServer(
      keepingIn: folder.path("device"), try settings(), .unstoppable)
    guard case .failure(let failure) = stranger.download(cave) else {
      Issue.record("the server requires no password")
      return
    }
    #expect(failure.reason.contains("401"), "\(failure.reason)")
  }

  @Test(arguments: ["manifest: not-json", "manifest: status 500", "manifest: tls-close"])
  func `an unreadable manifest does not change the device`(fault: String) throws {
    let source = try source()
    let state = installed(source)
    board.add(try DownloadFault(parsing: fault))
    let result = state.after(.checkForUpdates, in: source)
    #expect(result.state.installed == state.installed)
    #expect(result.events.contains { if case .manifestFailed = $0.kind { true } else { false } })
  }

  // MARK: Time limits

  private func reasons(_ result: (state: DeviceState, events: [Event])) -> [String] {
    result.events.compactMap { event in
      switch event.kind {
      case .manifestFailed(let reason), .failed("cave", .trouble(let reason)): reason
      default: nil
      }
    }
  }

  @Test func `a stalled manifest and a stalled download end at their time limits`() throws {
    for (fault, step) in [
      ("manifest: stall 600s", Step.checkForUpdates),
      ("cave: stall 600s", .request(["cave"], latest: false)),
    ] {
      let source = try source {
        $0.stallTime = .seconds(600)
        $0.manifestTime = .milliseconds(fault.hasPrefix("manifest") ? 300 : 60_000)
        $0.timeout = .milliseconds(fault.hasPrefix("manifest") ? 60_000 : 300)
      }
      let state = installed(try self.source())
      board.add(try DownloadFault(parsing: fault))
      let result = state.after(step, in: source)
      #expect(reasons(result).count == 1, "\(result.events.map(\.kind))")
      #expect(result.state.installedIDs == state.installedIDs)
      try board.apply(.removeAll)
    }
  }

  @Test(.heavy) func `a download that is slower than the limit fails`() throws {
    let source = try source()
    let state = installed(source)
    board.bytesPerSecond = 2000
    let impatient = try self.source {
      $0.slowest = 100_000
      $0.stallTime = .seconds(1)
    }
    let result = state.after(.request(["cave"], latest: false), in: impatient)
    #expect(reasons(result).first?.contains("timed out") == true, "\(result.events.map(\.kind))")
    #expect(result.state.installedIDs == state.installedIDs)
    board.bytesPerSecond = nil
    let again = result.state.after(.request(["cave"], latest: false), in: source)
    #expect(again.state.installedIDs == ["cave", "tutorial"])
  }

  @Test func `the default limits are those of the documentation`() {
    let options = RemoteServer.Options()
    #expect(options.manifestTime == .seconds(60))
    #expect(options.timeout == .seconds(3600))
    #expect(options.slowest == 100 && options.stallTime == .seconds(30))
    #expect(options.backoff.attempts == 4)
  }

  @Test func `offline mode and an expired certificate are reported and do not change the device`()
    throws
  {
    let expired = try source("localhost")
    var state = DeviceState()
    state.publish(0)
    var result = state.after(.install, in: expired)
    #expect(!result.state.hasApp)
    let reasons = result.events.compactMap { event -> String? in
      if case .manifestFailed(let reason) = event.kind { reason } else { nil }
    }
    #expect(reasons.first?.contains("certificate has expired") == true, "\(reasons)")
    // The reason contains a remedy.
    #expect(reasons.first?.contains("; ") == true, "\(reasons)")
    packs.switches.isOffline = true
    result = state.after(.install, in: try source())
    #expect(!result.state.hasApp)
    #expect(try kept() == [])
  }

  @Test func `an address without a path is requested like the override of a device`() throws {
    func manifest(_ text: String) throws -> String {
      try RemoteServer.manifestAddress(text, for: .visionOS)
    }
    #expect(try manifest("https://a.example") == "https://a.example/manifest?platform=visionOS")
    #expect(
      try manifest("https://u:p@a.example:8443/?x=1")
        == "https://u:p@a.example:8443/manifest?platform=visionOS")
    #expect(try manifest("https://a.example/ios.json") == "https://a.example/ios.json")
    #expect(throws: PackError.self) { try manifest("https://") }
    #expect(RemoteServer.isAddress("HTTPS://a"))
    #expect(!RemoteServer.isAddress("packs/https"))
  }
}
