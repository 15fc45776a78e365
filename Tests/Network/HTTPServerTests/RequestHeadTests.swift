import HTTPServer
import Testing

@Suite struct RequestHeadTests {
  private func head(_ text: String) throws(RequestError) -> RequestHead {
    try RequestHead(parsing: Array(text.utf8)[...])
  }

  @Test func `all parts of a request are parsed`() throws {
    let head = try head(
      "GET /assets/a%20b?platform=iOS&x=1+2&x&%79=%26 HTTP/1.1\r\nHost: localhost:8443\r\n"
        + "Range:  bytes=0-5\t\r\nAccept: a\r\naccept: b\r\nX-Empty:\r\n\r\n")
    #expect(head.method == "GET")
    #expect(head.target == "/assets/a%20b?platform=iOS&x=1+2&x&%79=%26")
    #expect(head.pathText == "/assets/a b")
    #expect(head.query("platform") == ["iOS"])
    #expect(head.query("x") == ["1 2", ""])
    #expect(head.query("y") == ["&"])
    #expect(head.query("z") == [])
    #expect(head.host == "localhost:8443")
    #expect(head["range"] == "bytes=0-5")
    #expect(head["accept"] == "a, b")
    #expect(head["x-empty"] == "")
    #expect(head["x-none"] == nil)
    #expect(head.bodySize == nil)
    #expect(head.keepsAlive)
  }

  @Test(
    arguments: [
      ("HTTP/1.1", nil, true), ("HTTP/1.1", "close", false), ("HTTP/1.1", "Keep-Alive", true),
      ("HTTP/1.0", nil, false), ("HTTP/1.0", "keep-alive", true),
      ("HTTP/1.1", "upgrade , Close", false),
    ] as [(String, String?, Bool)])
  func `the client decides whether the connection is kept open`(
    version: String, option: String?, goesOn: Bool
  ) throws {
    let field = option.map { "Connection: \($0)\r\n" } ?? ""
    #expect(try head("GET / \(version)\r\nHost: a\r\n\(field)\r\n").keepsAlive == goesOn)
  }

  @Test func `a target can contain the host, and HTTP/1.0 requires none`() throws {
    let absolute = try head("GET https://x:1/y?z HTTP/1.1\r\nHost: other\r\n\r\n")
    #expect(absolute.host == "x:1")
    #expect(absolute.pathText == "/y")
    #expect(absolute.query == "z")
    #expect(try head("GET http://x HTTP/1.1\r\nHost: x\r\n\r\n").pathText == "/")
    #expect(try head("\r\nGET / HTTP/1.0\r\n\r\n").host == nil)
  }

  @Test func `a body in chunks is accepted if enabled, and excludes a length`() throws {
    var limits = RequestLimits()
    limits.acceptsChunks = true
    func head(_ fields: String) throws -> RequestHead {
      let text = "PUT / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
      return try RequestHead(parsing: Array(text.utf8)[...], limits: limits)
    }
    let chunked = try head("Transfer-Encoding: Chunked\r\n")
    #expect(chunked.isChunked && chunked.bodySize == nil)
    #expect(try !head("Content-Length: 1\r\n").isChunked)
    for fields in [
      "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n", "Transfer-Encoding: gzip, chunked\r\n",
    ] {
      #expect(throws: RequestError.self) { try head(fields) }
    }
  }

  @Test func `an invalid length of a body is refused`() throws {
    func size(_ fields: String) throws -> UInt64? {
      try head("POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n").bodySize
    }
    #expect(try size("Content-Length: 12\r\n") == 12)
    for (fields, status) in [
      ("Content-Length: 1\r\nContent-Length: 1\r\n", 400), ("Content-Length: +1\r\n", 400),
      ("Content-Length: 1, 1\r\n", 400), ("Content-Length:\r\n", 400),
      ("Content-Length: 99999999999999999999\r\n", 400), ("Content-Length: 0x1\r\n", 400),
      ("Transfer-Encoding: chunked\r\n", 411),
      ("Transfer-Encoding: chunked\r\nContent-Length: 1\r\n", 400),
      ("Transfer-Encoding: xchunked\r\n", 400),
      ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", 400),
    ] {
      let fault = #expect(throws: RequestError.self, "\(fields)") { try size(fields) }
      #expect(fault?.status == status, "\(fields)")
    }
  }

  @Test(arguments: [
    ("GET /\r\n\r\n", 400), ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
    ("GET / HTTP/1.1\r\n\r\n", 400), ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400), (" GET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400), ("GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: \u{1}\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", 400),
    ("GET a HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /%2 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /a%2fb HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    ("GET /a/../b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /%2e%2E/b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /é HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET http:// HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET http://u@h/ HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("\r\n\r\n", 400),
  ])
  func `an ambiguous or malformed request is refused`(text: String, status: Int) {
    let fault = #expect(throws: RequestError.self) { try head(text) }
    #expect(fault?.status == status)
  }

  @Test func `only names that are two dots are refused, in paths of all short names`() {
    let letters = ["/", ".", "%2e", "a"]
    var paths = [""]
    for _ in 0..<6 { paths = [""] + paths.flatMap { path in letters.map { path + $0 } } }
    for path in Set(paths) {
      let names = path.replacing("%2e", with: ".").split(separator: "/")
      let parsed = try? head("GET /\(path) HTTP/1.1\r\nHost: a\r\n\r\n").pathText
      let expected = names.contains("..") ? nil : "/" + path.replacing("%2e", with: ".")
      #expect(parsed == expected, "/\(path)")
    }
  }

  @Test func `names have only the characters of a token`() {
    let marks = Set("!#$%&'*+-.^_`|~".utf8)
    for byte in UInt8.min ... .max where byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\r") {
      let isToken =
        marks.contains(byte) || (byte < 0x80 && Character(UnicodeScalar(byte)).isLetter)
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      let head =
        Array("GET / HTTP/1.1\r\nHost: a\r\nX".utf8) + [byte] + Array("X: 1\r\n\r\n".utf8)
      let field = Array("x".utf8) + [byte | (byte < 0x5B && byte > 0x40 ? 0x20 : 0)]
      let parsed = try? RequestHead(parsing: head[...])
      // A colon ends the name.
      guard byte != UInt8(ascii: ":") else { continue }
      #expect((parsed != nil) == isToken, "\(byte)")
      guard let name = parsed?.fields.last?.name else { continue }
      #expect(Array(name.utf8) == field + Array("x".utf8))
      let method = [byte] + Array("T / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
      #expect(Array((try? RequestHead(parsing: method[...]))?.method.utf8 ?? "".utf8).first == byte)
    }
  }

  @Test func `a request line has exactly two spaces`() {
    let pieces = ["", " ", "GET", "/", "HTTP/1.1"]
    for (one, two, three, four) in pieces.flatMap({ a in
      pieces.flatMap { b in pieces.flatMap { c in pieces.map { d in (a, b, c, d) } } }
    }) {
      let line = [one, two, three, four].joined(separator: " ")
      let parsed = try? head("\(line)\r\nHost: a\r\n\r\n")
      #expect((parsed != nil) == (line == "GET / HTTP/1.1"), "\(line)")
    }
    for line in ["GET / HTTP/1.1", "G / HTTP/1.0"] {
      #expect((try? head("\(line)\r\nHost: a\r\n\r\n")) != nil)
    }
    for line in ["GET / HTTP/1.10", "GET / HTTP/1.", "GET / HTTP/", "GET / http/1.1", "GET / "] {
      #expect((try? head("\(line)\r\nHost: a\r\n\r\n")) == nil, "\(line)")
    }
  }

  @Test func `the size of a head and the number of fields are limited`() throws {
    let fields = String(repeating: "X: y\r\n", count: 99)
    #expect(try head("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n").fields.count == 100)
    for text in [
      "GET / HTTP/1.1\r\nHost: a\r\n\(fields)X: y\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "y", count: 17_000))\r\n\r\n",
    ] {
      let fault = #expect(throws: RequestError.self) { try head(text) }
      #expect(fault?.status == 431)
    }
  }

  @Test func `the end of a head is found with any division into pieces`() {
    let text = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\nrest".utf8)
    for cut in 0...text.count {
      #expect(RequestHead.size(of: Array(text.prefix(cut))) == (cut >= 27 ? 27 : nil))
      #expect(cut >= 27 || RequestHead.size(of: text, from: cut) == 27)
    }
  }

  @Test(
    arguments: [
      (nil, .whole), ("bytes=0-0", .part(0..<1)), ("bytes=0-", .part(0..<10)),
      ("bytes=3-5", .part(3..<6)), ("Bytes = 3-99", .part(3..<10)), ("bytes=9-9", .part(9..<10)),
      ("bytes=10-", .outside), ("bytes=99999999999999999999-", .outside),
      ("bytes=-3", .part(7..<10)), ("bytes=-99", .part(0..<10)), ("bytes=-0", .outside),
      ("bytes=5-3", .whole), ("bytes=-", .whole), ("bytes=a-b", .whole), ("bytes=+1-2", .whole),
      ("bytes=0-1,4-5", .whole), ("lines=0-1", .whole), ("", .whole),
      ("bytes=0-18446744073709551615", .part(0..<10)),
    ] as [(String?, ByteRange)])
  func `a range is read as in RFC 9110`(value: String?, range: ByteRange) {
    #expect(ByteRange(value, of: 10) == range)
  }

  @Test func `an empty file has no range`() {
    #expect(ByteRange("bytes=0-", of: 0) == .outside)
    #expect(ByteRange("bytes=-1", of: 0) == .outside)
    #expect(ByteRange(nil, of: 0) == .whole)
  }
}
