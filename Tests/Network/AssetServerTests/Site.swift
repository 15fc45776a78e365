import AssetServer
import BAPackKit
import Faults
import HTTPServer
import SystemIO
import TLSIdentity
import TestSupport
import Testing

/// A server of two packs of known bytes, with or without TLS, and its page with and without
/// switches.
final class Site: Sendable {
  let folder: TemporaryFolder
  let server: HTTPServer
  let packs: AssetServer
  let events: EventList
  let isSecure: Bool
  let page: LivePage
  let pageServer: HTTPServer

  static let token = "a-token-that-nobody-guesses"

  init(
    faults: [String] = [], ids: [String] = ["cave", "mac only"], isSecure: Bool = false,
    texts: String? = nil, _ change: (inout AssetServer.Options) -> Void = { _ in }
  ) throws {
    let folder = try TemporaryFolder()
    let listener = try Listener()
    let board = LiveFaults(try faults.map { try DownloadFault(parsing: $0) })
    let catalogue = Catalogue()
    let events = EventList()
    for (index, id) in ids.enumerated() {
      let name = "pack\(index)"
      try folder.makeFile(name, Self.bytes(of: id))
      let platforms = index == 1 ? #"["macOS"]"# : "[]"
      let more = index == 0 ? #", "language": "fr""# : ""
      let document = ManifestDocument(
        parsing: Array(
          """
          {"assetPackID": "\(id)", "downloadPolicy": {"onDemand": {}}, "platforms": \(platforms),
           "fileSelectors": [{"file": "a"}]\(more)}
          """.utf8), named: "m")
      let archive = PublishedArchive(
        path: folder.path(name), manifest: try #require(document.manifest), size: 200_000,
        installedSize: 1, sha256: "sha-\(id)")
      let file = try PackFile(ByteSource(FileDescriptor.open(folder.path(name), for: .reading)))
      #expect(catalogue.add(archive, file, version: nil) == .added(version: 0))
    }
    var facts = LivePage.Facts(overrideURL: "https://127.0.0.1:\(listener.address.port)")
    facts.enrolmentURL = "http://127.0.0.1:8480"
    facts.rootDigest = "AA:BB"
    facts.code = [[true, true, false], [false, true, false]]
    if let texts {
      facts.overrideURL = texts
      facts.rootDigest = texts
      facts.enrolmentURL = "http://127.0.0.1:8480/\(texts)"
    }
    let page = LivePage(facts, catalogue: catalogue, switches: board, token: Self.token)
    var options = AssetServer.Options()
    options.page = { page.withoutSwitches($0) }
    change(&options)
    let packs = AssetServer(
      catalogue, switches: board, options: options, port: listener.address.port
    ) {
      page.note($0)
      events.add($0)
    }
    let server = try HTTPServer(
      listener, tls: isSecure ? Self.context(in: folder) : nil, packs.handler)
    try server.start()
    let pageServer = try HTTPServer(try Listener(), page.handler)
    try pageServer.start()
    self.folder = folder
    self.events = events
    self.isSecure = isSecure
    self.packs = packs
    self.server = server
    self.page = page
    self.pageServer = pageServer
  }

  /// Returns the TLS context of the server; clients find the root certificate in the folder.
  private static func context(in folder: borrowing TemporaryFolder) throws -> TLSContext {
    let now = Moment.now
    let authority = try Authority.make(called: "Tests", at: now)
    try folder.makeFile("root.pem", try authority.root.pem())
    return try TLSContext { name, address throws(Failure) in
      guard let host = name.flatMap({ HostName($0) }) ?? HostName(address.hostText) else {
        throw .malformed("no host")
      }
      return try authority.leaf(for: host, at: now)
    }
  }

  static func bytes(of id: String) -> [UInt8] {
    let count = id.utf8.count
    return generatedBytes(200_000) { UInt8(truncatingIfNeeded: $0 &* 31 &+ count) }
  }

  /// Sends a request; returns the response head and the bytes after it.
  func send(_ text: String, _ body: String = "", of port: UInt16? = nil) throws -> (
    head: String, body: [UInt8]
  ) {
    let connection = try Connection.connect(
      to: "127.0.0.1", port: port ?? server.address.port, timeout: .seconds(600), .unstoppable)
    try connection.write(Array((text + "\r\n\r\n" + body).utf8))
    try connection.finishWriting()
    // A connection that is reset ends with a failure.
    let all = connection.readToEnd().bytes
    let mark = Array("\r\n\r\n".utf8)
    let end = (0..<max(0, all.count - 3)).first { Array(all[$0..<$0 + 4]) == mark }
    guard let end else { return (String(decoding: all, as: UTF8.self), []) }
    return (String(decoding: all[..<end], as: UTF8.self), Array(all[(end + 4)...]))
  }

  func get(_ path: String, _ fields: String = "") throws -> (head: String, body: [UInt8]) {
    try send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(server.address.port)\(fields)")
  }

  deinit {
    page.end()
    server.stop()
    pageServer.stop()
  }
}

final class EventList: Sendable {
  private let bell = try? Bell()
  private let events = Noted<RequestEvent>()

  func add(_ event: RequestEvent) {
    events.add(event)
    bell?.ring()
  }

  var ended: [RequestEvent] { events.all.filter { $0.outcome != nil } }

  /// Waits until `count` requests have ended; a client can see the end before the server does.
  func waitForEnds(_ count: Int) throws {
    let end = ContinuousClock.now + .seconds(600)
    while ended.count < count, try bell?.wait(until: end, "events", .unstoppable) == true {}
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
