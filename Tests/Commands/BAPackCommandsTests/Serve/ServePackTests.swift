import Arguments
import BAPackCommands
import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing
import Transfers

/// `serve --pack`: the packs of a project are built when its files are saved.
@Suite("serve --pack", .mustEnd)
final class ServePackTests {
  private let folder: TemporaryFolder
  private let state: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    state = try TemporaryFolder()
    try folder.makeFile("ba-package.json", #"{"packs": ["Packs/*.json"], "output": "out"}"#)
    for id in ["cave", "lake"] {
      try makeManifest(id)
      try folder.makeFile("Assets/\(id)/a.txt", "first \(id)")
    }
  }

  private func makeManifest(_ id: String, at name: String? = nil) throws {
    try folder.makeFile(
      "Packs/\(name ?? id).json",
      #"""
      {"assetPackID": "\#(id)", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "fileSelectors": [{"directory": "Assets/\#(name ?? id)"}]}
      """#)
  }

  private func serve() throws -> RunningServer {
    try RunningServer(
      ["--pack", "--project", folder.path("ba-package.json")], state: state.path)
  }

  private func get(_ server: RunningServer, _ path: String) throws -> HTTPResponse {
    var options = Transfers.Options()
    let file = try #require(server.facts["caFile"])
    options.roots = [Array(try Data(contentsOf: URL(filePath: file)))]
    options.proxies = Proxies()
    let url = try #require(server.facts["url"])
    return try Transfers(options).exchange(Exchange("GET", url + path, fields: []), .unstoppable)
  }

  /// The served packs and their versions.
  private func versions(_ server: RunningServer) throws -> [String: Int] {
    let document = try JSONSerialization.jsonObject(with: Data(try get(server, "/manifest").body))
    let packs = try #require((document as? [String: Any])?["assetPacks"] as? [[String: Any]])
    return try Dictionary(
      uniqueKeysWithValues: packs.map {
        (try #require($0["id"] as? String), try #require($0["version"] as? Int))
      })
  }

  /// The findings that the live page shows.
  private func findings(_ server: RunningServer) throws -> String? {
    let state = try JSONSerialization.jsonObject(with: Data(try get(server, "/?state").body))
    let build = (state as? [String: Any])?["build"] as? [String: Any]
    return build?["findings"] as? String
  }

  /// Waits until a condition holds.
  private func waits(_ condition: () throws -> Bool) throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < deadline {
      if try condition() { return true }
      usleep(20_000)
    }
    return false
  }

  /// The archives of a build in an empty folder, by ID.
  private func clean() throws -> [String: [UInt8]] {
    let fresh = folder.path("fresh")
    try? FileManager.default.removeItem(atPath: fresh)
    let run = Captured("pack", "--project", folder.path("ba-package.json"), "-o", fresh)
    #expect(run.ending == .status(.done), "\(run.messages)")
    var archives: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: fresh)
    where name.hasSuffix(".aar") {
      archives[String(name.dropLast(4))] = try folder.contents("fresh/\(name)")
    }
    return archives
  }

  private func served(_ server: RunningServer) throws -> [String: [UInt8]] {
    var archives: [String: [UInt8]] = [:]
    for id in try versions(server).keys {
      let response = try get(server, "/assetpacks/\(id)")
      if response.status == 200 { archives[id] = response.body }
    }
    return archives
  }

  @Test func `a saved file is a new version, and manifests can be added and removed`() throws {
    let server = try serve()
    #expect(try versions(server) == ["cave": 0, "lake": 0])
    #expect(try server.output.contains("Watching the project"))
    try folder.makeFile("Assets/cave/deep/b.txt", "second")
    #expect(try waits { try versions(server) == ["cave": 1, "lake": 0] })
    #expect(try server.waits(forOutput: "Serving 'cave' version 1 instead of 0."))
    #expect(try served(server) == clean())
    // In a folder that is new.
    try folder.makeFile("Assets/cave/deep/b.txt", "third")
    #expect(try waits { try versions(server)["cave"] == 2 })
    // A manifest with an error keeps the packs, and its finding is shown.
    try folder.makeFile("Packs/lake.json", #"{"assetPackID": "lake", "#)
    #expect(try waits { try server.messages.contains("the old packs are served") })
    #expect(try server.messages.contains("lake.json:1:"))
    #expect(try findings(server)?.contains("lake.json:1:") == true)
    #expect(try versions(server) == ["cave": 2, "lake": 0])
    try makeManifest("lake")
    #expect(try waits { try findings(server) == nil })
    // A new ID is another pack, and the former one is not served.
    try makeManifest("pond", at: "lake")
    #expect(try waits { try versions(server) == ["cave": 2, "pond": 0] })
    try folder.remove("Packs/cave.json")
    #expect(try waits { try versions(server) == ["pond": 0] })
    #expect(try served(server) == clean())
  }

  @Test(.heavy) func `files that are saved together are one build`() throws {
    let server = try serve()
    for number in 0..<1_000 {
      try folder.makeFile("Assets/cave/\(number % 50).txt", "\(number)")
    }
    #expect(try waits { try served(server) == clean() })
    #expect(try versions(server) == ["cave": 1, "lake": 0])
  }

  @Test func `options that name other packs exclude builds`() throws {
    for more in [["a.aar"], ["--watch"], ["--asset-pack-versions", "1"]] {
      let run = Captured(
        ["serve", "--pack", "--project", folder.path("ba-package.json")] + more)
      #expect(run.ending == .status(.usage), "\(run.messages)")
    }
    let none = Captured("serve", "--pack", "--no-project")
    #expect(none.ending == .status(.usage), "\(none.messages)")
    // Errors at the start.
    try folder.makeFile("Packs/lake.json", #"{"assetPackID": "lake", "#)
    let broken = Captured("serve", "--pack", "--project", folder.path("ba-package.json"))
    #expect(broken.ending == .status(.failed))
    #expect(broken.messages.contains("lake.json:1:"), "\(broken.messages)")
  }

  @Test(.heavy) func `after 10,000 random edits the served packs are those of a clean build`()
    throws
  {
    let server = try serve()
    var random = Seeded(seed: 57)
    for number in 1...10_000 {
      switch random.next(below: 400) {
      case 0: try folder.makeFile("Packs/lake.json", #"{"assetPackID": "lake", "#)
      case 1: try makeManifest("lake")
      case 2: try makeManifest("lake-\(number)", at: "lake")
      case 3: try? folder.remove("Packs/lake.json")
      default:
        let id = ["cave", "lake"][random.next(below: 2)]
        try folder.makeFile(
          "Assets/\(id)/\(random.next(below: 8)).bin", random.noise(random.next(below: 5_000)))
      }
      guard number % 500 == 0 else { continue }
      for (id, bytes) in try served(server) {
        try folder.makeFile("check/\(id).aar", bytes)
        let verified = Captured("verify", folder.path("check/\(id).aar"), "--no-project")
        #expect(verified.ending == .status(.done), "\(verified.messages)")
      }
    }
    try makeManifest("lake")
    let expected = try clean()
    #expect(try waits { try served(server) == expected })
  }
}
