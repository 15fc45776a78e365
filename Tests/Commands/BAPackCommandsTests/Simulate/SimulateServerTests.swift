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
    _ arguments: [String], home: String = "nobody", interrupted: BuiltProgram.Interruption? = nil
  ) throws -> BuiltProgram.Run {
    try BuiltProgram.run(
      ["simulate"] + arguments,
      environment: ["HOME": folder.path(home), "XDG_DATA_HOME": folder.path(home) + "/data"],
      interrupted: interrupted)
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

  @Test func `an interrupt leaves the device unchanged, and the next run continues`() throws {
    try publish("tutorial", "essential", size: 4_000_000)
    // The first request of the pack has the fault, even if its client disconnects before the stall.
    let server = try serve("--fault", "tutorial: stall 600s call 1")
    let state = folder.path("device")
    let arguments = [
      try #require(server.facts["url"]), "--ca", try #require(server.facts["caFile"]), "--state",
      state,
    ]
    let run = try simulate(
      arguments,
      interrupted: .init(signal: SIGINT) { $0.openBytes(below: state + "/downloaded") > 1_000_000 })
    #expect(run.wasSignalled && run.status == SIGINT, "\(run)")
    #expect(run.messages == "Interrupted; the device is unchanged\n")
    #expect(!FileManager.default.fileExists(atPath: state + "/state.json"))
    #expect(try simulate(arguments).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: state + "/downloaded").count == 1)
  }

  /// Returns the number of bytes below the folder of downloads, in files of any name.
  private func downloadedBytes(in state: String) -> Int {
    let folder = state + "/downloaded"
    return (FileManager.default.subpaths(atPath: folder) ?? []).reduce(0) { sum, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      return sum + (attributes?[.size] as? Int ?? 0)
    }
  }

  @Test(.world)
  func `after a kill at any time, the device is consistent, and the next run continues`()
    throws
  {
    let ids = (0..<8).map { "pack-\($0)" }
    for (number, id) in ids.enumerated() {
      try publish(id, "essential", size: 1_000_000 + number)
    }
    let server = try serve("--throttle", "200mbit")
    let state = folder.path("device")
    let arguments = [
      try #require(server.facts["url"]), "--ca", try #require(server.facts["caFile"]), "--state",
      state,
    ]
    try folder.makeFile("status.scenario", "status\n")
    try folder.makeFile(
      "whole.scenario", "offline\nexpect downloaded \(ids.joined(separator: " "))\n")
    let status = ["--state", state, "--scenario", folder.path("status.scenario")]
    var killed = 0
    for attempt in 0..<20 {
      let run = try simulate(
        arguments,
        interrupted: .init(signal: SIGKILL) { _ in
          self.downloadedBytes(in: state) > attempt * 400_000
        })
      killed += run.wasSignalled ? 1 : 0
      let after = try simulate(status)
      #expect(after.status == 0, "\(attempt): \(after.messages)")
    }
    #expect(killed > 5)
    #expect(try simulate(arguments).status == 0)
    let whole = try simulate(["--state", state, "--scenario", folder.path("whole.scenario")])
    #expect(whole.status == 0, "\(whole.messages)")
    let names = try FileManager.default.contentsOfDirectory(atPath: state + "/downloaded")
    #expect(names.count == 8 && names.allSatisfy { $0.hasSuffix(".aar") }, "\(names)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: state).count == 3)
  }

  @Test func `two runs with one device run one after the other`() throws {
    try publish("tutorial", "essential", size: 300_000)
    let server = try serve("--latency", "200ms")
    let arguments = [
      try #require(server.facts["url"]), "--ca", try #require(server.facts["caFile"]), "--state",
      folder.path("device"),
    ]
    let statuses = Noted<Int32>()
    try onThreads(2) { _ in
      statuses.add((try? BuiltProgram.run(["simulate"] + arguments))?.status ?? -1)
    }
    #expect(statuses.all == [0, 0])
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
