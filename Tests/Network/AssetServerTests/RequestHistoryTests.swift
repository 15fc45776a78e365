import HTTPServer
import SystemIO
import Testing

@testable import AssetServer

/// The stored requests and devices, for any order of beginnings and ends.
@Suite struct RequestHistoryTests {
  let history = RequestHistory()

  private static func event(
    _ path: String, from device: String = "127.0.0.1"
  ) throws -> RequestEvent {
    let text = "GET \(path) HTTP/1.1\r\nHost: a\r\nUser-Agent: \(device)\r\n\r\n"
    let head = try RequestHead(parsing: Array(text.utf8)[...])
    return RequestEvent(
      Request(
        head: head, body: [], peer: .loopback(), peerHost: device, ownAddress: .loopback(),
        isSecure: false))
  }

  /// Returns the last event of a request; `begun` is its first one, if that was recorded.
  private static func end(_ begun: RequestEvent, hasBegun: Bool = true) -> RequestEvent {
    var event = begun
    event.hasBegun = hasBegun
    event.end(Response.Outcome(status: 200, bodyBytes: 5, isWhole: true))
    return event
  }

  private func noteEnded(_ range: Range<Int>) throws {
    for number in range { history.note(Self.end(try Self.event("/\(number)"), hasBegun: false)) }
  }

  private var paths: [String?] { history.news(after: 0).lines.map(\.event.path) }

  @Test func `the last 200 requests are kept in order of arrival`() throws {
    try noteEnded(0..<150)
    #expect(paths == (0..<150).map { "/\($0)" })
    try noteEnded(150..<450)
    #expect(paths == (250..<450).map { "/\($0)" })
    let seen = history.news(after: 0).change
    #expect(history.news(after: seen).lines.isEmpty)
    #expect(history.news(after: seen).devices == nil)
    try noteEnded(450..<453)
    #expect(history.news(after: seen).lines.map(\.event.path) == ["/450", "/451", "/452"])
    let device = try #require(history.news(after: 0).devices?.first)
    #expect((device.requests, device.bytes) == (453, 453 * 5))
  }

  @Test func `requests in progress are kept before ended ones, and are updated in place`() throws {
    let slow = try ["/slow", "/slower"].map { try Self.event($0) }
    for event in slow { history.note(event) }
    try noteEnded(0..<500)
    #expect(paths == ["/slow", "/slower"] + (302..<500).map { "/\($0)" })
    history.note(Self.end(slow[1]))
    let lines = history.news(after: 0).lines
    #expect(lines.count == 200)
    #expect(lines[0].event.outcome == nil && lines[1].event.outcome?.status == 200)
    // The ended one is now the first one to be removed.
    try noteEnded(500..<501)
    #expect(paths == ["/slow"] + (302..<501).map { "/\($0)" })
    let device = try #require(history.news(after: 0).devices?.first)
    #expect((device.requests, device.bytes) == (503, 502 * 5))
  }

  @Test func `a request in progress that was removed is counted once, and not added again`() throws
  {
    let running = try (0..<201).map { try Self.event("/\($0)") }
    for event in running { history.note(event) }
    #expect(paths == (1..<201).map { "/\($0)" })
    for event in running { history.note(Self.end(event)) }
    #expect(paths == (1..<201).map { "/\($0)" })
    let device = try #require(history.news(after: 0).devices?.first)
    #expect((device.requests, device.bytes) == (201, 201 * 5))
  }

  @Test func `progress of a short response whose start was not recorded updates one line`() throws {
    let event = try Self.event("/a")
    var progress = event
    progress.hasBegun = true
    progress.sent = 2
    history.note(progress)
    progress.sent = 3
    history.note(progress)
    history.note(Self.end(event, hasBegun: false))
    #expect(paths == ["/a"])
    let device = try #require(history.news(after: 0).devices?.first)
    #expect((device.requests, device.bytes) == (1, 5))
  }

  @Test func `the device without requests for the longest time is removed`() throws {
    for number in 0..<256 {
      history.note(Self.end(try Self.event("/", from: "d\(number)"), hasBegun: false))
    }
    history.note(Self.end(try Self.event("/", from: "d0"), hasBegun: false))
    history.note(Self.end(try Self.event("/", from: "new"), hasBegun: false))
    let devices = try #require(history.news(after: 0).devices)
    #expect(devices.count == 256)
    let counts = Dictionary(uniqueKeysWithValues: devices.map { ($0.address, $0.requests) })
    #expect(counts["d1"] == nil && counts["d0"] == 2 && counts["new"] == 1)
    #expect(devices.allSatisfy { $0.userAgent == $0.address })
    #expect(Set(devices.prefix(2).map(\.address)) == ["new", "d0"])
  }
}
