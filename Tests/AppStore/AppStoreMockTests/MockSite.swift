import AppStoreMock
import BAPackKit
import Faults
import Foundation
import HTTPServer
import SourceDiagnostics
import SystemIO
import TLSIdentity
import TestSupport
import Testing
import Transfers

/// A mock of App Store Connect with a fixed clock; tests call its interface directly and its
/// storage over the loopback interface.
final class MockSite: Sendable {
  static let app = "1234567890"
  static let start = Moment(seconds: 1_769_765_463, nanoseconds: 7_000_000)

  let mock: AppStoreMock
  let clock: MockClock
  let keys: MockKeys
  /// The issued tokens and signatures; the data of the mock must not contain them.
  let watch = SecretWatch()
  /// The requests to webhooks.
  let sent: Guarded<[WebhookRequest]>
  private let storage: HTTPServer

  /// With `RECORD_EXCHANGES`, all requests and responses are written into that folder.
  private static let recorder = ProcessInfo.processInfo.environment["RECORD_EXCHANGES"]
    .flatMap { try? MockExchange.recorder(into: $0) }

  init(
    faults: [String] = [], platforms: [String] = Platforms.all, state: String? = nil,
    clock: MockClock = MockClock(fixedAt: MockSite.start), keys: MockKeys? = nil,
    hasEveryApp: Bool = false, _ change: (inout MockSettings) -> Void = { _ in }
  ) throws {
    let keys = try keys ?? MockKeys(try PrivateKey.make())
    watch.add(pem: try keys.key.pem())
    let listener = try Listener()
    var options = AppStoreMock.Options(
      apps: [
        MockApp(
          id: Self.app, bundleID: "com.example.lantern", name: "Lantern", platforms: platforms)
      ], seed: "tests", base: "https://127.0.0.1:8490",
      storage: "http://127.0.0.1:\(listener.address.port)")
    options.hasEveryApp = hasEveryApp
    options.otherHosts = ["localhost:8490"]
    options.clock = clock
    options.faults = try faults.map { try ServiceFault(parsing: $0) }
    options.state = state
    change(&options.switches)
    // Unknown states and a request for TestFlight review are not part of Apple's description.
    let isDescribed =
      !options.switches.unknownStates && options.switches.betaReviewSubmissions == .absent
    options.record = isDescribed ? Self.recorder : nil
    let sent = Guarded<[WebhookRequest]>([])
    options.send = { request in sent.with { $0.append(request) } }
    self.sent = sent
    let mock = try AppStoreMock(options, keys: keys)
    let server = try HTTPServer(listener, mock.storage)
    try server.start()
    self.mock = mock
    self.clock = clock
    self.keys = keys
    storage = server
  }

  deinit {
    storage.stop()
    let log = mock.events.map { JSONWriter.string(.object($0.members)) }.joined(separator: "\n")
    watch.search(log, in: "the mock's log")
    watch.search("\(mock.violations)", in: "what the mock complains of")
  }

  // MARK: Requests

  /// A response.
  struct Reply {
    let status: Int
    let fields: [(name: String, value: String)]
    let bytes: [UInt8]
    let hasNoResponse: Bool

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var json: Any? { try? JSONSerialization.jsonObject(with: Data(bytes)) }

    func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The value at a path such as `data.attributes.state` or `errors.0.code`.
    subscript(_ path: String) -> Any? {
      var value = json
      for part in path.split(separator: ".") {
        if let index = Int(part), let list = value as? [Any] {
          value = index < list.count ? list[index] : nil
        } else {
          value = (value as? [String: Any])?[String(part)]
        }
      }
      return value
    }

    func string(_ path: String) -> String? { self[path] as? String }
    func int(_ path: String) -> Int? { self[path] as? Int }
    func list(_ path: String) -> [Any] { self[path] as? [Any] ?? [] }
    /// Returns whether the value at a path is null.
    func isNull(_ path: String) -> Bool { self[path] is NSNull }

    var id: String { string("data.id") ?? "" }
    var code: String? { string("errors.0.code") }
    var pointer: String? { string("errors.0.source.pointer") }
    var parameter: String? { string("errors.0.source.parameter") }
  }

  /// Sends a request to the interface, with a valid token by default.
  func send(
    _ method: String, _ target: String, _ body: String? = nil, token: String?? = .none,
    fields: [String] = [], host: String = "127.0.0.1:8490"
  ) throws -> Reply {
    let field: String? =
      switch token {
      case .none: "Bearer \(try self.token())"
      case .some(let given): given
      }
    var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host)"] + fields
    if let field { lines.append("Authorization: \(field)") }
    let hasType = fields.contains { $0.lowercased().hasPrefix("content-type") }
    if body != nil, !hasType { lines.append("Content-Type: application/json") }
    let text = lines.joined(separator: "\r\n") + "\r\n\r\n"
    let request = Request(
      head: try RequestHead(parsing: Array(text.utf8)[...]), body: Array((body ?? "").utf8),
      peer: .loopback(), ownAddress: .loopback(), isSecure: true)
    let reply = Self.reply(mock.respond(to: request))
    for operation in reply.list("data.attributes.uploadOperations") {
      let url = (operation as? [String: Any])?["url"] as? String ?? ""
      if let place = url.range(of: "Signature=") { watch.add(url[place.upperBound...]) }
    }
    return reply
  }

  private static func reply(_ response: Response) -> Reply {
    var bytes: [UInt8] = []
    var hasNoResponse = false
    switch response.body {
    case .bytes(let body): bytes = body
    case .noResponse: hasNoResponse = true
    default: break
    }
    return Reply(
      status: response.status, fields: response.fields.list, bytes: bytes,
      hasNoResponse: hasNoResponse)
  }

  func get(_ target: String) throws -> Reply { try send("GET", target) }

  /// Sends a request, and expects a status.
  @discardableResult func send(
    _ status: Int, _ method: String, _ target: String, _ body: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Reply {
    let reply = try send(method, target, body)
    #expect(reply.status == status, "\(reply.text)", sourceLocation: sourceLocation)
    return reply
  }

  // MARK: Tokens

  func token(
    head: String? = nil, claims: String? = nil, key: PrivateKey? = nil,
    changing: (inout [UInt8]) -> Void = { _ in }
  ) throws -> String {
    let now = clock.now.seconds
    let head = head ?? #"{"alg":"ES256","kid":"\#(keys.teamKeyID)","typ":"JWT"}"#
    let claims =
      claims
      ?? #"{"iss":"\#(keys.issuer)","iat":\#(now),"exp":\#(now + 1200),"aud":"appstoreconnect-v1"}"#
    let message = Self.base64(Array(head.utf8)) + "." + Self.base64(Array(claims.utf8))
    var signature = try (key ?? keys.key).es256Signature(of: Array(message.utf8))
    changing(&signature)
    let token = message + "." + Self.base64(signature)
    watch.add(token: token)
    return token
  }

  static func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  // MARK: Uploads

  static func packBody(_ identifier: String, app: String = MockSite.app) -> String {
    """
    {"data":{"type":"backgroundAssets","attributes":{"assetPackIdentifier":"\(identifier)"},
     "relationships":{"app":{"data":{"type":"apps","id":"\(app)"}}}}}
    """
  }

  static func versionBody(_ pack: String) -> String {
    """
    {"data":{"type":"backgroundAssetVersions","relationships":
     {"backgroundAsset":{"data":{"type":"backgroundAssets","id":"\(pack)"}}}}}
    """
  }

  static func fileBody(_ version: String, size: Int, type: String = "ASSET", name: String = "a.aar")
    -> String
  {
    """
    {"data":{"type":"backgroundAssetUploadFiles",
     "attributes":{"assetType":"\(type)","fileName":"\(name)","fileSize":\(size)},
     "relationships":{"backgroundAssetVersion":
      {"data":{"type":"backgroundAssetVersions","id":"\(version)"}}}}}
    """
  }

  static func commitBody(_ file: String, _ attributes: String = #""uploaded":true"#) -> String {
    """
    {"data":{"type":"backgroundAssetUploadFiles","id":"\(file)","attributes":{\(attributes)}}}
    """
  }

  func makePack(_ identifier: String = "cave") throws -> String {
    try send(201, "POST", "/v1/backgroundAssets", Self.packBody(identifier)).id
  }

  func makeVersion(_ pack: String) throws -> String {
    try send(201, "POST", "/v1/backgroundAssetVersions", Self.versionBody(pack)).id
  }

  func reserve(
    _ version: String, size: Int, type: String = "ASSET", name: String = "a.aar"
  ) throws -> Reply {
    try send(
      201, "POST", "/v1/backgroundAssetUploadFiles",
      Self.fileBody(version, size: size, type: type, name: name))
  }

  /// A request to the storage, as a response describes it.
  struct Part {
    let url: String
    let offset: Int
    let length: Int
    let fields: [HeaderField]

    init(_ value: Any) throws {
      let object = try #require(value as? [String: Any])
      url = try #require(object["url"] as? String)
      offset = try #require(object["offset"] as? Int)
      length = try #require(object["length"] as? Int)
      fields = try (try #require(object["requestHeaders"] as? [[String: String]])).map {
        HeaderField(try #require($0["name"]), try #require($0["value"]))
      }
    }
  }

  static func parts(_ reservation: Reply) throws -> [Part] {
    try reservation.list("data.attributes.uploadOperations").map { try Part($0) }
  }

  func transfers() throws -> Transfers {
    var options = Transfers.Options()
    options.allowsHTTP = true
    options.proxies = Proxies()
    options.backoff.attempts = 1
    return try Transfers(options)
  }

  /// Sends bytes to an address of the storage.
  func put(_ url: String, _ bytes: [UInt8], _ fields: [HeaderField]) throws -> HTTPResponse {
    var exchange = Exchange("PUT", url, fields: fields)
    exchange.body = .bytes(bytes)
    return try transfers().exchange(exchange, .unstoppable)
  }

  /// Connects to the storage, and sends the header of an upload request for a part.
  func begin(_ part: Part, _ field: String) throws -> Connection {
    let url = part.url
    let port = try #require(UInt16(url.dropFirst("http://127.0.0.1:".count).prefix { $0 != "/" }))
    let path = url.drop { $0 != ":" }.dropFirst().drop { $0 != ":" }.drop { $0 != "/" }
    let connection = try Connection.connect(
      to: "127.0.0.1", port: port, timeout: .seconds(600), .unstoppable)
    try connection.write(
      Array(
        ("PUT \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(field)\r\nConnection: close\r\n"
          + "Content-Type: application/octet-stream\r\n\r\n").utf8))
    return connection
  }

  /// Sends a part with chunked transfer encoding, and returns the response.
  func putChunked(_ part: Part, _ bytes: [UInt8]) throws -> String {
    let connection = try begin(part, "Transfer-Encoding: chunked")
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 10) {
      let chunk = bytes[start..<min(start + 10, bytes.count)]
      text += Array("\(String(chunk.count, radix: 16));a=b\r\n".utf8) + chunk + Array("\r\n".utf8)
    }
    try connection.write(text + Array("0\r\nTrailer: x\r\n\r\n".utf8))
    try connection.finishWriting()
    return String(decoding: connection.readToEnd().bytes, as: UTF8.self)
  }

  func deliver(_ bytes: [UInt8], _ parts: [Part]) throws {
    for part in parts {
      let slice = Array(bytes[part.offset..<part.offset + part.length])
      #expect(try put(part.url, slice, part.fields).status == 200)
    }
  }

  @discardableResult func commit(_ file: String, _ status: Int = 200) throws -> Reply {
    try send(status, "PATCH", "/v1/backgroundAssetUploadFiles/\(file)", Self.commitBody(file))
  }

  /// The resources of an upload.
  struct Upload {
    let pack: String
    let version: String
    let file: String
  }

  /// Uploads bytes as a new version, and completes the processing.
  @discardableResult func upload(
    _ bytes: [UInt8], pack: String? = nil, isProcessed: Bool = true
  ) throws -> Upload {
    let pack = try pack ?? makePack()
    let version = try makeVersion(pack)
    let reservation = try reserve(version, size: bytes.count)
    try deliver(bytes, Self.parts(reservation))
    try commit(reservation.id)
    if isProcessed { mock.advance(seconds: 10) }
    return Upload(pack: pack, version: version, file: reservation.id)
  }

  func version(_ id: String, _ query: String = "") throws -> Reply {
    try send(200, "GET", "/v1/backgroundAssetVersions/\(id)\(query)")
  }

  // MARK: Packs

  static func archive(
    _ id: String = "cave", platforms: String = "[]", more: String = "",
    policy: String = #"{"onDemand": {}}"#, files: [String] = ["one.txt"],
    selectors: String? = nil
  ) -> [UInt8] {
    var pack = PackBytes.beginning
    for file in files { pack.addFile("Contents/\(file)", Array("hello \(file)".utf8)) }
    pack.addFile(
      "Manifest.json",
      manifest(id, platforms: platforms, more: more, policy: policy, selectors: selectors))
    return pack.stream
  }

  static func manifest(
    _ id: String = "cave", platforms: String = "[]", more: String = "",
    policy: String = #"{"onDemand": {}}"#, selectors: String? = nil
  ) -> [UInt8] {
    Array(
      """
      {"assetPackID": "\(id)", "downloadPolicy": \(policy),
       "fileSelectors": \(selectors ?? #"[{"file": "one.txt"}]"#), "platforms": \(platforms)\(more)}

      """.utf8)
  }

  /// Returns the state from the control interface.
  func state() throws -> Reply { try send(200, "GET", "/__mock/state") }

  func control(_ path: String, _ body: String = "{}", _ status: Int = 200) throws -> Reply {
    try send(status, "POST", "/__mock/\(path)", body)
  }
}
