import AppStoreConnect
import Faults
import Foundation
import HTTPServer
import SystemIO
import TLSIdentity
import TestSupport
import Testing
import Transfers

@testable import AppStoreMock

/// The mock of App Store Connect as a transport: the interface in this process, the storage on the
/// loopback interface.
///
/// Faults and switches of the mock cause errors of the service. A test can also end a
/// run at a request, replace a response, and change the state of the mock.
final class MockedTransport: Transport {
  static let address = "https://mock.test"
  static let app = "42"
  private static let storageAddress = "https://storage.example"
  private static let files = "/v1/backgroundAssetUploadFiles"

  /// The interference of a test with a request.
  enum Interference {
    /// Sends this response instead of passing the request to the mock.
    case answer(Int, String, [(String, String)] = [])
    /// Passes the request to the mock, and sends this response instead of that of the mock.
    case answerAfter(Int, String)
    /// Ends the run before the mock gets the request.
    case killBefore
    /// Ends the run after the mock got the request.
    case killAfter
    /// Ends the run, and passes the request to the mock when ``applyDelayed()`` is called.
    case killAndDelay
  }

  struct Seen {
    let method: String
    let path: String
    let url: String
    let authorization: String?
    let body: String
    let hasDeadline: Bool
    /// The status of the mock's response; nil without one.
    var status: Int?
  }

  let mock: AppStoreMock
  let clock = MockClock(fixedAt: Moment(seconds: 1_769_817_600))
  let keys: MockKeys
  private(set) var seen: [Seen] = []
  /// Called for every request with the method, the path, and the number of earlier requests with
  /// both.
  var interference: (String, String, Int) -> Interference? = { _, _, _ in nil }
  /// The indices of the parts that the storage accepted, in their order.
  private(set) var puts: [Int] = []
  /// Called before a part is read.
  var beforePart: () -> Void = {}
  /// Called after a part is read, before the storage responds.
  var afterPart: () -> Void = {}
  /// Returns another tag for a part instead of the one of the storage.
  var tag: ((String?) -> String?)?
  /// Whether responses contain the time of the service.
  var sendsDate = false
  /// Whether files fail when they are committed.
  var failsCommits = false
  /// Called with the version of a file that was committed, before the response.
  var committed: (String) -> Void = { _ in }
  private var isDead = false
  private var counts: [String: Int] = [:]
  private var delayed: (() -> Void)?
  /// The stored bytes of each file at its last commit, by its ID.
  private var stored: [String: [UInt8]] = [:]
  private let storage: HTTPServer
  private let transfers: Transfers

  init(_ change: (inout MockSettings) -> Void = { _ in }) throws {
    keys = MockKeys(try PrivateKey.make())
    let listener = try Listener()
    var options = AppStoreMock.Options(
      apps: [MockApp(id: Self.app, bundleID: "com.example.lantern", name: "Lantern")],
      seed: "client",
      base: Self.address, storage: Self.storageAddress)
    options.clock = clock
    options.switches.partSize = 1000
    // Tests end the processing themselves.
    options.switches.processingSeconds = 1 << 30
    change(&options.switches)
    mock = try AppStoreMock(options, keys: keys)
    storage = try HTTPServer(listener, mock.storage)
    try storage.start()
    var settings = Transfers.Options()
    settings.allowsHTTP = true
    settings.proxies = Proxies()
    settings.backoff.attempts = 1
    transfers = try Transfers(settings)
  }

  deinit { storage.stop() }

  /// Ends the interference and allows requests again.
  func revive() {
    isDead = false
    interference = { _, _, _ in nil }
  }

  /// Passes the request that was delayed to the mock.
  func applyDelayed() {
    if let delayed = delayed.take() { delayed() }
  }

  /// Switches faults of the mock on.
  func fail(_ faults: String...) throws {
    for text in faults {
      let fault = try ServiceFault(parsing: text)
      mock.with { _ = $0.faults.add(fault) }
    }
  }

  // MARK: As a transport

  func exchange(
    _ exchanges: [Exchange], atOnce count: Int, _ work: Work,
    responded: @escaping (Int, HTTPResponse) throws(Failure) -> Void
  ) throws(Failure) {
    for (index, exchange) in exchanges.enumerated() {
      let response = try one(exchange)
      if case .part(_, let range) = exchange.body {
        let size = range.upperBound - range.lowerBound
        work.of(item: index).report?(Work.Progress(done: size, total: size))
      }
      try responded(index, response)
    }
  }

  private func one(_ exchange: Exchange) throws(Failure) -> HTTPResponse {
    guard !isDead else { throw Failure(.interrupted) }
    let path = URLComponents(string: exchange.url)?.path ?? ""
    let key = "\(exchange.method) \(path.hasPrefix("/upload") ? "/upload" : path)"
    let before = counts[key, default: 0]
    counts[key] = before + 1
    var body = ""
    if case .bytes(let bytes) = exchange.body { body = String(decoding: bytes, as: UTF8.self) }
    let place = seen.count
    seen.append(
      Seen(
        method: exchange.method, path: path, url: exchange.url,
        authorization: exchange.fields.first { $0.name == "Authorization" }?.value, body: body,
        hasDeadline: exchange.deadline != nil))
    let interference = interference(exchange.method, path, before)
    switch interference {
    case .killBefore:
      isDead = true
      throw Failure(.interrupted)
    case .killAndDelay:
      isDead = true
      delayed = { [unowned self] in _ = try? respond(exchange) }
      throw Failure(.interrupted)
    case .answer(let status, let text, let fields): return answer(status, text, fields)
    case .answerAfter, .killAfter, nil: break
    }
    let response = try respond(exchange)
    seen[place].status = response.status
    switch interference {
    case .answerAfter(let status, let text): return answer(status, text)
    case .killAfter:
      isDead = true
      throw Failure(.interrupted)
    case .answer, .killBefore, .killAndDelay, nil: return response
    }
  }

  private func answer(
    _ status: Int, _ text: String, _ fields: [(String, String)] = []
  ) -> HTTPResponse {
    response(status, fields.map { (name: $0.0, value: $0.1) }, Array(text.utf8))
  }

  private func response(
    _ status: Int, _ fields: [(name: String, value: String)], _ body: [UInt8],
    sentMD5: [UInt8]? = nil
  ) -> HTTPResponse {
    var head = ResponseHead()
    head.status = status
    head.fields = fields.map { ($0.name.lowercased(), $0.value) }
    let wait = head["retry-after"].flatMap { Int64($0) }.map { Duration.seconds($0) }
    return HTTPResponse(
      head: head, body: body, wait: wait, date: sendsDate ? clock.now : nil, sentMD5: sentMD5)
  }

  /// The body of an error of the interface.
  static func error(_ status: Int, _ code: String, _ detail: String, _ pointer: String = "/data")
    -> String
  {
    """
    {"errors":[{"status":"\(status)","code":"\(code)","title":"T","detail":"\(detail)",\
    "source":{"pointer":"\(pointer)"}}]}
    """
  }

  // MARK: Passing requests

  private func respond(_ exchange: Exchange) throws(Failure) -> HTTPResponse {
    guard exchange.url.hasPrefix(Self.storageAddress) else { return try ask(exchange) }
    beforePart()
    let response = try store(exchange)
    afterPart()
    guard response.isSuccess else { return response }
    let items = URLComponents(string: exchange.url)?.queryItems ?? []
    let number = items.first { $0.name == "partNumber" }?.value.flatMap { Int($0) } ?? 0
    puts.append(number - 1)
    guard let tag else { return response }
    let other = tag(response.head["etag"])
    return self.response(
      response.status, other.map { [("ETag", $0)] } ?? [], [], sentMD5: response.sentMD5)
  }

  /// Sends a request to the storage.
  private func store(_ exchange: Exchange) throws(Failure) -> HTTPResponse {
    var exchange = exchange
    exchange.url = exchange.url.replacing(
      Self.storageAddress, with: "http://127.0.0.1:\(storage.address.port)")
    exchange.isTriedOnce = true
    return try transfers.exchange(exchange, .unstoppable)
  }

  /// Passes a request to the interface.
  private func ask(_ exchange: Exchange) throws(Failure) -> HTTPResponse {
    let target = exchange.url.dropFirst(Self.address.count)
    let lines =
      ["\(exchange.method) \(target) HTTP/1.1", "Host: mock.test"]
      + exchange.fields.map { "\($0.name): \($0.value)" }
    let text = lines.joined(separator: "\r\n") + "\r\n\r\n"
    guard let head = try? RequestHead(parsing: Array(text.utf8)[...]) else {
      throw .malformed("'\(exchange.url)' is not an address of the mock")
    }
    var body: [UInt8] = []
    if case .bytes(let bytes) = exchange.body { body = bytes }
    let path = head.pathText
    let file = path.hasPrefix(Self.files + "/") ? String(path.dropFirst(Self.files.count + 1)) : ""
    let isCommit = exchange.method == "PATCH" && !file.isEmpty
    if isCommit { stored[file] = (try? bytes(of: file)) ?? stored[file] }
    if isCommit, failsCommits { try? fail("PATCH \(path): file-failed once") }
    let wasAccepted = isCommit && isCommitted(file)
    let reply = mock.respond(
      to: Request(
        head: head, body: body, peer: .loopback(), ownAddress: .loopback(), isSecure: true))
    if isCommit, !wasAccepted, isCommitted(file) {
      commits += 1
      note(file)
    }
    switch reply.body {
    case .bytes(let bytes): return response(reply.status, reply.fields.list, bytes)
    case .noResponse:
      throw Failure(.transfer(.ask, .cutOff(received: 0, expected: nil)), Self.address)
    case .none, .writing, .writingToEnd: return response(reply.status, reply.fields.list, [])
    }
  }

  private func isCommitted(_ file: String) -> Bool {
    mock.with { contents in
      contents.store.files[file]?.isCommitted ?? false
    }
  }

  /// Applies the settings of the test to a committed file.
  private func note(_ id: String) {
    let fails = failsCommits
    let version = mock.with { contents in
      if fails { contents.store.files[id]?.state = .failed }
      return contents.store.files[id]?.versionID
    }
    if let version { committed(version) }
  }

  // MARK: The state of the mock

  var packs: [MockPack] { mock.with { $0.store.packs.all } }
  var versions: [MockVersion] { mock.with { $0.store.versions.all } }
  var mockFiles: [MockFile] { mock.with { $0.store.files.all } }
  /// The number of commits that the mock accepted.
  private(set) var commits = 0

  /// Changes the state of the mock.
  @discardableResult
  func change<Success: Sendable>(_ body: (inout MockStore) -> Success) -> Success {
    mock.with { body(&$0.store) }
  }

  /// Adds the record of a pack.
  @discardableResult
  func addPack(_ identifier: String, isArchived: Bool = false) -> String {
    let now = clock.now
    let id = "p-\(identifier)"
    change {
      $0.packs.add(
        MockPack(
          id: id, appID: Self.app, identifier: identifier, created: now, isArchived: isArchived))
    }
    return id
  }

  /// Adds a version of a pack, as another client makes one.
  func addVersion(_ id: String, of pack: String, _ state: MockVersion.State = .awaitingUpload) {
    let now = clock.now
    change { store in
      let number = (store.packs[pack]?.lastVersion ?? 0) + 1
      store.packs[pack]?.lastVersion = number
      store.versions.add(
        MockVersion(id: id, packID: pack, number: number, created: now, state: state))
    }
  }

  /// Adds a file of one byte to a version.
  func addFile(_ id: String, to version: String) {
    let expires = clock.now.adding(seconds: 86_400)
    change { store in
      store.files.add(
        MockFile(
          id: id, versionID: version, kind: .asset, name: "a.aar", size: 1, token: id,
          expires: expires, parts: [MockFile.Part(number: 1, offset: 0, length: 1)]))
      store.versions[version]?.assetFile = id
    }
  }

  /// Ends the processing of a version.
  func process(_ id: String, fails: Bool = false) {
    change { store in
      guard var version = store.versions[id] else { return }
      version.state = fails ? .failed : .complete
      store.versions[id] = version
      guard !fails else { return }
      store.addRelease(.internalBeta, .readyForTesting, of: id)
      store.packs[version.packID]?.internalBetaVersion = id
    }
  }

  /// Sets the state of the version with an index, and its reasons.
  func setVersion(
    _ index: Int, _ state: MockVersion.State, errors: [(String, String)] = [],
    warnings: [(String, String)] = []
  ) {
    let details = Details(
      errors: errors.map { .init(code: $0.0, description: $0.1) },
      warnings: warnings.map { .init(code: $0.0, description: $0.1) })
    let id = versions[index].id
    change { store in
      store.versions[id]?.state = state
      store.versions[id]?.details = details
    }
  }

  /// Stores other bytes for a part of the first file, as another client sends them.
  func replacePart(_ index: Int, by bytes: [UInt8]) throws {
    let (seed, found) = mock.with { ($0.store.seed, $0.store.files.all.first) }
    let file = try #require(found)
    let address = UploadAddress(
      file: file.id, part: file.parts[index].number, expires: file.expires.seconds)
    let response = try store(
      Exchange(
        "PUT", Self.storageAddress + address.path(seed: seed),
        fields: [HeaderField("Content-Type", "application/octet-stream")], body: .bytes(bytes)))
    #expect(response.status == 200)
  }

  /// The bytes of a version's archive when it was committed.
  func bytes(ofVersion number: Int) -> [UInt8] {
    let file = versions.first { $0.number == number }?.assetFile
    return file.flatMap { stored[$0] } ?? []
  }

  /// The bytes of a version's manifest when it was committed.
  func manifest(ofVersion number: Int) -> [UInt8] {
    let file = versions.first { $0.number == number }?.manifestFile
    return file.flatMap { stored[$0] } ?? []
  }

  /// The received bytes of a file.
  private func bytes(of id: String) throws -> [UInt8] {
    let (reception, file) = mock.with { ($0.receptions[id], $0.store.files[id]) }
    guard let reception, let file else { throw Failure.malformed("no bytes were received") }
    return try reception.source(of: file).read(at: 0, count: Int(file.size))
  }
}
