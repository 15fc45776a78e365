import AppStoreConnect
import AppStoreMock
import Arguments
import Faults
import Foundation
import HTTPServer
import SourceDiagnostics
import SystemIO
import TLSIdentity
import TestSupport
import Testing
import Transfers

@testable import BAPackCommands

/// The mock of App Store Connect on loopback over TLS, and a folder with packs and the environment
/// of a client.
///
/// All tokens, signatures of addresses and the key are recorded. The output and the files of
/// commands are searched for them.
final class MockedService: Sendable {
  static let app = "1234567890"
  static let bundleID = "com.example.lantern"

  let mock: AppStoreMock
  let folder: TemporaryFolder
  let environment: [String: String]
  let watch = SecretWatch()
  private let servers: [HTTPServer]

  /// With `RECORD_EXCHANGES` all requests and responses are written into that folder.
  private static let recorder = ProcessInfo.processInfo.environment["RECORD_EXCHANGES"]
    .flatMap { try? MockExchange.recorder(into: $0) }

  /// Called with each request to the interface and its response.
  struct Observer { var exchanged: @Sendable (MockExchange) -> Void = { _ in } }

  init(
    faults: [String] = [], platforms: [String] = ["IOS", "MAC_OS", "TV_OS", "VISION_OS"],
    clock: MockClock = MockClock(),
    observer: Observer = Observer(),
    _ change: (inout MockSettings) -> Void = { _ in }
  ) throws {
    let folder = try TemporaryFolder()
    let now = Moment.now
    let authority = try Authority.make(called: "Tests", at: now)
    let key = try PrivateKey.make()
    let keys = MockKeys(key)
    let api = try Listener()
    let store = try Listener()
    let ports = [api.address.port, store.address.port]
    var options = AppStoreMock.Options(
      apps: [
        MockApp(id: Self.app, bundleID: Self.bundleID, name: "Lantern", platforms: platforms)
      ], seed: "commands", base: "https://127.0.0.1:\(ports[0])",
      storage: "https://localhost:\(ports[1])")
    options.switches.processingSeconds = 0
    options.switches.partSize = 20_000
    options.faults = try faults.map { try ServiceFault(parsing: $0) }
    options.clock = clock
    change(&options.switches)
    // Undocumented behavior is missing in the description.
    let isDescribed =
      !options.switches.unknownStates && options.switches.betaReviewSubmissions == .absent
    let recorder = isDescribed ? Self.recorder : nil
    options.record = { exchange in
      recorder?(exchange)
      observer.exchanged(exchange)
    }
    options.send = { Self.send($0) }
    let mock = try AppStoreMock(options, keys: keys)
    let context = try TLSContext { name, address throws(Failure) in
      let asked = name.flatMap { HostName($0) } ?? HostName(address.hostText)
      guard let host = asked else { throw .malformed("no host") }
      return try authority.leaf(for: host, at: now)
    }
    let first = try HTTPServer(
      api, tls: context, Self.interface(of: mock, watch))
    let second = try HTTPServer(store, tls: context, Self.storage(of: mock, watch))
    servers = [first, second]
    for server in servers { try server.start() }
    try folder.makeFile("ca.pem", try authority.root.pem())
    let pem = try key.pem()
    try folder.makeFile("AuthKey_\(keys.teamKeyID).p8", pem)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600],
      ofItemAtPath: folder.path("AuthKey_\(keys.teamKeyID).p8"))
    watch.add(pem: pem)
    environment = [
      "ASC_API_URL": "https://127.0.0.1:\(ports[0])", "ASC_CA_FILE": folder.path("ca.pem"),
      "ASC_KEY_ID": keys.teamKeyID, "ASC_ISSUER_ID": keys.issuer,
      "ASC_KEY_PATH": folder.path("AuthKey_\(keys.teamKeyID).p8"), "HOME": folder.path,
      "XDG_STATE_HOME": folder.path("state"),
    ]
    self.mock = mock
    self.folder = folder
  }

  deinit {
    for server in servers { server.stop() }
    watch.search(below: folder.path, but: [".p8", ".aar", ".dat"])
    let log = mock.events.map { JSONWriter.string(.object($0.members)) }.joined(separator: "\n")
    watch.search(log, in: "the mock's log")
    watch.search("\(mock.violations)", in: "what the mock complains of")
  }

  /// Whether no client is connected.
  var isIdle: Bool { servers.allSatisfy(\.isIdle) }

  /// Sends a request to a webhook.
  private static func send(_ request: WebhookRequest) {
    var options = Transfers.Options()
    options.allowsHTTP = true
    options.proxies = Proxies()
    options.backoff.attempts = 1
    let fields = request.fields.map { HeaderField($0.name, $0.value) }
    let exchange = Exchange("POST", request.url, fields: fields, body: .bytes(request.body))
    _ = try? Transfers(options).exchange(exchange, .unstoppable)
  }

  private static func interface(
    of mock: AppStoreMock, _ watch: SecretWatch
  ) -> HTTPServer.Handler {
    var handler = mock.interface
    let respond = handler.respond
    handler.respond = { request in
      if let token = request.head["authorization"]?.split(separator: " ").last {
        watch.add(token: token)
      }
      return respond(request)
    }
    return handler
  }

  private static func storage(
    of mock: AppStoreMock, _ watch: SecretWatch
  ) -> HTTPServer.Handler {
    var handler = mock.storage
    let receive = handler.receive
    handler.receive = { (request, reader) throws(Failure) in
      for signature in request.head.query("Signature") { watch.add(signature) }
      return try receive?(request, &reader)
    }
    return handler
  }

  /// Writes a pack of a file with this number of bytes; returns its path.
  @discardableResult
  func pack(
    _ id: String, _ size: Int = 50_000, seed: UInt8 = 1, platforms: String = #""iOS", "macOS""#,
    extra: String = ""
  ) throws -> String {
    try folder.makeFile("\(id).dat", Self.bytes(size, seed: seed))
    try folder.makeFile(
      "\(id).json",
      """
      {"assetPackID": "\(id)", "downloadPolicy": {"onDemand": {}}, "platforms": [\(platforms)],
       "fileSelectors": [{"file": "\(id).dat"}]\(extra)}
      """)
    let path = folder.path("\(id).aar")
    let run = Captured(
      "pack", folder.path("\(id).json"), "--source-root", folder.path, "-o", path, "--force")
    guard run.ending == .status(.done) else { throw Refused(messages: run.messages) }
    return path
  }

  struct Refused: Error { let messages: String }

  /// Returns bytes that no codec compresses.
  static func bytes(_ count: Int, seed: UInt8) -> [UInt8] {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
  }

  func run(
    _ arguments: String..., input: String? = nil, terminal: Bool = false,
    changing: [String: String] = [:]
  ) -> Captured {
    run(arguments, input: input, terminal: terminal, changing: changing)
  }

  func run(
    _ arguments: [String], input: String? = nil, terminal: Bool = false,
    changing: [String: String] = [:]
  ) -> Captured {
    let run = Captured(
      arguments + ["--app", Self.bundleID], input: input, columns: 100, terminal: terminal,
      environment: environment.merging(changing) { $1 })
    let what = arguments.prefix(2).joined(separator: " ")
    watch.search(run.outputBytes, in: "the output of '\(what)'")
    watch.search(run.messages, in: "the messages of '\(what)'")
    watch.search(dumpOf: run.ending, in: "the ending of '\(what)'")
    return run
  }

  /// Runs the built program, with the output and the messages combined.
  func runProgram(
    _ arguments: [String], interrupted: BuiltProgram.Interruption? = nil
  ) throws -> BuiltProgram.Run {
    let output = folder.path("program-output")
    try? FileManager.default.removeItem(atPath: output)
    let run = try BuiltProgram.run(
      arguments + ["--app", Self.bundleID],
      environment: environment.merging(["https_proxy": "", "HTTPS_PROXY": ""]) { $1 },
      interrupted: interrupted, output: output)
    watch.search(run.messages, in: "the messages of the program")
    watch.search(try folder.contents("program-output"), in: "the output of the program")
    return run
  }
}

extension MockedService {
  /// Returns the requests of a method and a path; a final `*` matches any text.
  func heard(_ method: String, _ path: String = "*") -> [MockEvent] {
    mock.events.filter { event in
      event.method == method
        && (path.hasSuffix("*") ? event.path.hasPrefix(path.dropLast()) : event.path == path)
    }
  }

  /// All requests that change data, as `POST /v1/backgroundAssets`.
  var changes: [String] {
    mock.events.filter { $0.method != "GET" }.map { event in
      let parts = event.path.split(separator: "/").prefix(2)
      return
        "\(event.method) /\(parts.first == "upload" ? "upload" : parts.joined(separator: "/"))"
    }
  }

  /// Controls the mock, as in `control("review", #"{"submission": "…", "decision": "accept"}"#)`.
  func control(_ what: String, _ body: String) throws {
    var statuses: [Int] = []
    try transfers().exchange(
      [
        Exchange(
          "POST", "\(environment["ASC_API_URL"] ?? "")/__mock/\(what)", fields: [],
          json: Array(body.utf8))
      ], atOnce: 1, .unstoppable, responded: { statuses.append($1.status) })
    guard statuses == [200] else { throw Refused(messages: "\(what) \(body): \(statuses)") }
  }

  private func transfers() throws -> Transfers {
    var options = Transfers.Options()
    options.roots = [try folder.contents("ca.pem")]
    options.proxies = Proxies()
    // The mock computes the checksum of a large archive before it responds.
    options.stallTime = .seconds(600)
    return try Transfers(options)
  }

  /// Adds a webhook for all changes.
  func addWebhook(_ url: String, secret: String) throws {
    var search = APIKeySearch()
    search.environment = { [environment] in environment[$0] }
    let token = try TokenSource(try search.find()).field(at: .now)
    let types = [
      "STATE_UPDATED", "INTERNAL_BETA_RELEASE_CREATED", "EXTERNAL_BETA_RELEASE_STATE_UPDATED",
      "APP_STORE_RELEASE_STATE_UPDATED",
    ].map { "\"BACKGROUND_ASSET_VERSION_\($0)\"" }.joined(separator: ",")
    let body = """
      {"data":{"type":"webhooks","attributes":{"enabled":true,"name":"CI","url":"\(url)",
       "secret":"\(secret)","eventTypes":[\(types)]},
       "relationships":{"app":{"data":{"type":"apps","id":"\(Self.app)"}}}}}
      """
    let exchange = Exchange(
      "POST", "\(environment["ASC_API_URL"] ?? "")/v1/webhooks", fields: [token],
      json: Array(body.utf8))
    let reply = try transfers().exchange(exchange, .unstoppable)
    guard reply.status == 201 else { throw Refused(messages: "\(reply.status)") }
  }

  /// The client of the mock.
  func service() throws -> AppStoreService {
    var search = APIKeySearch()
    search.environment = { [environment] in environment[$0] }
    return AppStoreService(
      try ServiceAddress(environment["ASC_API_URL"] ?? ""), try transfers(),
      TokenSource(try search.find()), .unstoppable)
  }
}
