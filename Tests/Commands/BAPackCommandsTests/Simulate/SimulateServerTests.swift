import BAPackKit
import Foundation
import Glibc
import HTTPServer
import TestSupport
import Testing

/// `simulate` with a server, as in a script: the built program, over TLS.
@Suite("simulate with a server", .mustEnd)
final class SimulateServerTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("nobody")
  }

  private func publish(_ id: String, _ policy: String, size: Int) throws {
    var random = Seeded(seed: UInt64(size))
    var pack = PackBytes.beginning
    pack.addFile("Contents/\(id).bin", random.noise(size))
    let events = policy == "onDemand" ? "" : #""installationEventTypes": ["firstInstallation"]"#
    let manifest = """
      {"assetPackID": "\(id)", "downloadPolicy": {"\(policy)": {\(events)}}, "platforms": [],
       "fileSelectors": [{"directory": "."}]}
      """
    pack.addFile("Manifest.json", Array(manifest.utf8))
    try folder.makeFile("packs/\(id).aar", pack.container())
  }

  private func serve(_ more: String...) throws -> RunningServer {
    try RunningServer([folder.path("packs")] + more, state: folder.path("server"))
  }

  /// Runs the program without the root of a server, or with the root of the server.
  private func simulate(
    _ arguments: [String], home: String = "nobody", temporary: String = "",
    interrupted: BuiltProgram.Interruption? = nil
  ) throws -> BuiltProgram.Run {
    try BuiltProgram.run(
      ["simulate"] + arguments,
      environment: [
        "HOME": folder.path(home), "XDG_DATA_HOME": folder.path(home) + "/data",
        "TMPDIR": temporary,
      ], interrupted: interrupted)
  }

  @Test func `a server is trusted if its root is given, or is the root of 'serve'`() throws {
    try publish("tutorial", "essential", size: 1000)
    let server = try serve()
    let url = try #require(server.facts["url"])
    let doubted = try simulate([url])
    #expect(doubted.status == 1)
    #expect(doubted.messages.contains("Error: the app is not installed: "))
    #expect(doubted.messages.contains("trust"))
    let given = try simulate([url, "--ca", try #require(server.facts["caFile"])])
    #expect(given.status == 0, "\(given.messages)")
    let own = try simulate([url], home: "server")
    #expect(own.status == 0, "\(own.messages)")
    try folder.makeFile("other.pem", "no certificate")
    let other = try simulate([url, "--ca", folder.path("other.pem")])
    #expect(other.status == 1 && other.messages.contains("other.pem' has no certificate"))
    let missing = try simulate([url, "--ca", folder.path("missing.pem")])
    #expect(missing.messages.contains("missing.pem"))
  }

  @Test func `a pack that cannot be downloaded is an error with its name`() throws {
    try publish("tutorial", "essential", size: 1000)
    try publish("island", "prefetch", size: 2000)
    let server = try serve("--fault", "island: status 404")
    let arguments = [
      try #require(server.facts["url"]), "--ca", try #require(server.facts["caFile"]),
    ]
    let run = try simulate(arguments)
    #expect(run.status == 1)
    #expect(run.messages.contains("cannot download 'island': "), "\(run.messages)")
  }

  @Test func `a retry is reported before the response to it`() throws {
    let manifest = DownloadManifest(packs: []).json()
    let site = try CacheSite(secure: true) { request, site in
      guard request.head.pathText == "/manifest" else { return nil }
      return site.requests.all.count == 1 ? Response(503) : Response(200, body: .bytes(manifest))
    }
    try folder.makeFile("ca.pem", site.certificate)
    let run = try simulate([
      "https://127.0.0.1:\(site.server.address.port)", "--ca", folder.path("ca.pem"),
    ])
    #expect(run.status == 0, "\(run.messages)")
    #expect(site.requests.all.count == 2)
    let lines = run.messages.split(separator: "\n").filter { $0.contains("503") }
    #expect(lines.count == 1, "\(run.messages)")
  }

  @Test func `a request for a pack that no release has is a warning, by address as well`() throws {
    try publish("tutorial", "essential", size: 1000)
    let server = try serve()
    let url = try #require(server.facts["url"])
    let ca = try #require(server.facts["caFile"])
    try folder.makeFile("nothing.scenario", "release \(url)\ninstall\nrequest nothing\n")
    let run = try simulate(["--scenario", folder.path("nothing.scenario"), "--ca", ca])
    #expect(run.status == 0, "\(run.messages)")
    #expect(
      run.messages.contains("nothing.scenario:3:9: warning: no release contains a pack 'nothing'"),
      "\(run.messages)")
  }

  @Test func `an interrupt ends a download, and leaves no files`() throws {
    try publish("tutorial", "essential", size: 4_000_000)
    let server = try serve("--fault", "tutorial: stall 600s call 1")
    try folder.makeFolder("temporary")
    let temporary = folder.path("temporary")
    let run = try simulate(
      [try #require(server.facts["url"]), "--ca", try #require(server.facts["caFile"])],
      temporary: temporary,
      interrupted: .init(signal: SIGINT) { $0.openBytes(below: temporary) > 1_000_000 })
    #expect(run.wasSignalled && run.status == SIGINT, "\(run)")
    #expect(run.messages == "Interrupted\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
  }

  @Test(.world) func `ten thousand packs with a million files use bounded memory`() throws {
    // The packs have equal bytes except for their number, which is written to the same places.
    let mark = Array("@@@@@".utf8)
    var pack = PackBytes.beginning
    pack.addFolder("Contents/Levels@@@@@")
    for file in 0..<100 {
      pack.addFile("Contents/Levels@@@@@/Textures/tile-\(file).png", [1, 2, 3])
    }
    let manifest = """
      {"assetPackID": "pack-@@@@@", "platforms": [], "fileSelectors": [{"directory": "."}],
       "downloadPolicy": {"prefetch": {"installationEventTypes": ["firstInstallation"]}}}
      """
    pack.addFile("Manifest.json", Array(manifest.utf8))
    var bytes = pack.container()
    let places = bytes.indices.filter { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
    #expect(places.count == 102)
    try folder.makeFolder("many")
    for number in 10_000..<20_000 {
      let digits = Array("\(number)".utf8)
      for place in places { bytes.replaceSubrange(place..<place + 5, with: digits) }
      try folder.makeFile("many/\(number).aar", bytes)
    }
    let run = try simulate([folder.path("many")])
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.peakMemory < 300_000_000)
  }
}
