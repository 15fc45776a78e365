import AppStoreMock
import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing
import Transfers

@testable import AppStoreConnect

/// Requests that fail temporarily: the requests that are repeated, the pauses and the limits.
@Suite(.mustEnd) struct RepeatedRequestTests {
  private static let rate = MockedTransport.error(429, "RATE_LIMIT_EXCEEDED", "Too many.")
  private static let versions = "/v1/backgroundAssetVersions"

  @Test(arguments: ["0", "1", nil])
  func `a service with a rate limit gets only a few requests in an hour`(after: String?) throws {
    let desk = try UploadDesk()
    let fields = after.map { [("Retry-After", $0)] } ?? []
    desk.mock.interference = { _, _, _ in .answer(429, Self.rate, fields) }
    #expect(throws: PackError.self) { try desk.record() }
    #expect((10...60).contains(desk.mock.seen.count))
    #expect(desk.pauses.allSatisfy { $0 >= .seconds(1) })
    #expect(desk.pauses.reduce(.zero, +) <= .seconds(65 * 60))
    // Every wait is reported.
    #expect(desk.serviceNotices == desk.pauses.map { .waitingForRate($0) })
  }

  @Test func `the last pause for a rate limit is not shorter than a second either`() throws {
    // The first pause is random, and often leaves less than a second of these four.
    for _ in 0..<100 {
      let desk = try UploadDesk()
      desk.mock.interference = { _, _, _ in .answer(429, Self.rate, []) }
      let service = try desk.service()
      service.longestRateWait = .seconds(4)
      let app = try desk.app()
      #expect(throws: ServiceError.self) { try service.packs(of: app) }
      #expect(desk.pauses.allSatisfy { $0 >= .seconds(1) }, "\(desk.pauses)")
      #expect(desk.pauses.reduce(.zero, +) <= .seconds(4))
    }
  }

  @Test(arguments: [408, 500, 502, 503, 504])
  func `a failed GET request is repeated a limited number of times`(status: Int) throws {
    let desk = try UploadDesk()
    desk.mock.interference = { _, _, number in
      number < 3 ? .answer(status, "<html>", [("Retry-After", "20")]) : nil
    }
    #expect(try desk.record() == nil)
    #expect(desk.pauses.count == 3)
    #expect(desk.pauses.allSatisfy { $0 >= .seconds(20) })
    #expect(desk.serviceNotices.count == 3)
    desk.mock.interference = { _, _, _ in .answer(status, "<html>") }
    let before = desk.mock.seen.count
    #expect(throws: PackError.self) { try desk.record() }
    #expect(desk.mock.seen.count == before + 8)
  }

  @Test func `a request with a truncated or lost response is repeated`() throws {
    for kind in ["truncate", "apply-and-drop", "drop"] {
      let desk = try UploadDesk()
      for path in ["apps", "backgroundAssets", "backgroundAssetVersions"] {
        try desk.mock.fail("GET /v1/\(path)/*: \(kind) once")
      }
      #expect(try desk.upload()?.number == 1)
      #expect(desk.mock.versions.count == 1)
    }
  }

  @Test func `a response that is not JSON is reported immediately, without the token`() throws {
    let desk = try UploadDesk()
    desk.mock.interference = { [unowned desk] _, _, _ in
      let token = desk.mock.seen.last?.authorization?.dropFirst(20) ?? ""
      return .answer(200, "\n<html>Log in \(token)</html>")
    }
    let error = #expect(throws: PackError.self) { try desk.record() }
    #expect(error?.kind == .untrusted)
    #expect(
      error?.message
        == "cannot list the packs of the app 42: the response of mock.test is not JSON: "
        + #"\x0A<html>Log in …</html>"#)
    #expect(desk.mock.seen.count == 1 && desk.pauses.isEmpty)
    // The outcome of a change is unknown: it is queried.
    desk.mock.revive()
    desk.mock.interference = { method, _, number in
      method == "POST" && number == 0 ? .answerAfter(200, "<html>") : nil
    }
    #expect(try desk.upload()?.number == 1)
    #expect(desk.mock.versions.count == 1 && desk.mock.mockFiles.count == 1)
  }

  @Test(arguments: ["/v1/backgroundAssets", versions, "/v1/backgroundAssetUploadFiles"])
  func `a change with an unknown outcome is repeated only if a later lookup does not find it`(
    path: String
  ) throws {
    for isDone in [true, false] {
      let desk = try UploadDesk()
      desk.mock.interference = { method, seen, number in
        guard method == "POST", seen == path, number < 2 else { return nil }
        return isDone
          ? .answerAfter(503, "<html>") : .answer(503, "<html>", [("Retry-After", "30")])
      }
      #expect(try desk.upload()?.number == 1)
      let seen = desk.mock.seen
      let posts = seen.indices.filter { seen[$0].method == "POST" && seen[$0].path == path }
      #expect(posts.count == (isDone ? 1 : 3))
      // The client looks up the result between two POST requests.
      for (first, second) in zip(posts, posts.dropFirst()) {
        #expect(seen[first..<second].contains { $0.method == "GET" })
      }
      #expect(desk.pauses.count == (isDone ? 1 : 2))
      #expect(desk.pauses.allSatisfy { $0 >= (isDone ? .seconds(1) : .seconds(30)) })
      #expect(desk.serviceNotices.count == desk.pauses.count)
      #expect(desk.mock.versions.count == 1 && desk.mock.mockFiles.count == 1)
    }
  }

  @Test func `a change with an unknown outcome fails after a limited number of attempts`() throws {
    let desk = try UploadDesk()
    desk.mock.interference = { method, path, _ in
      method == "POST" && path == Self.versions ? .answer(503, "<html>") : nil
    }
    #expect(throws: PackError.self) { try desk.upload() }
    #expect(desk.count("POST backgroundAssetVersions") == 7)
    #expect(desk.pauses.reduce(.zero, +) > .seconds(60))
    // A requested pause beyond the limit ends the upload immediately.
    let long = try UploadDesk()
    long.mock.interference = { method, path, _ in
      method == "POST" && path == Self.versions
        ? .answer(503, "<html>", [("Retry-After", "7200")]) : nil
    }
    #expect(throws: PackError.self) { try long.upload() }
    #expect(long.count("POST backgroundAssetVersions") == 1)
  }

  @Test func `an endless list of pages is an error`() throws {
    for isLoop in [true, false] {
      let desk = try UploadDesk()
      desk.mock.interference = { _, path, number in
        let next = "https://mock.test\(path)?cursor=\(isLoop ? 0 : number)"
        return .answer(200, #"{"data":[],"links":{"next":"\#(next)"}}"#)
      }
      let error = #expect(throws: PackError.self) { try desk.record() }
      #expect(error?.message.contains("does not end") == true)
      #expect(desk.mock.seen.count == (isLoop ? 2 : 500))
    }
  }

  @Test(arguments: [400, 401, 500])
  func `the error contains the reason from the storage, and no password hint`(status: Int) throws {
    let desk = try UploadDesk()
    desk.mock.interference = { _, path, _ in
      path.hasPrefix("/upload")
        ? .answer(
          status,
          "<Error><Code>OddCode</Code><Message>No &quot;way&quot; "
            + "https://a/?Signature=1</Message></Error>"
        )
        : nil
    }
    let error = #expect(throws: PackError.self) { try desk.upload() }
    #expect(error?.kind == .server(status: status))
    #expect(
      error?.message.hasPrefix("storage.example refused a part of version 1 (\(status) ") == true)
    let reason = "OddCode: No \"way\" https://a/?…"
    #expect(error?.message.contains(reason) == true)
    let remedies = String(describing: error?.remedies)
    #expect(!remedies.contains("password"))
  }

  @Test func `a refused checksum is omitted even if the error has no source pointer`() throws {
    for item in [
      #""code":"ENTITY_ERROR.ATTRIBUTE.INVALID","title":"T","detail":"is not valid""#,
      #""code":"X","title":"T","detail":"not valid for the attribute 'sourceFileChecksums'""#,
    ] {
      let desk = try UploadDesk()
      desk.options.sendsMD5 = true
      desk.mock.interference = { method, _, number in
        method == "PATCH" && number == 0
          ? .answer(409, #"{"errors":[{"status":"409",\#(item)}]}"#) : nil
      }
      #expect(try desk.upload()?.number == 1)
      #expect(desk.notices.contains(.withoutChecksum))
    }
  }

  @Test func `a checksum that does not match the uploaded bytes is not omitted`() throws {
    let desk = try UploadDesk()
    desk.options.sendsMD5 = true
    desk.mock.interference = { method, _, _ in
      method == "PATCH"
        ? .answer(
          409,
          MockedTransport.error(
            409, "ENTITY_ERROR.ATTRIBUTE.INVALID", "not what was uploaded",
            "/data/attributes/sourceFileChecksums/file/hash")) : nil
    }
    #expect(throws: PackError.self) { try desk.upload() }
    #expect(!desk.notices.contains(.withoutChecksum))
    #expect(desk.mock.puts.count == 8)
  }

  @Test(arguments: [8, -8])
  func `addresses expire by the time of the service, also with a wrong clock`(
    days: Int64
  ) throws {
    for isLate in [false, true] {
      let desk = try UploadDesk()
      desk.mock.sendsDate = true
      desk.lead = days * 86_400
      desk.mock.interference = { method, path, number in
        method == "PUT" && number == 2 ? .killAfter : nil
      }
      #expect(throws: PackError.self) { try desk.upload() }
      #expect(desk.mock.versions.count == 1)
      desk.mock.revive()
      if isLate { desk.advance(8 * 86_400) }
      #expect(try desk.upload()?.number == (isLate ? 2 : 1))
      #expect(desk.mock.versions.count == (isLate ? 2 : 1))
    }
  }

  @Test(arguments: [90, -3600])
  func `a wrong clock is reported, and tokens use the time of the service`(lead: Int64) throws {
    for isStrict in [false, true] {
      let desk = try UploadDesk()
      desk.lead = lead
      desk.mock.sendsDate = true
      let refusal = MockedTransport.error(401, "NOT_AUTHORIZED", "Provide a token.")
      desk.mock.interference = { [unowned desk] _, _, _ in
        let now = desk.mock.clock.now
        guard !isStrict, let field = desk.mock.seen.last?.authorization,
          let issued = Self.issued(field), (now.seconds - 600...now.seconds).contains(issued)
        else { return .answer(401, refusal) }
        return nil
      }
      guard isStrict else {
        #expect(try desk.record() == nil)
        #expect(desk.serviceNotices == [.clockDiffers(.seconds(lead))])
        #expect(desk.mock.seen.count == 3)
        continue
      }
      let error = #expect(throws: PackError.self) { try desk.record() }
      let text = lead > 0 ? "+90 s" : "-3600 s"
      #expect(error?.remedies.first.map { "\($0)".contains(text) } == true)
    }
  }

  private static func issued(_ field: String) -> Int64? {
    let parts = field.split(separator: ".")
    guard parts.count == 3 else { return nil }
    var text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
    text += String(repeating: "=", count: (4 - text.count % 4) % 4)
    let claims = Data(base64Encoded: text).flatMap { try? JSONSerialization.jsonObject(with: $0) }
    return ((claims as? [String: Any])?["iat"] as? Int).map { Int64($0) }
  }

  @Test(arguments: [
    (29_993_000, 6, 5_242_880), (50_123, 3, 20_000), (9_000_000_000, 1717, 5_242_880),
    (100, 1, 100), (1_048_576, 2, 524_288),
  ])
  func `the part size is computed from the number of parts`(size: Int, count: Int, part: Int) {
    let digests = AssetDigests(size: UInt64(size), composite: "0-\(count)")
    #expect(digests.partSizes.contains(UInt64(part)), "\(digests.partSizes)")
    #expect(
      digests.partSizes.allSatisfy { (UInt64(size) + $0 - 1) / $0 == UInt64(count) },
      "\(digests.partSizes)")
  }

  @Test(arguments: ["0-0", "0-101", "0-x", "x", "-", "0-18446744073709551615"])
  func `an invalid composite digest matches no archive`(text: String) throws {
    let desk = try UploadDesk(100)
    let digests = AssetDigests(size: 100, composite: text)
    #expect(try !digests.describe(try desk.archive(), .unstoppable))
  }
}
