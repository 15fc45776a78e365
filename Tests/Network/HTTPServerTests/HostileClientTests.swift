import HTTPServer
import Synchronization
import SystemIO
import TestSupport
import Testing

/// Malicious and faulty clients, in large numbers.
@Suite(.world, .mustEnd) struct HostileClientTests {
  /// Returns the status of the response to a text, while the connection is kept open.
  private static func status(
    _ connection: borrowing Connection, _ text: String
  ) throws -> String {
    try connection.write(Array(text.utf8))
    let answer = String(decoding: try connection.read(atMost: 1 << 16), as: UTF8.self)
    return String(answer.dropFirst(9).prefix(3))
  }

  private static let get = "GET /3 HTTP/1.1\r\nHost: a\r\n\r\n"

  /// Runs a closure on `count` threads, and returns their errors.
  private static func together(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Void
  ) throws -> [String] {
    let troubles = Noted<String>()
    try onThreads(count) { number in
      do { try body(number) } catch { troubles.add("\(number): \(error)") }
    }
    return troubles.all
  }

  // MARK: Time

  @Test func `a header that arrives byte by byte times out, and does not affect other clients`()
    throws
  {
    let server = try ServerTests.server { $0.headTime = .seconds(5) }
    defer { server.stop() }
    let troubles = try Self.together(48) { number in
      if number % 4 == 0 {
        let answer = try ServerTests.send(server, "GET /5000000 HTTP/1.0\r\n\r\n")
        #expect(answer.utf8.count > 5_000_000)
        return
      }
      let connection = try ServerTests.connect(server)
      var sent = 0
      let text = Array("GET /3 HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 99))".utf8)
      while try !connection.isReady(.readable, within: .milliseconds(200)), sent < text.count {
        try connection.write([text[sent]])
        sent += 1
      }
      let answer = String(decoding: try ServerTests.rest(connection), as: UTF8.self)
      #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
      // The response comes while bytes are still sent, which takes several times as long.
      #expect(sent > 0 && sent < text.count)
    }
    #expect(troubles == [])
  }

  @Test func `a body that arrives too slowly times out`() throws {
    let server = try ServerTests.server { $0.bodyTime = .milliseconds(300) }
    defer { server.stop() }
    let connection = try ServerTests.connect(server)
    try connection.write(
      Array("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel".utf8))
    let answer = String(decoding: try ServerTests.rest(connection), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
  }

  @Test func `a client that stops reading is disconnected, and a slow reader is not`() throws {
    let server = try ServerTests.server { $0.stallTime = .seconds(5) }
    defer { server.stop() }
    let deaf = try ServerTests.connect(server)
    try deaf.write(Array("GET /90000000 HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    let slow = try ServerTests.connect(server)
    try slow.write(Array("GET /20000000 HTTP/1.0\r\n\r\n".utf8))
    var count = 0
    let start = ContinuousClock.now
    while true {
      let more = try slow.read(atMost: 1 << 18)
      if more.isEmpty { break }
      count += more.count
      // The whole transfer takes longer than the limit for a stall.
      if ContinuousClock.now - start < .seconds(8) {
        _ = try slow.isReady(.writable, within: .zero)
        pause(.milliseconds(100))
      }
    }
    #expect(count > 20_000_000)
    // A write fails after the server has closed the connection.
    while (try? deaf.write([0])) != nil { pause(.milliseconds(20)) }
    #expect(deaf.readToEnd().bytes.count < 90_000_000)
  }

  /// Waits for a fixed time.
  private func pause(_ time: Duration) {
    _ = try? waitUntil(.readable, -1, "", until: .now + time, .unstoppable)
  }

  // MARK: Numbers

  @Test func `1,024 of 2,000 simultaneous connections are served, and the others are refused`()
    async
  {
    await #expect(processExitsWith: .success) {
      ProcessState.allowOpenFiles(6_000)
      let before = ProcessFigures.now
      for _ in 0..<2 {
        // On a busy machine, a connection can be idle until all others are open.
        let server = try ServerTests.server { $0.idleTime = .seconds(600) }
        let statuses = Noted<String>()
        let sizes = Noted<Int>()
        let arrived = Atomic(0)
        let troubles = try HostileClientTests.together(20) { number in
          // One download starts before the other connections.
          let first = try ServerTests.connect(server)
          if number == 0 { try first.write(Array("GET /9000000 HTTP/1.0\r\n\r\n".utf8)) }
          var kept: [Held] = []
          for _ in 0..<(number == 0 ? 0 : 105) {
            let connection = try ServerTests.connect(server)
            statuses.add(try HostileClientTests.status(connection, HostileClientTests.get))
            kept.append(Held(connection))
          }
          if number == 0 { sizes.add(try ServerTests.rest(first).count) }
          arrived.wrappingAdd(1, ordering: .relaxed)
          // The served connections are still served while all others are open.
          if number == 1 {
            while arrived.load(ordering: .relaxed) < 20 {
              _ = try waitUntil(.readable, -1, "", until: .now + .milliseconds(5), .unstoppable)
            }
          }
          let again = kept.compactMap {
            try? HostileClientTests.status($0.connection, HostileClientTests.get)
          }
          #expect(again.filter { $0 == "200" }.count <= 105)
          // Hold the connections until the end.
          while arrived.load(ordering: .relaxed) < 20 {
            _ = try waitUntil(.readable, -1, "", until: .now + .milliseconds(5), .unstoppable)
          }
          extendLifetime(kept)
        }
        #expect(troubles == [])
        #expect(sizes.all.first ?? 0 > 9_000_000)
        let served = statuses.all.count { $0 == "200" }
        let refused = statuses.all.count { $0 == "503" }
        // The download and the first connection of each thread are included.
        #expect((1_004...1_024).contains(served), "\(served)")
        #expect(refused == 1_995 - served, "\(refused)")
        server.stop(within: .seconds(5))
      }
      let after = ProcessFigures.settled(asBefore: before)
      #expect(after.threads <= before.threads, "\(before), then \(after)")
      #expect(after.descriptors <= before.descriptors, "\(before), then \(after)")
    }
  }

  private final class Held: Sendable {
    let connection: Connection
    init(_ connection: consuming Connection) { self.connection = connection }
  }

  @Test func `a thousand pipelined requests get their responses in order`() throws {
    let server = try ServerTests.server()
    defer { server.stop() }
    let requests = (0..<1000).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
    let answer = try ServerTests.send(server, requests)
    let lengths = answer.components("Content-Length: ").dropFirst().map {
      Int($0.prefix { $0.isNumber })
    }
    #expect(lengths == Array(0..<1000))
  }

  @Test func `stalled downloads hold little memory, and release it at the end`() async {
    await #expect(processExitsWith: .success) {
      ProcessState.allowOpenFiles(6_000)
      let start = ProcessFigures.now
      var figures: [ProcessFigures] = []
      for _ in 0..<3 {
        do {
          let server = try ServerTests.server()
          let before = ProcessFigures.now
          var kept: [Held] = []
          for _ in 0..<500 {
            let connection = try ServerTests.connect(server)
            try connection.write(Array("GET /90000000/pulled HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
            _ = try connection.read(atMost: 1)
            kept.append(Held(connection))
          }
          // Each response waits for its client.
          _ = try waitUntil(.readable, -1, "", until: .now + .milliseconds(600), .unstoppable)
          let during = ProcessFigures.now
          let each = (during.memory - before.memory) / 500
          // Client and server are in this process, which is not optimized.
          #expect(each < 64 << 10, "\(each) bytes each: \(before), then \(during)")
          kept = []
          server.stop()
        }
        figures.append(ProcessFigures.settled(asBefore: start))
      }
      let last = figures[2]
      #expect(last.threads <= start.threads, "\(start), then \(figures)")
      #expect(last.descriptors <= start.descriptors, "\(start), then \(figures)")
      #expect(last.memory - figures[0].memory < 4 << 20, "\(start), then \(figures)")
    }
  }

  @Test func `malicious clients of all kinds leave no open files or threads`() async {
    await #expect(processExitsWith: .success) {
      let server = try ServerTests.server()
      let before = ProcessFigures.now
      var figures: [ProcessFigures] = []
      for round in 0..<4 {
        let troubles = try HostileClientTests.together(16) { number in
          var random = Seeded(seed: UInt64(round * 100 + number))
          for count in 0..<64 {
            let connection = try ServerTests.connect(server)
            // The server may already have closed the connection.
            switch count % 4 {
            case 0:
              try? connection.write(
                (0..<2_000).map { _ in UInt8.random(in: 0...255, using: &random) })
            case 1: try? connection.write(Array("GET /3000000 HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
            case 2: try? connection.write(Array("GET / HTTP/1.1\r\n".utf8))
            default:
              try? connection.write(
                Array("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9999\r\n\r\nx".utf8))
            }
            if count % 3 == 0 { connection.resetWhenClosed() }
            if count % 5 == 0 { try? connection.finishWriting() }
          }
        }
        #expect(troubles == [])
        figures.append(ProcessFigures.settled(asBefore: before))
      }
      let last = figures[3]
      #expect(last.threads <= before.threads, "\(before), then \(figures)")
      #expect(last.descriptors <= before.descriptors, "\(before), then \(figures)")
      #expect(last.memory - figures[1].memory < 4 << 20, "\(before), then \(figures)")
      #expect(try ServerTests.send(server, HostileClientTests.get).hasSuffix("aaa"))
      server.stop()
    }
  }

  @Test func `endless fields are refused while they arrive`() throws {
    let server = try ServerTests.server()
    defer { server.stop() }
    let troubles = try Self.together(16) { number in
      for flood in [
        String(repeating: "X: y\r\n", count: 100_000),
        "X: " + String(repeating: "y", count: 600_000),
        String(repeating: "\r\n", count: 2) + String(repeating: "Y", count: 600_000),
      ] {
        let connection = try ServerTests.connect(server)
        // The response can arrive before the end of the text.
        try? connection.write(Array("GET /3 HTTP/1.1\r\nHost: a\r\n\(flood)\r\n\r\n".utf8))
        try? connection.finishWriting()
        let text = String(decoding: connection.readToEnd().bytes, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 431 ") || text.hasPrefix("HTTP/1.1 200 "), "\(text)")
      }
    }
    #expect(troubles == [])
  }

  // MARK: Request smuggling

  /// Requests that other programs could parse as two requests.
  @Test(arguments: [
    ("Content-Length: 3\r\nContent-Length: 0\r\n", 400),
    ("Content-Length: 0\r\nContent-Length: 31\r\n", 400),
    ("Content-Length: 0, 31\r\n", 400), ("Content-Length: 3 1\r\n", 400),
    ("Content-Length: \u{B}0\r\n", 400), ("Content-Length: -1\r\n", 400),
    ("Content-Length: 0\u{0}31\r\n", 400), ("Content-Length : 0\r\n", 400),
    ("Content-Length\t: 0\r\n", 400), (" Content-Length: 0\r\n", 400),
    ("Content-Length: 18446744073709551616\r\n", 400), ("Content-Length: 1e1\r\n", 400),
    ("Transfer-Encoding: chunked\r\n", 411), ("Transfer-Encoding: Chunked\r\n", 411),
    ("Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", 400),
    ("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", 400),
    ("Transfer-Encoding: chunked, identity\r\n", 400), ("Transfer-Encoding: identity\r\n", 400),
    ("Transfer-Encoding:\u{B}chunked\r\n", 400), ("Transfer-Encoding : chunked\r\n", 400),
    ("Transfer-Encoding:\r\n chunked\r\n", 400), ("X: a\r\n\tContent-Length: 31\r\n", 400),
    ("X: a\rContent-Length: 31\r\n", 400), ("X: a\nContent-Length: 31\r\n", 400),
    ("X: a\n\nGET /7 HTTP/1.1\r\nHost: a\r\n", 400), ("Host: b\r\n", 400), (": a\r\n", 400),
    ("X\r\n", 400), ("X y: z\r\n", 400), ("X\u{0}: z\r\n", 400), ("Content-Length: 5\r\n", 413),
  ])
  func `a request that could hide another one is refused, and the connection ends`(
    fields: String, status: Int
  ) throws {
    let server = try ServerTests.server()
    defer { server.stop() }
    for method in ["GET /3", "HEAD /3"] {
      let answer = try ServerTests.send(
        server,
        "\(method) HTTP/1.1\r\nHost: a\r\n\(fields)\r\nGET /7 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(method) \(fields): \(answer)")
      #expect(answer.components("HTTP/1.1 ").count == 2, "\(answer)")
      #expect(answer.contains("Connection: close\r\n"))
    }
  }

  @Test(arguments: [
    ("/..", 400), ("/../3", 400), ("/a/../3", 400), ("/a/..", 400), ("/%2e%2e/3", 400),
    ("/%2E./3", 400), ("/.%2e/3", 400), ("/a%2f..%2f3", 404), ("/%2F3", 404), ("/3%00", 400),
    ("/%00", 400), ("/%", 400), ("/%3", 400), ("/%g3", 400), ("/%+3", 400), ("/3#a", 400),
    ("3", 400), ("*", 400), ("", 400), ("//3", 200), ("/%33", 200), ("/3?../%00", 200),
    ("/%252e%252e/3", 404), ("/..%5c3", 404), ("/...", 404), ("/\u{FF}", 400), ("http:///3", 400),
    ("http://a/../3", 400), ("https://a:1/3", 200), ("ftp://a/3", 400), ("/3\t", 400),
    ("/\(String(repeating: "a", count: 17_000))", 431),
  ])
  func `no spelling of a path leaves the served paths`(target: String, status: Int) throws {
    let server = try ServerTests.server()
    defer { server.stop() }
    let answer = try ServerTests.send(
      server, "GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
  }
}
