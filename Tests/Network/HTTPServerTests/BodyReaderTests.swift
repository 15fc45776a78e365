import HTTPServer
import SystemIO
import TestSupport
import Testing

/// Bodies of any size that are read in pieces.
@Suite(.mustEnd) struct BodyReaderTests {
  /// Counts the bytes of PUT requests, up to the limit in the path; responds with 'plain' to other
  /// requests.
  private func server(
    _ seen: Noted<Int>, acceptsChunks: Bool = false
  ) throws -> HTTPServer {
    let handler = HTTPServer.Handler(
      bodyLimit: { $0.method == "POST" ? 100 : nil },
      receive: { (request, reader) throws(Failure) -> Response? in
        guard request.head.method == "PUT" else { return nil }
        let most = UInt64(request.head.query("take").first ?? "") ?? .max
        var count = 0
        while UInt64(count) < most,
          try reader.next(atMost: most - UInt64(count), { count += $0.byteCount })
        {
          seen.add(count)
          if request.head.query("reset").first != nil { throw reader.reset() }
        }
        #expect(UInt64(count) == reader.count)
        return .text(200, "\(count) \(reader.left)")
      },
      acceptsChunks: acceptsChunks
    ) { _ in .text(200, "plain") }
    let server = try HTTPServer(try Listener(), handler)
    try server.start()
    return server
  }

  private func send(_ server: HTTPServer, _ text: String, _ body: [UInt8] = []) throws -> String {
    let connection = try Connection.connect(
      to: "127.0.0.1", port: server.address.port, timeout: .seconds(600), .unstoppable)
    try connection.write(Array(text.utf8) + body)
    try connection.finishWriting()
    return String(decoding: connection.readToEnd().bytes, as: UTF8.self)
  }

  private func put(_ size: Int, _ query: String = "", more: String = "") -> String {
    "PUT /\(query) HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\(more)\r\n"
  }

  @Test func `a body arrives in pieces, and the next request follows`() throws {
    let seen = Noted<Int>()
    let server = try server(seen)
    defer { server.stop() }
    let body = [UInt8](repeating: 7, count: 300_000)
    let answer = try send(
      server, put(body.count),
      body + Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8) + Array(put(3).utf8) + [1, 2, 3])
    #expect(answer.contains("300000 0\n"))
    #expect(answer.contains("plain\n"))
    #expect(answer.hasSuffix("3 0\n"))
    #expect(seen.all.count > 3)
  }

  @Test func `an empty body is complete immediately, and other handlers get bodies in memory`()
    throws
  {
    let server = try server(Noted())
    defer { server.stop() }
    #expect(try send(server, put(0)).hasSuffix("0 0\n"))
    #expect(
      try send(server, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n").hasPrefix(
        "HTTP/1.1 413 "))
    #expect(
      try send(server, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi").hasSuffix(
        "plain\n"))
  }

  @Test func `unread bytes of a body end the connection`() throws {
    let server = try server(Noted())
    defer { server.stop() }
    let answer = try send(
      server, put(10, "?take=4"),
      [UInt8](repeating: 1, count: 10) + Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    #expect(answer.hasSuffix("4 6\n"))
    #expect(answer.contains("Connection: close\r\n"))
  }

  @Test func `'100 Continue' is sent when the body is read, and not before`() throws {
    let server = try server(Noted())
    defer { server.stop() }
    let expect = "Expect: 100-continue\r\n"
    #expect(
      try send(server, put(3, more: expect), [1, 2, 3]).hasPrefix(
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 "))
    #expect(try send(server, put(3, "?take=0", more: expect)).hasPrefix("HTTP/1.1 200 "))
  }

  private func chunked(_ body: String, _ query: String = "") -> String {
    "PUT /\(query) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"
  }

  @Test func `a body in chunks is accepted if enabled, and the next request follows`() throws {
    let server = try server(Noted(), acceptsChunks: true)
    defer { server.stop() }
    let next = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    let large = String(repeating: "x", count: 70_000)
    for (body, count) in [
      ("0\r\n\r\n", 0), ("3\r\nabc\r\n0\r\n\r\n", 3),
      ("1;name=\"v\"\r\na\r\n00a \r\n0123456789\r\n0\r\nX: y\r\nZ: \r\n\r\n", 11),
      ("11170\r\n\(large)\r\n1\r\n\n\r\n0\r\n\r\n", 70_001),
    ] {
      let answer = try send(server, chunked(body) + next)
      #expect(answer.contains("\r\n\r\n\(count) 0\n"), "\(count)")
      #expect(answer.hasSuffix("plain\n"))
    }
    // Unread bytes end the connection, and other handlers refuse chunks as before.
    let part = try send(server, chunked("3\r\nabc\r\n0\r\n\r\n", "?take=2") + next)
    #expect(part.contains("Connection: close\r\n") && !part.hasSuffix("plain\n"))
    let other = chunked("0\r\n\r\n").replacing("PUT", with: "POST")
    #expect(try send(server, other).hasPrefix("HTTP/1.1 411 "))
  }

  @Test(arguments: [
    "x\r\n", "\r\n", "-1\r\n", "+1\r\na\r\n0\r\n\r\n", "0x1\r\na\r\n0\r\n\r\n",
    "1\na\r\n0\r\n\r\n", "1\r\nab\r\n0\r\n\r\n", "ffffffffffffffff\r\na",
    "1\r\na0\r\n\r\n", "0\r\n" + String(repeating: "a: b\r\n", count: 200),
    String(repeating: "0", count: 5000),
  ])
  func `malformed chunks are refused`(body: String) throws {
    let server = try server(Noted(), acceptsChunks: true)
    defer { server.stop() }
    #expect(try send(server, chunked(body)).hasPrefix("HTTP/1.1 400 "))
  }

  @Test func `a client that disconnects, or is disconnected, gets no response`() throws {
    let server = try server(Noted())
    defer { server.stop() }
    #expect(try send(server, put(10), [1, 2]) == "")
    #expect(try send(server, put(10, "?reset=1"), [1, 2]) == "")
    // The server still accepts other clients.
    #expect(try send(server, put(1), [1]).hasSuffix("1 0\n"))
  }
}
