import AppStoreMock
import Faults
import Foundation
import HTTPServer
import SystemIO
import TestSupport
import Testing
import Transfers

/// Each kind of fault.
@Suite(.mustEnd) struct FaultTests {
  private static let create = "/v1/backgroundAssetVersions"

  private func numbers(_ site: MockSite, _ pack: String) throws -> Int {
    try site.get("/v1/backgroundAssets/\(pack)/versions").list("data").count
  }

  @Test func `'drop' closes the connection before the request has an effect`() throws {
    let site = try MockSite(faults: ["POST \(Self.create): drop once"])
    let pack = try site.makePack()
    let reply = try site.send("POST", Self.create, MockSite.versionBody(pack))
    #expect(reply.hasNoResponse)
    #expect(try numbers(site, pack) == 0)
    _ = try site.makeVersion(pack)
    #expect(site.mock.events.map(\.fault).compactMap { $0 } == ["POST \(Self.create): drop once"])
  }

  @Test func `'apply-and-drop' performs the request, and sends no response`() throws {
    let site = try MockSite(faults: ["POST \(Self.create): apply-and-drop call 2"])
    let pack = try site.makePack()
    _ = try site.makeVersion(pack)
    #expect(try site.send("POST", Self.create, MockSite.versionBody(pack)).hasNoResponse)
    #expect(try numbers(site, pack) == 2)
  }

  @Test(arguments: [500, 502, 503])
  func `'status' responds with HTML`(status: Int) throws {
    let site = try MockSite(faults: ["GET /v1/apps: status \(status) twice"])
    for _ in 0..<2 {
      let reply = try site.get("/v1/apps")
      #expect(reply.status == status)
      #expect(reply.field("Content-Type") == "text/html")
      #expect(reply.text.hasPrefix("<html>"))
    }
    #expect(try site.get("/v1/apps").status == 200)
  }

  @Test func `'too-many' responds with or without 'Retry-After'`() throws {
    let site = try MockSite(faults: [
      "GET *: too-many call 1", "GET *: too-many 5s call 2", "GET *: too-many date call 3",
    ])
    let fields = try (0..<3).map { _ in
      let reply = try site.get("/v1/apps")
      #expect(reply.status == 429)
      #expect(reply.code == "RATE_LIMIT_EXCEEDED")
      return reply.field("Retry-After")
    }
    #expect(fields == [nil, "5", "Fri, 30 Jan 2026 09:31:08 GMT"])
    #expect(try site.get("/v1/apps").status == 200)
  }

  @Test func `'too-many past' and 'status' send 'Retry-After'`() throws {
    let site = try MockSite(faults: ["GET *: too-many past call 1", "GET *: status 503 7s call 2"])
    #expect(try site.get("/v1/apps").field("Retry-After") == "Fri, 30 Jan 2026 08:31:03 GMT")
    let reply = try site.get("/v1/apps")
    #expect(reply.status == 503)
    #expect(reply.field("Retry-After") == "7")
  }

  @Test func `'no-source' omits the source pointer of an error`() throws {
    let site = try MockSite(faults: ["POST *: no-source once"])
    let body = MockSite.packBody("a.b")
    let reply = try site.send("POST", "/v1/backgroundAssets", body)
    #expect(reply.status == 409 && reply.pointer == nil)
    #expect(try site.send("POST", "/v1/backgroundAssets", body).pointer != nil)
  }

  @Test func `'endless' adds a link to a next page to each page`() throws {
    let site = try MockSite(faults: ["GET *: endless 3 times"])
    var target = "/v1/apps?limit=1"
    for page in 0..<3 {
      let reply = try site.get(target)
      #expect(reply.list("data").count == (page == 0 ? 1 : 0))
      let next = try #require(reply.string("links.next"))
      target = String(next.dropFirst("https://127.0.0.1:8490".count))
    }
    #expect(try site.get(target).string("links.next") == nil)
  }

  @Test func `'processing-fails' fails the processing of a committed file`() throws {
    let site = try MockSite(faults: [
      "PATCH /v1/backgroundAssetUploadFiles/*: processing-fails once"
    ])
    let upload = try site.upload(MockSite.archive())
    let reply = try site.get("/v1/backgroundAssets/\(upload.pack)/versions")
    #expect(reply.string("data.0.attributes.state") == "FAILED")
    #expect(reply.string("data.0.attributes.stateDetails.errors.0.code") == "MOCK-FAULT")
    let next = try site.upload(MockSite.archive(), pack: upload.pack)
    #expect(try site.version(next.version).string("data.attributes.state") == "COMPLETE")
  }

  @Test func `'no-checksums' returns a file without checksums`() throws {
    let site = try MockSite(faults: ["GET *: no-checksums once"])
    let file = "/v1/backgroundAssetUploadFiles/\(try site.upload(MockSite.archive()).file)"
    #expect(try site.get(file).isNull("data.attributes.sourceFileChecksums"))
    #expect(
      try site.get(file).string("data.attributes.sourceFileChecksums.composite.hash") != nil)
  }

  @Test func `'unauthorized' refuses a valid token`() throws {
    let site = try MockSite(faults: ["* /v1/apps: unauthorized once"])
    #expect(try site.get("/v1/apps").code == "NOT_AUTHORIZED")
    #expect(try site.get("/v1/apps").status == 200)
  }

  @Test func `'truncate' ends a response in the middle`() throws {
    let site = try MockSite(faults: ["GET *: truncate once"])
    let cut = try site.get("/v1/apps")
    let whole = try site.get("/v1/apps")
    #expect(cut.status == 200)
    #expect(cut.json == nil)
    #expect(whole.bytes.starts(with: cut.bytes))
    #expect(cut.bytes.count == whole.bytes.count / 2)
  }

  @Test func `'slow' sends a response in slow pieces`() throws {
    let site = try MockSite(faults: ["GET /v1/apps: slow 1s"])
    let server = try HTTPServer(try Listener(), site.mock.interface)
    try server.start()
    defer { server.stop() }
    let start = ContinuousClock.now
    let answer = try site.transfers().exchange(
      Exchange(
        "GET", "http://127.0.0.1:\(server.address.port)/v1/apps",
        fields: [HeaderField("Authorization", "Bearer \(try site.token())")]), .unstoppable)
    #expect(answer.status == 200)
    #expect((try? JSONSerialization.jsonObject(with: Data(answer.body))) != nil)
    #expect(.now - start >= .milliseconds(900))
  }

  // MARK: Storage

  private func part(
    _ fault: String
  ) throws -> (site: MockSite, file: String, part: MockSite.Part) {
    let site = try MockSite(faults: ["PUT /upload/*: \(fault)"])
    let reply = try site.reserve(try site.makeVersion(try site.makePack()), size: 100_000)
    return (site, reply.id, try MockSite.parts(reply)[0])
  }

  private static let bytes = [UInt8](repeating: 7, count: 100_000)

  @Test(arguments: ["reset 0", "reset 1", "reset 64K", "reset 100000", "drop"])
  func `'reset' and 'drop' discard a part at any offset`(fault: String) throws {
    let (site, file, part) = try part("\(fault) once")
    #expect(throws: Failure.self) { try site.put(part.url, Self.bytes, part.fields) }
    try site.commit(file, 409)
    #expect(try site.put(part.url, Self.bytes, part.fields).status == 200)
    try site.commit(file)
  }

  @Test func `'apply-and-drop' keeps a part without a response`() throws {
    let (site, file, part) = try part("apply-and-drop once")
    #expect(throws: Failure.self) { try site.put(part.url, Self.bytes, part.fields) }
    try site.commit(file)
  }

  @Test(arguments: [
    ("status 503", 503), ("expired", 403), ("too-many", 429), ("unauthorized", 401),
    ("storage RequestTimeout", 400), ("storage SlowDown", 503),
    ("storage RequestTimeTooSkewed", 403),
  ])
  func `the storage sends errors in XML`(fault: String, status: Int) throws {
    let (site, _, part) = try part("\(fault) once")
    let answer = try site.put(part.url, Self.bytes, part.fields)
    #expect(answer.status == status)
    let text = String(decoding: answer.body, as: UTF8.self)
    #expect(text.hasPrefix("<?xml"))
    if let code = fault.split(separator: "storage ").first, fault.hasPrefix("storage ") {
      #expect(text.contains("<Code>\(code)</Code><Message>"))
    }
    #expect(try site.put(part.url, Self.bytes, part.fields).status == 200)
  }

  @Test func `'no-etag' accepts a part and returns no checksum of it`() throws {
    let (site, file, part) = try part("no-etag once")
    let answer = try site.put(part.url, Self.bytes, part.fields)
    #expect(answer.status == 200 && answer.head["etag"] == nil)
    try site.commit(file)
  }

  // MARK: Distortions

  @Test func `'stuck' shows a version that is processed forever`() throws {
    let site = try MockSite(faults: ["GET /v1/backgroundAssetVersions/*: stuck twice"])
    let upload = try site.upload(MockSite.archive())
    let states = try (0..<3).map { _ in
      try site.version(upload.version).string("data.attributes.state")
    }
    #expect(states == ["PROCESSING", "PROCESSING", "COMPLETE"])
  }

  @Test
  func `'failed' shows a version that failed, and 'failed-silently' one without a reason`()
    throws
  {
    let site = try MockSite(faults: [
      "GET /v1/backgroundAssetVersions/*: failed call 1",
      "GET /v1/backgroundAssetVersions/*: failed-silently call 2",
    ])
    let upload = try site.upload(MockSite.archive())
    let loud = try site.version(upload.version)
    #expect(loud.string("data.attributes.state") == "FAILED")
    #expect(loud.string("data.attributes.stateDetails.errors.0.code") == "MOCK-FAULT")
    let silent = try site.version(upload.version)
    #expect(silent.string("data.attributes.state") == "FAILED")
    #expect(silent.isNull("data.attributes.stateDetails"))
  }

  @Test func `'no-internal-release' shows a version that testers do not get yet`() throws {
    let site = try MockSite(faults: [
      "GET /v1/backgroundAssetVersions/*: no-internal-release 2 times"
    ])
    let upload = try site.upload(MockSite.archive())
    let counts = try (0..<3).map { _ in
      try site.version(upload.version, "?include=internalBetaRelease").list("included").count
    }
    #expect(counts == [0, 0, 1])
  }

  @Test func `'file-failed' shows a file that failed, and a version that waits for it`() throws {
    let site = try MockSite(faults: ["GET *: file-failed calls 1-2"])
    let upload = try site.upload(MockSite.archive())
    let reply = try site.version(upload.version, "?include=assetFile")
    #expect(reply.string("data.attributes.state") == "AWAITING_UPLOAD")
    #expect(reply.string("included.0.attributes.assetDeliveryState.state") == "FAILED")
    #expect(
      try site.get("/v1/backgroundAssetUploadFiles/\(upload.file)").string(
        "data.attributes.assetDeliveryState.errors.0.code") == "MOCK-FAULT")
    #expect(try site.version(upload.version).string("data.attributes.state") == "COMPLETE")
  }

  @Test(arguments: ["gap", "overlap", "overrun", "none", "http", "post"], [5, 100])
  func `'operations' lists invalid parts`(kind: String, partSize: Int) throws {
    let site = try MockSite(faults: ["POST /v1/backgroundAssetUploadFiles: operations \(kind)"]) {
      $0.partSize = partSize
    }
    let reply = try site.reserve(try site.makeVersion(try site.makePack()), size: 20)
    let operations = reply.list("data.attributes.uploadOperations")
    let parts = try MockSite.parts(reply)
    let covered = parts.map { $0.offset..<$0.offset + $0.length }
    let count = (20 + partSize - 1) / partSize
    switch kind {
    case "none": #expect(operations.isEmpty)
    case "http": #expect(parts.allSatisfy { $0.url.hasPrefix("http://") })
    case "post": #expect((operations.last as? [String: Any])?["method"] as? String == "POST")
    case "overrun": #expect(covered.last?.upperBound == 21)
    case "gap": #expect(covered.map(\.count).reduce(0, +) < 20)
    default: #expect(covered.map(\.count).reduce(0, +) > 20 || covered[0].overlaps(covered[1]))
    }
    if ["http", "post", "overrun"].contains(kind) { #expect(operations.count == count) }
    // The storage still has the correct parts.
    #expect(
      try MockSite.parts(try site.get("/v1/backgroundAssetUploadFiles/\(reply.id)")).count == count)
  }

  // MARK: All kinds

  /// The statuses and texts of requests of every kind, from an empty app to a processed version.
  private func transcript(_ site: MockSite) throws -> [String] {
    var lines: [String] = []
    func send(_ method: String, _ target: String, _ body: String? = nil) throws -> MockSite.Reply {
      let reply = try site.send(method, target, body)
      lines.append(
        "\(method) \(target) \(reply.status) \(reply.field("Retry-After") ?? "") \(reply.text)")
      return reply
    }
    _ = try send("GET", "/v1/apps")
    let pack = try send("POST", "/v1/backgroundAssets", MockSite.packBody("cave")).id
    _ = try send("POST", "/v1/backgroundAssets", MockSite.packBody("a.b"))
    let version = try send("POST", Self.create, MockSite.versionBody(pack)).id
    let bytes = MockSite.archive()
    let file = try send(
      "POST", "/v1/backgroundAssetUploadFiles", MockSite.fileBody(version, size: bytes.count))
    for part in (try? MockSite.parts(file)) ?? [] {
      let end = min(bytes.count, part.offset + part.length)
      let sent = part.offset < end ? Array(bytes[part.offset..<end]) : []
      let answer = try? site.put(part.url, sent, part.fields)
      let fields = ["etag", "retry-after"].map { answer?.head[$0] ?? "" }
      lines.append("PUT \(answer?.status ?? 0) \(fields.joined(separator: " "))")
    }
    let path = "/v1/backgroundAssetUploadFiles/\(file.id)"
    _ = try send("PATCH", path, MockSite.commitBody(file.id))
    site.mock.advance(seconds: 10)
    _ = try send("GET", path)
    _ = try send("GET", "\(Self.create)/\(version)?include=internalBetaRelease,assetFile")
    // The port of the storage differs.
    return lines.map { $0.replacing(/127\.0\.0\.1:\d+/, with: "") }
  }

  private static let kinds = FaultScope.service.kinds.flatMap { kind in
    [FaultRoute.interface, .storage].filter(kind.routes.contains).flatMap { place in
      kind.examples.map { ($0, place) }
    }
  }

  @Test(arguments: kinds)
  func `each kind of the table happens at each of its places`(
    example: String, place: FaultRoute
  ) throws {
    let example = example.replacing("1M", with: "1").replacing("slow 2s", with: "slow 1ms")
    let text = place == .storage ? "PUT /upload/*: \(example)" : "* /v1/*: \(example)"
    let plain = try transcript(try MockSite())
    let site = try MockSite(faults: [text])
    let disturbed = try transcript(site)
    #expect(site.mock.events.contains { $0.fault == text })
    // A slow storage sends the same response later, and the storage of this test has no encryption.
    let isSame = place == .storage && example == "slow 1ms" || example == "operations http"
    #expect((disturbed == plain) == isSame)
  }

  // MARK: Control interface

  @Test func `faults are switched on and off in the control interface`() throws {
    let site = try MockSite()
    #expect(
      try site.control("fault", #"{"fault": "GET /v1/apps: status 500"}"#).list("faults").count == 1
    )
    #expect(try site.get("/v1/apps").status == 500)
    #expect(try site.send(200, "DELETE", "/__mock/fault").list("faults").isEmpty)
    #expect(try site.get("/v1/apps").status == 200)
    _ = try site.control("fault", #"{"fault": "x"}"#, 400)
    _ = try site.control("fault", "{}", 400)
    for number in 0..<200 { _ = try site.control("fault", #"{"fault": "GET /\#(number): drop"}"#) }
    _ = try site.control("fault", #"{"fault": "GET /x: drop"}"#, 409)
    let body = #"{"fault": "GET /7: drop"}"#
    #expect(try site.send(200, "DELETE", "/__mock/fault", body).list("faults").count == 199)
    #expect(try site.send("DELETE", "/__mock/fault", body).status == 404)
    _ = try site.control("fault", #"{"fault": "GET /x: drop"}"#)
    _ = try site.control("advance", #"{"seconds": -1}"#, 400)
    _ = try site.control("advance", #"{"seconds": "1"}"#, 400)
    _ = try site.control("nothing", "{}", 404)
    _ = try site.makePack()
    _ = try site.control("reset")
    #expect(try site.state().list("packs").isEmpty)
    #expect(try site.state().list("faults").isEmpty)
  }
}
