import AssetServer
import Foundation
import Glibc
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing
import Transfers

@testable import BAPackCommands

// The JSON documents of `serve` and of the mock.

extension ServeTests {
  private func object(_ text: some StringProtocol) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func `'device' is the address and 'userAgent' the program, in every line`() throws {
    let server = try serve(["--format", "json", "--log", folder.path("log.jsonl")])
    _ = try request(server, "/a", fields: [.init("User-Agent", "test/1")])
    #expect(try server.waits(forOutput: "\"event\":\"request\""))
    server.send(signal: SIGINT)
    _ = try server.wait()
    let line = try object(#require(try server.output.split(separator: "\n").last))
    let logged = try object(String(decoding: try folder.contents("log.jsonl"), as: UTF8.self))
    for request in [line, logged] {
      #expect(request["device"] as? String == "127.0.0.1")
      #expect(request["userAgent"] as? String == "test/1")
    }
    let absent: Set = ["fault", "query", "range", "remark"]
    #expect(Set(logged.keys) == Set(LoggedRequest.table.record.names).subtracting(absent))
    #expect(Set(line.keys) == Set(logged.keys).union(["event"]))
  }

  @Test func `the guide for devices describes each member of the page's state`() throws {
    let text = try String(contentsOf: Checkout.file("docs/guides/devices.md"), encoding: .utf8)
    for name in PageState.table.record.names { #expect(text.contains("`\(name)`"), "\(name)") }
  }

  @Test func `the members of ready files can be read`() throws {
    let addresses = ServerAddresses(url: "a", port: 1, enrolmentURL: "b", pageURL: "c")
    try expectRoundTrip(addresses)
    try expectRoundTrip(ReadyServer(addresses: addresses, caFile: "d", token: "e"))
    try expectRoundTrip(
      ReadyMock(
        url: "a", storageURL: "b", port: 1, caFile: "c", keyID: "d", issuer: "e", keyPath: "f",
        individualKeyID: "g"))
    try expectRoundTrip(ReadyWebhook(url: "a"))
  }

  @Test func `a server replaces its own ready file and an empty one, and no other file`() throws {
    let path = folder.path("ready.json")
    let own = ReadyServer.table.bytes(of: ReadyServer(), .readable)
    for bytes in [own, []] {
      try folder.makeFile("ready.json", bytes)
      _ = try ReadyFile<ReadyServer>(path)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
    let token = Array(#"{"controlToken": "x"}"#.utf8)
    for bytes in [ReadyMock.table.bytes(of: ReadyMock(), .readable), token, Array("{}".utf8)] {
      try folder.makeFile("ready.json", bytes)
      #expect(throws: (any Error).self) { try ReadyFile<ReadyServer>(path) }
      #expect(try folder.contents("ready.json") == bytes)
    }
  }
}
