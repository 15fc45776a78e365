import AppStoreMock
import HTTPServer
import SystemIO
import TestSupport
import Testing
import Transfers

/// The storage: signed addresses, exact fields, exact lengths.
@Suite(.mustEnd) struct StorageTests {
  private static let bytes: [UInt8] = (0..<25).map { UInt8($0) }

  private func site(_ change: (inout MockSettings) -> Void = { _ in }) throws -> (
    site: MockSite, file: String, parts: [MockSite.Part]
  ) {
    let site = try MockSite {
      $0.partSize = 10
      change(&$0)
    }
    let reply = try site.reserve(try site.makeVersion(try site.makePack()), size: 25)
    return (site, reply.id, try MockSite.parts(reply))
  }

  private func slice(_ part: MockSite.Part) -> [UInt8] {
    Array(Self.bytes[part.offset..<part.offset + part.length])
  }

  private func expect(
    _ answer: HTTPResponse, _ status: Int, _ code: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = String(decoding: answer.body, as: UTF8.self)
    #expect(answer.status == status, "\(text)", sourceLocation: sourceLocation)
    #expect(answer.head["content-type"] == "application/xml", sourceLocation: sourceLocation)
    #expect(text.hasPrefix("<?xml "), sourceLocation: sourceLocation)
    #expect(text.contains("<Code>\(code)</Code>"), sourceLocation: sourceLocation)
  }

  @Test func `a token at the storage is refused and recorded`() throws {
    let (site, _, parts) = try site()
    let fields = parts[0].fields + [HeaderField("Authorization", "Bearer \(try site.token())")]
    expect(try site.put(parts[0].url, slice(parts[0]), fields), 400, "InvalidArgument")
    #expect(site.mock.violations == ["a request to the storage contained 'Authorization'"])
    #expect(try site.state().list("violations").count == 1)
  }

  @Test func `a reset discards the received bytes`() throws {
    let (site, _, parts) = try site()
    #expect(try site.put(parts[0].url, slice(parts[0]), parts[0].fields).status == 200)
    _ = try site.control("reset")
    #expect(try site.put(parts[1].url, slice(parts[1]), parts[1].fields).status == 403)
  }

  @Test func `a wrong length is refused before a byte is read`() throws {
    let (site, file, parts) = try site()
    for bytes in [slice(parts[0]).dropLast(), slice(parts[0]) + [1], []] {
      expect(try site.put(parts[0].url, Array(bytes), parts[0].fields), 400, "InvalidRequest")
    }
    try site.commit(file, 409)
  }

  @Test func `a changed address is refused`() throws {
    let (site, _, parts) = try site()
    let url = parts[0].url
    for wrong in [
      url.replacing("partNumber=1", with: "partNumber=2"), url + "0", url + "&x=1",
      url.replacing("Expires=1", with: "Expires=2"), url.replacing("/upload/", with: "/upload/x"),
      url.replacing("&Signature=", with: "&signature="), String(url.prefix { $0 != "?" }),
    ] {
      let answer = try site.put(wrong, slice(parts[0]), parts[0].fields)
      #expect(answer.status == 403, "\(wrong)")
    }
    #expect(try site.transfers().exchange(Exchange("GET", url), .unstoppable).status == 405)
  }

  @Test func `an address is valid for seven days, by the clock of the mock`() throws {
    let (site, _, parts) = try site()
    site.clock.advance(seconds: 7 * 86_400 - 1)
    #expect(try site.put(parts[0].url, slice(parts[0]), parts[0].fields).status == 200)
    site.clock.advance(seconds: 1)
    expect(try site.put(parts[1].url, slice(parts[1]), parts[1].fields), 403, "AccessDenied")
  }

  @Test func `the fields of an upload must match exactly`() throws {
    let (site, _, parts) = try site { $0.extraHeader = true }
    #expect(parts[0].fields.count == 2)
    for fields in [
      [], [parts[0].fields[0]], [parts[0].fields[1]],
      [HeaderField("Content-Type", "application/json"), parts[0].fields[1]],
      [parts[0].fields[0], HeaderField(parts[0].fields[1].name, "x")],
    ] {
      expect(try site.put(parts[0].url, slice(parts[0]), fields), 403, "SignatureDoesNotMatch")
    }
    #expect(try site.put(parts[0].url, slice(parts[0]), parts[0].fields).status == 200)
  }

  @Test func `parts can arrive in any order and repeatedly, and the last one is used`() throws {
    let (site, file, parts) = try site()
    #expect(
      try site.put(parts[1].url, [UInt8](repeating: 9, count: 10), parts[1].fields).status == 200)
    try site.deliver(Self.bytes, parts.reversed())
    try site.commit(file)
    // After the commit, no part is accepted.
    expect(try site.put(parts[0].url, slice(parts[0]), parts[0].fields), 403, "AccessDenied")
    // The bytes are not an archive, which is reported.
    site.mock.advance(seconds: 5)
    let shown = try site.get("/v1/backgroundAssetUploadFiles/\(file)")
    #expect(shown.string("data.attributes.assetDeliveryState.state") == "FAILED")
  }

  @Test func `a declared MD5 of a part is compared with its bytes`() throws {
    let (site, file, parts) = try site()
    func put(_ sum: String) throws -> HTTPResponse {
      try site.put(
        parts[0].url, slice(parts[0]), parts[0].fields + [HeaderField("Content-MD5", sum)])
    }
    // Base64 of the MD5 of the bytes 0 to 9.
    let right = "xWvVSA9uVBPLYqCtlmZhOg=="
    expect(try put("x"), 400, "InvalidDigest")
    expect(try put("AAAAAAAAAAAAAAAAAAAAAA=="), 400, "BadDigest")
    try site.deliver(Self.bytes, Array(parts.dropFirst()))
    #expect(try site.commit(file, 409).string("errors.0.detail") == "1 of 3 parts are missing")
    #expect(try put(right).status == 200)
    try site.commit(file)
  }

  @Test func `a body in chunks has no length and is refused in XML`() throws {
    let (site, _, parts) = try site()
    let answer = try site.putChunked(parts[0], slice(parts[0]))
    #expect(answer.hasPrefix("HTTP/1.1 411 "))
    #expect(answer.contains("<Code>MissingContentLength</Code>"))
    #expect(site.mock.violations == [])
  }

  @Test func `an interrupted part is missing, even if it was received before`() throws {
    let (site, file, parts) = try site()
    try site.deliver(Self.bytes, parts)
    _ = try site.control("fault", #"{"fault": "PUT /upload/*: reset 4 once"}"#)
    #expect(throws: Failure.self) { try site.put(parts[0].url, slice(parts[0]), parts[0].fields) }
    try site.commit(file, 409)
    try site.deliver(Self.bytes, [parts[0]])
    try site.commit(file)
  }

  @Test func `offsets above 2 GiB are supported, and holes use no storage`() throws {
    let site = try MockSite { $0.partSize = 1 << 40 }
    let size = 5 << 30
    let file = try site.reserve(try site.makeVersion(try site.makePack()), size: size)
    #expect(try MockSite.parts(file).map(\.length) == [size])
    let other = try MockSite { $0.partSize = 1 << 30 }
    let reply = try other.reserve(try other.makeVersion(try other.makePack()), size: size + 5)
    let parts = try MockSite.parts(reply)
    #expect(parts.map(\.offset) == (0...5).map { $0 << 30 })
    #expect(try other.put(parts[5].url, [1, 2, 3, 4, 5], parts[5].fields).status == 200)
  }
}
