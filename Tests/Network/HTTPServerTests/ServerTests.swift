import HTTPServer
import Synchronization
import SystemIO
import TLSIdentity
import TestSupport
import Testing

/// A server on the loopback interface, and clients that send exact bytes.
@Suite(.mustEnd) struct ServerTests {
  private static let letters = [UInt8](repeating: 0x61, count: 1 << 16)

  /// Responds to `/n` with `n` bytes, and to `/echo` with the body of the request.
  static func respond(_ request: Request) -> Response {
    let path = request.head.pathText
    if path == "/echo" { return Response(200, body: .bytes(request.body)) }
    if path == "/none" { return Response(204) }
    if let text = path.components("/fields/").dropFirst().first, let status = Int(text) {
      var fields: ResponseFields = [("A", "1: 2"), ("B", "é")]
      fields.append(("A", ""))
      return Response(status, fields: [("C", "3")] + fields, body: .bytes(Array("text".utf8)))
    }
    if path == "/stream" {
      return Response(
        200,
        body: .writingToEnd { writer throws(Failure) in
          for _ in 0..<3 { try writer.write(Array("part ".utf8)) }
        })
    }
    if path == "/endless" {
      return Response(
        200,
        body: .writingToEnd { writer throws(Failure) in
          let bell = try Bell()
          while true {
            try writer.write(Array("part ".utf8))
            if try writer.wait(for: bell, until: .now + .seconds(600)) { return }
          }
        })
    }
    let parts = path.split(separator: "/")
    guard let count = parts.first.flatMap({ UInt64($0) }) else {
      return .text(404, "there is no '\(path)'")
    }
    let how = parts.dropFirst().first
    return Response(
      200,
      body: .writing(count) { writer throws(Failure) in
        if how == "pulled" {
          // Writes in pieces, like the bytes of a file.
          _ = try writer.write(count) { (_, most, buffer) throws(Failure) in
            _ = unsafe buffer.append(Self.letters.span.bytes.extracting(first: most))
          }
          return
        }
        while writer.count < count {
          if how == "cut", writer.count > 0 { return writer.cutOff() }
          if how == "reset", writer.count > 0 { return writer.reset() }
          if how == "short", writer.count > 0 { return }
          if how == "stall", writer.count > 0 { try writer.pause(for: .seconds(600)) }
          try writer.write(Self.letters)
        }
      })
  }

  static func server(
    tls: TLSContext? = nil, _ change: (inout HTTPServer.Limits) -> Void = { _ in }
  ) throws -> HTTPServer {
    var limits = HTTPServer.Limits()
    change(&limits)
    let handler = HTTPServer.Handler(
      bodyLimit: { $0.pathText == "/echo" ? 100_000 : nil }, respond: respond)
    let server = try HTTPServer(try Listener(), tls: tls, limits: limits, handler)
    try server.start()
    return server
  }

  static func connect(_ server: HTTPServer) throws -> Connection {
    try Connection.connect(
      to: "127.0.0.1", port: server.address.port, timeout: .seconds(600), .unstoppable)
  }

  /// Returns all bytes until the server closes the connection.
  static func rest(_ connection: borrowing Connection) throws -> [UInt8] {
    let (all, failure) = connection.readToEnd()
    if let failure { throw failure }
    return all
  }

  /// Sends a text, ends the output, and returns the response.
  static func send(_ server: HTTPServer, _ text: String) throws -> String {
    let connection = try connect(server)
    try connection.write(Array(text.utf8))
    try connection.finishWriting()
    return String(decoding: try rest(connection), as: UTF8.self)
  }

  static func bodies(_ answer: String) -> [String] {
    answer.components("HTTP/1.1 ").map { $0.components("\r\n\r\n").dropFirst().joined() }
  }

  @Test(arguments: [200, 204, 206, 304, 404, 599])
  func `the head of a response has the status, the date, its fields, and the length`(status: Int)
    throws
  {
    let server = try Self.server()
    defer { server.stop() }
    for method in ["GET", "HEAD"] {
      for connection in ["keep-alive", "close"] {
        let response = try Self.send(
          server,
          "\(method) /fields/\(status) HTTP/1.1\r\nHost: a\r\nConnection: \(connection)\r\n\r\n")
        let lines = response.components("\r\n")
        let hasBody = status != 204 && status != 304
        let phrases = [
          200: "OK", 204: "No Content", 206: "Partial Content", 304: "Not Modified",
          404: "Not Found",
        ]
        #expect(lines.first == "HTTP/1.1 \(status) \(phrases[status] ?? "Status 599")")
        #expect(lines.dropFirst().first?.wholeMatch(of: #/Date: .{3}, .{20} GMT/#) != nil)
        #expect(
          lines.dropFirst(2) == ["C: 3", "A: 1: 2", "B: é", "A: "]
            + (hasBody ? ["Content-Length: 4"] : [])
            + ["Connection: \(connection)", "", hasBody && method == "GET" ? "text" : ""],
          "\(response)")
      }
    }
  }

  @Test func `requests on one connection get their responses in order, even if pipelined`()
    throws
  {
    let server = try Self.server()
    defer { server.stop() }
    let answer = try Self.send(
      server,
      "GET /3 HTTP/1.1\r\nHost: a\r\n\r\nHEAD /7 HTTP/1.1\r\nHost: a\r\n\r\n"
        + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
        + "GET /none HTTP/1.1\r\nHost: a\r\n\r\n"
        + "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET /4 HTTP/1.1\r\n\r\n")
    let answers = answer.components("HTTP/1.1 ").dropFirst()
    #expect(answers.map { $0.prefix(3) } == ["200", "200", "200", "204", "404"])
    #expect(
      answers.map { $0.components("\r\n\r\n")[1] } == [
        "aaa", "", "hello", "", "there is no '/x'\n",
      ])
    #expect(answers.map { $0.components("Content-Length: ").count } == [2, 2, 2, 1, 2])
    #expect(answers.dropFirst().first?.contains("Content-Length: 7\r\n") == true)
    #expect(answers.last?.contains("Connection: close") == true)
    #expect(answer.contains("Date: "))
  }

  @Test func `a response without a length ends with its connection`() throws {
    let server = try Self.server()
    defer { server.stop() }
    let answer = try Self.send(server, "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(answer.hasSuffix("Connection: close\r\n\r\npart part part "))
  }

  @Test(arguments: [
    ("BAD\r\n\r\n", 400), ("GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505),
    ("GET /3 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", 413),
    ("POST /echo HTTP/1.1\r\nHost: a\r\n\r\n", 411),
    ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
    // For a path that accepts no body, the handler responds with the error.
    (
      "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 24\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\n\r\n",
      404
    ),
    ("PUT /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 404),
    ("POST /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n", 404),
    ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100001\r\n\r\n", 413),
    ("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: x\r\nContent-Length: 1\r\n\r\n", 417),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 20_000), 431),
  ])
  func `a refused request gets the reason, and the connection ends`(text: String, status: Int)
    throws
  {
    let server = try Self.server()
    defer { server.stop() }
    let answer = try Self.send(server, text)
    #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
    #expect(answer.components("\r\nDate: ").count == 2, "\(answer)")
    #expect(answer.contains("Connection: close\r\n"))
  }

  @Test func `a waiting client gets '100 Continue'`() throws {
    let server = try Self.server()
    defer { server.stop() }
    let connection = try Self.connect(server)
    try connection.write(
      Array(
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n".utf8))
    let go = try connection.read(atMost: 100)
    #expect(String(decoding: go, as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
    try connection.write(Array("ok".utf8))
    try connection.finishWriting()
    #expect(String(decoding: try Self.rest(connection), as: UTF8.self).hasSuffix("\r\n\r\nok"))
  }

  @Test(arguments: ["cut", "short", "reset"])
  func `a body can end too early in every way`(how: String) throws {
    let server = try Self.server()
    defer { server.stop() }
    let connection = try Self.connect(server)
    try connection.write(Array("GET /1000000/\(how) HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    let (all, failure) = connection.readToEnd()
    if how == "reset" {
      #expect(failure != nil || all.count < 1 << 16)
    } else {
      #expect(failure == nil)
      let body = String(decoding: all, as: UTF8.self).components("\r\n\r\n")[1]
      #expect(body.utf8.count == 1 << 16)
    }
  }

  @Test func `a slow head times out, and an idle connection is closed without a response`() throws {
    // Each server has one short limit, because a busy machine can delay the head of a request.
    let server = try Self.server { $0.headTime = .milliseconds(100) }
    defer { server.stop() }
    let slow = try Self.connect(server)
    try slow.write(Array("GET / HT".utf8))
    #expect(String(decoding: try Self.rest(slow), as: UTF8.self).hasPrefix("HTTP/1.1 408 "))
    let other = try Self.server { $0.idleTime = .milliseconds(100) }
    defer { other.stop() }
    let idle = try Self.connect(other)
    #expect(try Self.rest(idle) == [])
  }

  @Test func `excess connections get status 503, and others continue`() throws {
    let server = try Self.server { $0.connections = 2 }
    defer { server.stop() }
    let one = try Self.connect(server)
    let two = try Self.connect(server)
    for round in 0..<2 {
      try one.write(Array("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
      try two.write(Array("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
      _ = try one.read(atMost: 1 << 16)
      _ = try two.read(atMost: 1 << 16)
      if round == 0 {
        let answer = try Self.send(server, "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 503 "))
      }
    }
  }

  @Test func `a stop closes idle connections immediately, and waits for others`() throws {
    let server = try Self.server()
    let idle = try Self.connect(server)
    let busy = try Self.connect(server)
    try busy.write(Array("GET /1000000/stall HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    _ = try busy.read(atMost: 100)
    let start = ContinuousClock.now
    server.stop(within: .milliseconds(200))
    #expect(.now - start >= .milliseconds(200))
    #expect(try Self.rest(idle) == [])
    #expect(try Self.rest(busy).count <= 1 << 17)
    #expect(throws: Failure.self) { _ = try Self.connect(server) }
    let second = try Self.server()
    let before = ContinuousClock.now
    second.stop(within: .seconds(600))
    #expect(.now - before < .seconds(600))
  }

  @Test func `a stop does not wait for a response without an end`() throws {
    let server = try Self.server()
    let endless = try Self.connect(server)
    try endless.write(Array("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    var said: [UInt8] = []
    while !said.ends(with: "part ") { said += try endless.read(atMost: 1000) }
    let start = ContinuousClock.now
    server.stop(within: .seconds(600))
    #expect(.now - start < .seconds(600))
    #expect(try Self.rest(endless) == [])
  }

  @Test func `many simultaneous clients are served`() throws {
    let server = try Self.server()
    defer { server.stop() }
    let whole = Atomic(0)
    do {
      let threads = try WorkerThreads(16, stop: {}) {
        for _ in 0..<8 {
          guard let answer = try? Self.send(server, "GET /100000 HTTP/1.0\r\n\r\n"),
            answer.utf8.count > 100_000, answer.hasSuffix("aaa")
          else { continue }
          whole.wrappingAdd(1, ordering: .relaxed)
        }
      }
      extendLifetime(threads)
    }
    #expect(whole.load(ordering: .relaxed) == 128)
  }

  @Test func `dates have the format of HTTP`() {
    #expect(Moment(seconds: 784_111_777).httpText == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(Moment(seconds: 0).httpText == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(
      Moment(seconds: 1_709_164_800, nanoseconds: 5).httpText == "Thu, 29 Feb 2024 00:00:00 GMT")
  }
}

extension [UInt8] {
  fileprivate func ends(with text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}

extension StringProtocol {
  /// The parts between the separators.
  func components(_ separator: String) -> [String] {
    var parts: [String] = []
    var rest = Array(utf8)[...]
    let mark = Array(separator.utf8)
    var part: [UInt8] = []
    while !rest.isEmpty {
      if rest.starts(with: mark) {
        parts.append(String(decoding: part, as: UTF8.self))
        part = []
        rest = rest.dropFirst(mark.count)
      } else {
        part.append(rest.removeFirst())
      }
    }
    return parts + [String(decoding: part, as: UTF8.self)]
  }
}
