import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

/// Runs `app-store mock` of the built program over TLS.
@Suite("app-store mock", .mustEnd)
final class AppStoreMockCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> BuiltProgram.Run {
    try BuiltProgram.run(
      ["app-store", "mock"] + arguments,
      environment: ["XDG_DATA_HOME": folder.path("data")].merging(environment) { $1 })
  }

  @Test func `a command receives the mock and a test key, and no real key`() throws {
    let ready = folder.path("ready.json")
    let script = """
      env | grep -E '^(ASC_|APP_STORE_CONNECT|API_PRIVATE)' | sort > \(folder.path("env"))
      cp \(ready) \(folder.path("facts"))
      exit 7
      """
    let run = try run(
      ["--port", "0", "--ready-file", ready, "--exec", "--", "sh", "-c", script],
      environment: [
        "ASC_KEY": "real", "APP_STORE_CONNECT_API_KEY_KEY": "real", "ASC_KEY_ID": "REAL",
      ])
    #expect(run.status == 7, "\(run.messages)")
    #expect(!FileManager.default.fileExists(atPath: ready))
    let variables = String(decoding: try folder.contents("env"), as: UTF8.self)
    #expect(!variables.lowercased().contains("=real"))
    // The conformance check reads a file by this name, too.
    let names = variables.split(separator: "\n").map { $0.prefix { $0 != "=" } }
      .filter { $0 != "ASC_OPENAPI" }
    #expect(
      names == ["ASC_API_URL", "ASC_CA_FILE", "ASC_ISSUER_ID", "ASC_KEY_ID", "ASC_KEY_PATH"])
    let facts =
      try JSONSerialization.jsonObject(with: Data(try folder.contents("facts")))
      as? [String: Any]
    #expect(facts?["keyID"] as? String == "BAMOCKTEAM")
    #expect((facts?["apiURL"] as? String)?.hasPrefix("https://127.0.0.1:") == true)
    #expect((facts?["storageURL"] as? String)?.hasPrefix("https://localhost:") == true)
    let key = try #require(facts?["keyPath"] as? String)
    #expect(key.hasSuffix("/AuthKey_BAMOCKTEAM.p8"))
    let permissions = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions]
    #expect(permissions as? Int == 0o600)
  }

  @Test func `switches are read from a file, and its errors are reported`() throws {
    try folder.makeFile("wrong.json", Array(#"{"partsize": 1, "dates": "utc"}"#.utf8))
    let wrong = try run(
      ["--port", "0", "--switches", folder.path("wrong.json"), "--exec", "--", "true"])
    #expect(wrong.status == 1)
    #expect(wrong.messages.contains("wrong.json:1:2: error: "))
    #expect(wrong.messages.contains("'dates' must be 'offset'"))
    try folder.makeFile("good.json", Array(#"{"partSize": 1}"#.utf8))
    #expect(
      try run(["--port", "0", "--switches", folder.path("good.json"), "--exec", "--", "true"])
        .status
        == 0)
    #expect(try run(["--print-switches"]).status == 0)
  }

  @Test(arguments: [
    ["--fault", "x"], ["--apps", "x"], ["--apps", "1:b.c:X"],
    ["--apps", "1:b.c", "--apps", "1:c.d"], ["--app", "com.example.x"],
    ["--exec"], ["--port", "70000"],
  ])
  func `an invalid command line is a usage error`(arguments: [String]) throws {
    #expect(try run(arguments).status == 64)
  }

  @Test func `with a relative '--identity', a command in another folder gets absolute paths`()
    throws
  {
    let script = """
      cd / && test -r "$ASC_CA_FILE" && test -r "$ASC_KEY_PATH" && echo "$ASC_KEY_PATH" > \
      \(folder.path("found"))
      """
    let run = try BuiltProgram.run(
      ["app-store", "mock", "--port", "0", "--identity", "Q", "--exec", "--", "sh", "-c", script],
      environment: ["XDG_DATA_HOME": folder.path("data")], after: "cd '\(folder.path)'")
    #expect(run.status == 0, "\(run.messages)")
    let found = String(decoding: try folder.contents("found"), as: UTF8.self)
    #expect(found.hasSuffix("/Q/AuthKey_BAMOCKTEAM.p8\n") && found.hasPrefix("/"))
  }

  @Test func `two runs with one state are the same service, and do not change the user's uploads`()
    throws
  {
    let pack = folder.path("cave.aar")
    try folder.makeFile("one.txt", Array("one".utf8))
    try folder.makeFile(
      "cave.json",
      Array(
        """
        {"assetPackID": "cave", "downloadPolicy": {"onDemand": {}}, "platforms": ["iOS"],
         "fileSelectors": [{"file": "one.txt"}]}
        """.utf8))
    #expect(
      try BuiltProgram.run(
        ["pack", folder.path("cave.json"), "--source-root", folder.path, "-o", pack]
      ).status == 0)
    let state = folder.path("state.json")
    try Data(#"{"processingSeconds": 0}"#.utf8).write(to: URL(filePath: folder.path("fast.json")))
    func upload(_ arguments: [String]) throws -> BuiltProgram.Run {
      try run(
        ["--port", "0", "--switches", folder.path("fast.json")] + arguments + [
          "--exec", "--", BuiltProgram.program, "upload", pack, "--app", "com.example.new",
          "--wait",
        ], environment: ["XDG_STATE_HOME": folder.path("user")])
    }
    let first = try upload(["--state", state])
    #expect(first.status == 0 && first.messages.contains("1 uploaded"), "\(first.messages)")
    let second = try upload(["--state", state])
    #expect(second.status == 0 && second.messages.contains("1 skipped"), "\(second.messages)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("user")))
    let owners = try FileManager.default.contentsOfDirectory(
      atPath: folder.path("state.json.client/ba-package/app-store"))
    #expect(owners.count == 1 && owners[0].hasPrefix("mock-"), "\(owners)")
    // Without '--state', each run is a new service and leaves no files.
    let third = try upload([])
    #expect(third.status == 0 && third.messages.contains("1 uploaded"), "\(third.messages)")
    let left = try FileManager.default.contentsOfDirectory(
      atPath: folder.path("data/ba-package/app-store-mock/runs"))
    #expect(left.isEmpty, "\(left)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("user")))
    let restricted = try upload(["--apps", "com.example.other"])
    #expect(restricted.status == 1)
    #expect(
      restricted.messages.contains("no access to an app with the bundle ID"),
      "\(restricted.messages)")
  }

  @Test func `a signal ends the mock, and an invalid state file is an error`() throws {
    try folder.makeFile("state.json", Array("{}".utf8))
    let refused = try run(
      ["--port", "0", "--state", folder.path("state.json"), "--exec", "--", "true"])
    #expect(refused.status == 1)
    #expect(refused.messages.contains("the state of a mock of App Store Connect is damaged"))
    let ready = folder.path("ready.json")
    let run = try BuiltProgram.run(
      ["app-store", "mock", "--port", "0", "--ready-file", ready],
      environment: ["XDG_DATA_HOME": folder.path("data")],
      interrupted: .init(signal: SIGTERM) { _ in FileManager.default.fileExists(atPath: ready) })
    #expect(run.wasSignalled && run.status == SIGTERM)
    #expect(!FileManager.default.fileExists(atPath: ready))
  }
}
