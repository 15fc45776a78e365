import AssetServer
import BAPackKit
import Faults
import Foundation
import HTTPServer
import SystemIO
import TestSupport
import Testing

/// Every fault with every kind of request: the response, the log, the page and the fault count.
@Suite(.mustEnd) struct FaultMatrixTests {
  /// A kind of request for the pack, and the response with each fault.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let method: String
    let fields: String
    let body: String
    /// The response without a fault: the status, and the body size if the body is pack data.
    let plain: String
    /// The response with each of ``faults``, or "-" if the fault does not apply or count.
    let cells: [String]

    var testDescription: String { name }
  }

  static let faults = [
    "cave: cut 60% once", "cave: cut 150000 once", "cave: reset 1K once", "cave: status 503 once",
    "cave: stall 1ms once", "cave: truncate once", "cave: corrupt once", "cave: tls-close once",
  ]

  private static func row(
    _ name: String, _ plain: String, _ cells: String, _ method: String = "GET", fields: String = "",
    body: String = ""
  ) -> Row {
    Row(
      name: name, method: method, fields: fields, body: body, plain: plain,
      cells: cells.split(separator: " ").map { String($0).replacing("/", with: " ") })
  }

  private static let whole =
    "200/120000 200/150000 200/1024 503 200/200000 200/100000 200/200000 none"
  private static let part = "206/60000 - 206/1024 503 206/100000 206/50000 206/100000 none"
  private static let small = "206/60 - - 503 206/100 206/50 206/100 none"
  private static let nothing = "- - - - - - - -"
  private static let tag = "\"sha-cave\""

  static let rows = [
    row("GET", "200 200000", whole),
    row("HEAD", "200", nothing, "HEAD"),
    row("half of it", "206 100000", part, fields: "\r\nRange: bytes=100000-"),
    row("a few bytes", "206 100", small, fields: "\r\nRange: bytes=7-106"),
    row("past the end", "416", nothing, fields: "\r\nRange: bytes=200000-"),
    row("HEAD of a part", "200", nothing, "HEAD", fields: "\r\nRange: bytes=7-106"),
    row(
      "a part of the same", "206 100000", part,
      fields: "\r\nRange: bytes=0-99999\r\nIf-Range: \(tag)"),
    row(
      "a part of another", "200 200000", whole,
      fields: "\r\nRange: bytes=0-99999\r\nIf-Range: \"other\""),
    row("known", "304", nothing, fields: "\r\nIf-None-Match: \(tag)"),
    row("not known", "200 200000", whole, fields: "\r\nIf-None-Match: \"other\""),
    row("if it is the same", "200 200000", whole, fields: "\r\nIf-Match: \(tag)"),
    row("if it is another", "412", nothing, fields: "\r\nIf-Match: \"other\""),
    row("POST", "405", nothing, "POST", fields: "\r\nContent-Length: 0"),
    row("POST with a body", "405", nothing, "POST", fields: "\r\nContent-Length: 3", body: "abc"),
    row(
      "POST in chunks", "405", nothing, "POST", fields: "\r\nTransfer-Encoding: chunked",
      body: "3\r\nabc\r\n0\r\n\r\n"),
    row("GET with a body", "413", nothing, fields: "\r\nContent-Length: 3", body: "abc"),
    row("two hosts", "400", nothing, fields: "\r\nHost: other"),
  ]

  /// Returns the status of a response and the number of pack bytes in it.
  private static func outcome(_ answer: (head: String, body: [UInt8])) -> String {
    guard let status = Int(answer.head.dropFirst(9).prefix(3)) else { return "none" }
    return (200...299).contains(status) && !answer.body.isEmpty
      ? "\(status) \(answer.body.count)" : "\(status)"
  }

  @Test(arguments: rows)
  func `a fault applies, counts and is logged only where it changes the response`(
    row: Row
  ) throws {
    let site = try Site()
    let clean = "GET /cave HTTP/1.1\r\nHost: a"
    let asking = "\(row.method) /cave HTTP/1.1\r\nHost: a\(row.fields)"
    #expect(row.cells.count == Self.faults.count)
    #expect(Self.outcome(try site.send(asking, row.body)) == row.plain)
    var ends = 1
    for (text, cell) in zip(Self.faults, row.cells) {
      let fault = try DownloadFault(parsing: text)
      try site.packs.switches.apply(.removeAll)
      site.packs.switches.add(fault)
      let happens = cell != "-"
      let expected = happens ? cell : row.plain
      let answer = try site.send(asking, row.body)
      // A reset discards bytes that the client has not read yet.
      if text.contains("reset"), happens {
        #expect(answer.body.count <= 1024, "\(row.name), \(text)")
      } else {
        #expect(Self.outcome(answer) == expected, "\(row.name), \(text)")
      }
      ends += 1
      try site.events.waitForEnds(ends)
      try check(site, row, text, expected, happens)
      // The fault applies to the next plain request if it has not applied yet.
      _ = try site.send(clean)
      ends += 1
      try site.events.waitForEnds(ends)
      let next = try #require(site.events.ended.last)
      #expect(next.fault == (happens ? nil : text), "\(row.name), \(text)")
      #expect(try site.state().counts == [1], "\(row.name), \(text)")
    }
    #expect(site.events.ended.count == ends)
  }

  /// Compares the log and the page for the last request with the response.
  private func check(
    _ site: Site, _ row: Row, _ fault: String, _ expected: String, _ happens: Bool
  ) throws {
    let place = Comment(rawValue: "\(row.name), \(fault)")
    let event = try #require(site.events.ended.last)
    let status = expected == "none" ? nil : Int(expected.prefix(3))
    #expect(event.outcome?.status == status, place)
    #expect(event.fault == (happens ? fault : nil), place)
    #expect(event.problem == (["400", "413"].contains(expected) ? .refused : nil), place)
    if expected.count > 3, let bytes = expected.split(separator: " ").last.flatMap({ UInt64($0) }) {
      #expect(event.sent == bytes, place)
    }
    let state = try site.state()
    #expect(state.counts == [happens ? 1 : 0], place)
    let shown = try #require(state.requests.last)
    #expect(shown["status"] as? Int == status, place)
    #expect(shown["fault"] as? String == (happens ? fault : nil), place)
    #expect(shown["sent"] as? Int == Int(event.sent), place)
    #expect(shown["isWhole"] as? Bool == event.outcome?.isWhole, place)
  }

  @Test func `a fault that does not change the manifest does not apply to it`() throws {
    let site = try Site(faults: ["manifest: stale once", "manifest: not-json once"])
    let port = site.server.address.port
    func send(_ method: String) throws -> [UInt8] {
      try site.send("\(method) /manifest?platform=iOS HTTP/1.1\r\nHost: 127.0.0.1:\(port)").body
    }
    // No pack for this platform has changed. The previous manifest is the same, so the next fault
    // applies.
    #expect(site.packs.catalogue.raise("mac only") == 1)
    let bytes = try send("HEAD") + send("GET")
    #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("<html>"))
    #expect(try site.state().counts == [0, 1])
    let good = try send("GET")
    #expect(site.packs.catalogue.raise("cave") == 1)
    #expect(try send("HEAD") == [])
    #expect(try send("GET") == good)
    #expect(try site.state().counts == [1, 1])
    #expect(try send("GET") != good)
  }

  private static let downloads = FaultScope.downloads.kinds.flatMap { kind in
    [FaultRoute.pack, .manifest].filter(kind.routes.contains).map { (kind.name, $0) }
  }

  @Test(arguments: downloads)
  func `each kind of the table happens at each of its places`(
    name: String, place: FaultRoute
  ) throws {
    let site = try Site()
    let kind = try #require(FaultKind.all.first { $0.name == name })
    let example = kind.examples[0].replacing("10s", with: "1ms").replacing("1M", with: "7")
    let text = "\(place == .manifest ? "manifest" : "cave"): \(example)"
    let head = "GET /\(place == .manifest ? "manifest" : "cave") HTTP/1.1\r\nHost: a"
    // A stale manifest differs from the current one.
    _ = site.packs.catalogue.raise("cave")
    func send() throws -> (head: String, body: [UInt8])? { try? site.send(head) }
    let plain = try #require(try send())
    site.packs.switches.add(try DownloadFault(parsing: text))
    let disturbed = try send()
    try site.events.waitForEnds(2)
    #expect(site.events.ended.map(\.fault) == [nil, text])
    let isSame = disturbed.map { $0.body == plain.body } ?? false
    #expect(isSame == (name == "stall"))
    #expect(try site.state().counts == [1])
  }
}
