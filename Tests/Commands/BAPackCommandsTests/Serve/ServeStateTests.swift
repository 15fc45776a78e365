import Foundation
import SystemIO
import TestSupport
import Testing
import Transfers

// State that `serve` keeps between runs, and pack files that change during a run.

extension ServeTests {
  private var record: String { "state/ba-package/versions.json" }

  private func pageState(_ server: RunningServer) throws -> [String: Any] {
    let page = try #require(server.facts["pageURL"])
    var options = Transfers.Options()
    options.proxies = Proxies()
    options.allowsHTTP = true
    let answer = try Transfers(options).exchange(Exchange("GET", page + "api/state"), .unstoppable)
    return try #require(
      JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
  }

  private func outage(of id: String, _ server: RunningServer) throws -> String? {
    let packs = try #require(pageState(server)["packs"] as? [[String: Any]])
    return packs.first { $0["id"] as? String == id }?["outage"] as? String
  }

  @Test(arguments: [
    (
      #"{"format": 2, "kept": true}"#,
      "a newer version of this program wrote the version lock"
    ),
    ("{ damaged", "the version lock is damaged: line 1: "),
  ])
  func `a version lock that cannot be read is kept, and the server does not start`(
    text: String, reason: String
  ) throws {
    try state.makeFile(record, text, mode: 0o640)
    let server = try serve()
    #expect(try server.wait() == .init(status: 1, wasSignalled: false))
    let messages = try server.messages.replacing("//", with: "/")
    #expect(messages.contains("Error: cannot read '\(state.path(record))': \(reason)"))
    #expect(messages.contains("move it away: then versions start again"), "\(messages)")
    #expect(String(decoding: try state.contents(record), as: UTF8.self) == text)
    #expect(try FileStatus(ofFileAt: state.path(record)).permissions == 0o640)
  }

  @Test func `a record that becomes unreadable is kept, and the page still raises versions`() throws
  {
    let server = try serve()
    #expect(try versions(server) == ["a": 0, "b": 0])
    try state.makeFile(record, #"{"format": 9}"#)
    let page = try #require(server.facts["pageURL"])
    var options = Transfers.Options()
    options.proxies = Proxies()
    options.allowsHTTP = true
    let fields: [HeaderField] = [
      HeaderField("Authorization", "Bearer \(try #require(server.facts["controlToken"]))")
    ]
    let raised = try Transfers(options).exchange(
      Exchange("POST", page + "api/packs/a/raise", fields: fields), .unstoppable)
    #expect(raised.status == 200)
    #expect(try versions(server) == ["a": 1, "b": 0])
    #expect(String(decoding: try state.contents(record), as: UTF8.self) == #"{"format": 9}"#)
    // A separate thread writes messages.
    let warning = "versions are not recorded, and may decrease after a restart"
    let end = ContinuousClock.now + .seconds(600)
    while try !server.messages.contains(warning), .now < end {}
    #expect(try server.messages.contains(warning))
  }

  @Test func `a start that waits for the version lock reports that, and then serves`() throws {
    try state.makeFolder("state/ba-package")
    let path = state.path(record)
    let held = try FileLock(besides: path, .unstoppable) {}
    // The server is ready only after the lock is released.
    let server = try RunningServer([folder.path("packs")], state: state.path) {
      $0.replacing("//", with: "/").contains("writing '\(path)'")
    }
    #expect(!server.hasReadyFile)
    held.release()
    try server.waitUntilReady()
    #expect(try versions(server) == ["a": 0, "b": 0])
  }

  @Test(arguments: [[], ["--watch"]])
  func `a pack with a truncated file has status 503 with the reason until it is complete`(
    options: [String]
  ) throws {
    let server = try serve(options)
    let whole = try folder.contents("packs/a.aar")
    #expect(try request(server, "/a").body == whole)
    #expect(try outage(of: "a", server) == nil)
    try folder.makeFile("packs/a.aar", Array(whole.dropLast(7)))
    let refused = try request(server, "/a")
    #expect(refused.status == 503)
    #expect(String(decoding: refused.body, as: UTF8.self).contains("packs/a.aar"))
    #expect(try versions(server) == ["b": 0])
    #expect(try server.waits(forOutput: "'a' is temporarily not served: '"))
    #expect(try server.waits(forOutput: "GET /a  503  "))
    let end = ContinuousClock.now + .seconds(600)
    let damaged = "'\(folder.path("packs/a.aar"))' is damaged"
    while try outage(of: "a", server) != damaged, .now < end {}
    #expect(try outage(of: "a", server) == damaged)
    while try !server.messages.contains("packs/a.aar' is not served: "), .now < end {}
    #expect(try server.messages.contains("packs/a.aar' is not served: "))
    try folder.makeFile("packs/a.aar", whole)
    while try request(server, "/a").status != 200, .now < end {}
    #expect(try request(server, "/a").body == whole)
    #expect(try versions(server) == ["a": 0, "b": 0])
    #expect(try outage(of: "a", server) == nil)
  }

  @Test func `a stale manifest has all packs in the versions of the record`() throws {
    let stale = ["--fault", "manifest: stale"]
    #expect(try versions(try serve(stale)) == ["a": 0, "b": 0])
    try folder.makeFile("packs/a.aar", pack("a", contents: "changed"))
    #expect(try versions(try serve(stale)) == ["a": 0, "b": 0])
    #expect(try versions(try serve(stale)) == ["a": 0, "b": 0])
    #expect(try versions(try serve()) == ["a": 1, "b": 0])
  }

  @Test func `a stale manifest after a restart has the size of the old version`() throws {
    let stale = ["--fault", "manifest: stale"]
    func sizes(_ options: [String] = []) throws -> [String: Int] {
      try numbers("downloadSize", try serve(options))
    }
    let old = try sizes()
    try folder.makeFile("packs/a.aar", pack("a", contents: String(repeating: "changed", count: 9)))
    #expect(try sizes(stale) == old)
    let current = try sizes()
    #expect(current["a"] != old["a"])
    #expect(try sizes(stale) == old)
    // A record without sizes is read; then the size is that of the current file.
    let text = String(decoding: try state.contents(record), as: UTF8.self)
    let older = text.replacing(/, ?"bytes": ?[0-9]+/, with: "")
    #expect(older != text)
    try state.makeFile(record, older)
    #expect(try sizes(stale) == current)
    #expect(try versions(try serve(stale)) == ["a": 0, "b": 0])
  }
}
