import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

/// `app-store mock` as a script sees it: the program itself, over TLS.
@Suite("app-store mock", .mustEnd)
final class AppStoreMockCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(
    _ words: [String], environment: [String: String] = [:]
  ) throws -> BuiltProgram.Run {
    try BuiltProgram.run(
      ["app-store", "mock"] + words,
      environment: ["XDG_DATA_HOME": folder.path("data")].merging(environment) { $1 })
  }

  @Test func `a command finds the mock and a key of its own, and no real one`() throws {
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
    // Our own conformance check is told of a file by such a name, too.
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

  @Test func `switches are read from a file, and what is wrong with them is said`() throws {
    try folder.makeFile("wrong.json", Array(#"{"partsize": 1, "dates": "utc"}"#.utf8))
    let wrong = try run(
      ["--port", "0", "--switches", folder.path("wrong.json"), "--exec", "--", "true"])
    #expect(wrong.status == 1)
    #expect(wrong.messages.contains("wrong.json:1:2: error: "))
    #expect(wrong.messages.contains("'dates' takes \"offset\""))
    try folder.makeFile("good.json", Array(#"{"partSize": 1}"#.utf8))
    #expect(
      try run(["--port", "0", "--switches", folder.path("good.json"), "--exec", "--", "true"])
        .status
        == 0)
    #expect(try run(["--print-switches"]).status == 0)
  }

  @Test(arguments: [
    ["--fault", "x"], ["--app", "x"], ["--app", "1:b:X"], ["--app", "1:b", "--app", "1:c"],
    ["--exec"], ["--port", "70000"],
  ])
  func `a command line that cannot be meant is refused`(words: [String]) throws {
    #expect(try run(words).status == 64)
  }

  @Test func `a signal ends it, and a state that is none is refused`() throws {
    try folder.makeFile("state.json", Array("{}".utf8))
    let refused = try run(
      ["--port", "0", "--state", folder.path("state.json"), "--exec", "--", "true"])
    #expect(refused.status == 1)
    #expect(refused.messages.contains("is no state of a mock"))
    let ready = folder.path("ready.json")
    let run = try BuiltProgram.run(
      ["app-store", "mock", "--port", "0", "--ready-file", ready],
      environment: ["XDG_DATA_HOME": folder.path("data")],
      interrupted: .init(signal: SIGTERM) { _ in FileManager.default.fileExists(atPath: ready) })
    #expect(run.wasSignalled && run.status == SIGTERM)
    #expect(!FileManager.default.fileExists(atPath: ready))
  }
}
