import HTTPServer
import SystemIO
import TerminalText
import TestSupport
import Testing
import Transfers

/// Requests with short responses, and uploads in parts.
@Suite(.mustEnd) struct ExchangeTests {
  /// Responds with the content of the request.
  private static func echo(_ request: Request, _: Int) -> Response {
    Response(
      request.head.pathText == "/missing" ? 404 : 200,
      fields: [("Content-Type", "text/plain"), ("X-Method", request.head.method)],
      body: .bytes(request.body))
  }

  @Test(arguments: ["GET", "POST", "PATCH", "PUT", "DELETE"])
  func `the method, fields and body of a request arrive unchanged, and so does its response`(
    method: String
  ) throws {
    let site = try ScriptedSite(Self.echo)
    let json = Array(#"{"data": 1}"#.utf8)
    var question = Exchange(
      method, site.url("/a?b=c"),
      fields: [HeaderField("Authorization", "Bearer x"), .init("E", "")])
    if method != "GET" { question.body = .bytes(json) }
    let answer = try site.transfers().exchange(question, .unstoppable)
    #expect(answer.status == 200)
    #expect(answer.isSuccess)
    #expect(answer.head["x-method"] == method)
    #expect(answer.body == (method == "GET" ? [] : json))
    let head = try #require(site.requests.all.first?.head)
    #expect(head["authorization"] == "Bearer x")
    #expect(head["e"] == "")
    #expect(head["user-agent"] == "ba-package")
    #expect(head["content-length"] == (method == "GET" ? nil : "11"))
    for absent in ["expect", "cookie", "transfer-encoding", "accept-encoding", "range"] {
      #expect(head[absent] == nil)
    }
  }

  @Test func `an empty body has a length, and HEAD has no body`() throws {
    let site = try ScriptedSite(Self.echo)
    let transfers = try site.transfers()
    _ = try transfers.exchange(Exchange("POST", site.url("/")), .unstoppable)
    #expect(try site.head(0)["content-length"] == "0")
    let answer = try transfers.exchange(Exchange("HEAD", site.url("/")), .unstoppable)
    #expect(answer.body == [])
    #expect(answer.head["content-type"] == "text/plain")
    let json = Exchange("POST", site.url("/"), json: Array("{}".utf8))
    _ = try transfers.exchange(json, .unstoppable)
    #expect(try site.head(2)["content-type"] == "application/json")
  }

  @Test func `an error status is a response, and so is a redirect`() throws {
    let site = try ScriptedSite { request, number in
      request.head.pathText == "/on"
        ? Response(302, fields: [("Location", "/missing")]) : Self.echo(request, number)
    }
    let transfers = try site.transfers()
    #expect(
      try transfers.exchange(Exchange("GET", site.url("/missing")), .unstoppable).status == 404)
    #expect(try transfers.exchange(Exchange("GET", site.url("/on")), .unstoppable).status == 302)
    #expect(site.paths == ["/missing", "/on"])
  }

  @Test(arguments: [1, 4])
  func `a file is uploaded in simultaneous parts with exact lengths`(count: Int) throws {
    let site = try ScriptedSite(Self.echo)
    let folder = try TemporaryFolder()
    let bytes = TransferSite.bytes(1_000_003, seed: 3)
    try folder.makeFile("pack", bytes)
    let file = try UploadFile(folder.path("pack"))
    let size = UInt64(bytes.count)
    let parts = stride(from: 0, to: size, by: 300_000).map { $0..<min(size, $0 + 300_000) }
    let exchanges = parts.map {
      Exchange("PUT", site.url("/\($0.lowerBound)"), body: .part(file, $0))
    }
    let sent = Noted<Work.Progress>()
    var answers: [Int: HTTPResponse] = [:]
    try site.transfers().exchange(
      exchanges, atOnce: count, .unstoppable.reporting { sent.add($0) }
    ) { answers[$0] = $1 }
    for (index, part) in parts.enumerated() {
      let steps = sent.all.filter { $0.item == index }
      #expect(steps.map(\.done) == steps.map(\.done).sorted())
      #expect(steps.last?.done == part.upperBound - part.lowerBound)
      #expect(steps.last?.total == part.upperBound - part.lowerBound)
    }
    for (index, part) in parts.enumerated() {
      #expect(answers[index]?.body == Array(bytes[Int(part.lowerBound)..<Int(part.upperBound)]))
    }
    #expect(Set(site.requests.all.map { $0.head["content-length"] }) == ["300000", "100003"])
    #expect(site.requests.all.allSatisfy { $0.head["expect"] == nil })
    #expect(try file.isUnchanged())
  }

  @Test func `the digest of a part is the digest of the bytes that were sent last`() throws {
    let count = Noted<Int>()
    let site = try ScriptedSite { request, _ in
      count.add(request.body.count)
      return Response(count.all.count == 1 ? 503 : 200)
    }
    let folder = try TemporaryFolder()
    let bytes = TransferSite.bytes(700_000, seed: 5)
    try folder.makeFile("pack", bytes)
    let file = try UploadFile(folder.path("pack"))
    let parts: [Range<UInt64>] = [300_000..<700_000, 0..<300_000]
    let sums = try file.sums(of: parts, .unstoppable)
    #expect(sums.size == 700_000)
    let digest = try Peer.ask("sha256sum", [folder.path("pack")]).output.prefix(64)
    #expect(hexadecimal(sums.sha256) == digest)
    #expect(try file.bytes(of: 299_998..<300_003, .unstoppable) == Array(bytes[299_998..<300_003]))
    for (part, sum) in zip(parts, sums.parts) {
      let answer = try site.transfers().exchange(
        Exchange("PUT", site.url("/"), body: .part(file, part)), .unstoppable)
      #expect(answer.sentMD5 == sum)
    }
    #expect(count.all.count == 3)
    #expect(
      try file.sums(of: [0..<700_000], .unstoppable).parts == [sums.md5],
      "one part is the whole file")
  }

  @Test(arguments: [("RequestTimeout", 2), ("InvalidArgument", 1)])
  func `a part is sent again after a timeout of the storage`(code: String, count: Int) throws {
    let text = "<Error><Code>\(code)</Code><Message>a &lt; b</Message></Error>"
    let noted = Noted<Int>()
    let site = try ScriptedSite { request, _ in
      noted.add(request.body.count)
      return noted.all.count == 1
        ? Response(400, body: .bytes(Array("<?xml version=\"1.0\"?>\n\(text)".utf8)))
        : Response(200)
    }
    let folder = try TemporaryFolder()
    try folder.makeFile("pack", [UInt8](repeating: 7, count: 1000))
    let file = try UploadFile(folder.path("pack"))
    let answer = try site.transfers().exchange(
      Exchange("PUT", site.url("/"), body: .part(file, 0..<1000)), .unstoppable)
    #expect(noted.all.count == count)
    #expect(StorageRefusal(answer.body)?.message == (count == 1 ? "a < b" : nil))
  }

  @Test func `an upload or a request that ends at its deadline is not reported as a download`()
    throws
  {
    let site = try ScriptedSite(Self.echo)
    let file = UploadFile(Array("bytes".utf8), named: "cave.aar")
    let cases: [(Exchange.Body, SystemIO.Operation)] = [
      (.part(file, 0..<5), .upload), (.none, .ask),
    ]
    for (body, operation) in cases {
      let failure = #expect(throws: Failure.self) {
        try site.transfers { $0.deadline = .now }.exchange(
          Exchange("PUT", site.url("/"), body: body), .unstoppable)
      }
      #expect(failure?.kind == .timedOut(operation))
    }
  }

  @Test func `an upload ends when the file becomes shorter`() throws {
    let site = try ScriptedSite(Self.echo)
    let folder = try TemporaryFolder()
    try folder.makeFile("pack", [UInt8](repeating: 7, count: 1000))
    let file = try UploadFile(folder.path("pack"))
    try folder.makeFile("pack", [UInt8](repeating: 7, count: 500))
    #expect(try !file.isUnchanged())
    let failure = #expect(throws: Failure.self) {
      try site.transfers().exchange(
        Exchange("PUT", site.url("/"), body: .part(file, 0..<1000)), .unstoppable)
    }
    #expect(failure?.kind == .malformed("the file became shorter during the upload"))
    #expect(failure?.path == folder.path("pack"))
  }

  @Test func `the size of a response is limited`() throws {
    let site = try ScriptedSite { _, _ in
      Response(200, body: .bytes([UInt8](repeating: 0x61, count: 10_001)))
    }
    var question = Exchange("GET", site.url("/"))
    question.responseLimit = 10_001
    #expect(try site.transfers().exchange(question, .unstoppable).body.count == 10_001)
    question.responseLimit = 10_000
    let failure = #expect(throws: Failure.self) {
      try site.transfers().exchange(question, .unstoppable)
    }
    #expect(failure?.kind == .transfer(.ask, .tooLarge(limit: 10_000)))
  }

  @Test func `a response that ends too early is reported with its bytes`() throws {
    let site = try ScriptedSite { _, _ in
      Response(
        200,
        body: .writing(300) { writer throws(Failure) in
          try writer.write([UInt8](repeating: 65, count: 134))
          writer.cutOff()
        })
    }
    let failure = #expect(throws: Failure.self) {
      try site.transfers { $0.backoff.attempts = 1 }.exchange(
        Exchange("GET", site.url("/")), .unstoppable)
    }
    #expect(failure?.kind == .transfer(.ask, .cutOff(received: 134, expected: 300)))
  }

  @Test(arguments: [("GET", 3), ("PUT", 3), ("DELETE", 3), ("POST", 1), ("PATCH", 1)])
  func `a request that is not repeatable is not repeated after a lost response`(
    method: String, requests: Int
  ) throws {
    let site = try ScriptedSite { _, number in
      number < 3 ? Response(503, body: .noResponse) : Response(200)
    }
    let failure = #expect(throws: Failure.self) {
      try site.transfers { $0.backoff.attempts = 3 }.exchange(
        Exchange(method, site.url("/")), .unstoppable)
    }
    #expect(failure?.kind == .transfer(.ask, .cutOff(received: 0, expected: nil)))
    #expect(site.requests.all.count == requests)
  }

  @Test func `a POST is not sent again when a kept connection ends without a response`() throws {
    // libcurl itself would repeat it on a new connection.
    let site = try ScriptedSite { request, _ in
      request.head.method == "POST" ? Response(503, body: .noResponse) : Response(200)
    }
    let transfers = try site.transfers()
    #expect(try transfers.exchange(Exchange("GET", site.url("/")), .unstoppable).status == 200)
    #expect(throws: Failure.self) {
      try transfers.exchange(Exchange("POST", site.url("/")), .unstoppable)
    }
    #expect(site.requests.all.map(\.head.method) == ["GET", "POST"])
  }

  @Test(arguments: [("POST", 429, 2), ("POST", 503, 1), ("GET", 503, 2), ("GET", 404, 1)])
  func `a request without effect is repeated, depending on the status`(
    method: String, status: Int, requests: Int
  ) throws {
    let site = try ScriptedSite { _, number in Response(number == 0 ? status : 200) }
    let answer = try site.transfers().exchange(Exchange(method, site.url("/")), .unstoppable)
    #expect(answer.status == (requests == 2 ? 200 : status))
    #expect(site.requests.all.count == requests)
  }

  @Test(arguments: [
    ("1", Duration.seconds(1), true), ("0", .milliseconds(20), false),
    ("Sun, 06 Nov 1994 08:49:37 GMT", .milliseconds(20), false),
  ])
  func `a pause that a server requests is kept, and a pause of zero becomes the shortest pause`(
    text: String, pause: Duration, isRequested: Bool
  ) throws {
    let site = try ScriptedSite { _, number in
      number == 0 ? Response(429, fields: [("Retry-After", text)]) : Response(200)
    }
    let pauses = Noted<Retry>()
    let transfers = try site.transfers {
      $0.retried = { _ = pauses.add($0) }
      $0.backoff.shortest = .milliseconds(20)
      $0.backoff.random = { 0 }
    }
    #expect(try transfers.exchange(Exchange("GET", site.url("/")), .unstoppable).status == 200)
    #expect(pauses.all.map(\.pause) == [pause])
    #expect(pauses.all.map(\.isRequested) == [isRequested])
    #expect(pauses.all.map(\.failure.kind) == [.transfer(.ask, .status(429))])
  }

  @Test func `a response that requests a pause above the limit is final`() throws {
    let site = try ScriptedSite { _, _ in Response(429, fields: [("Retry-After", "301")]) }
    let answer = try site.transfers().exchange(Exchange("GET", site.url("/")), .unstoppable)
    #expect(answer.status == 429)
    #expect(answer.head["retry-after"] == "301")
    #expect(site.requests.all.count == 1)
  }

  @Test(arguments: [("A\r\nB", "x"), ("A", "x\r\nB: y"), ("A", "x\nB: y"), ("", "x"), ("A:", "x")])
  func `a header field cannot contain other fields`(name: String, value: String) throws {
    let site = try ScriptedSite(Self.echo)
    #expect(throws: Failure.self) {
      try site.transfers().exchange(
        Exchange("GET", site.url("/"), fields: [HeaderField(name, value)]), .unstoppable)
    }
    #expect(site.requests.all.isEmpty)
  }

  @Test func `messages and descriptions contain no secrets`() throws {
    let secret = "s3cr3t"
    let fields = [HeaderField("Authorization", "Bearer \(secret)")]
    var shown = [
      "\(fields)", String(reflecting: fields),
      "\(Exchange("GET", "https://a", fields: fields).fields)",
    ]
    dump(fields, to: &shown[0])
    let site = try ScriptedSite { request, number in
      switch request.head.pathText {
      case "/silent": Response(200, body: .noResponse)
      case "/large": Response(200, body: .bytes([UInt8](repeating: 0, count: 100)))
      default: Response(500)
      }
    }
    let port = site.server.address.port
    let folder = try TemporaryFolder()
    let secrets = "u:\(secret)@127.0.0.1:\(port)"
    for url in [
      "https://\(secrets)/silent?key=\(secret)#\(secret)", "https://\(secrets)/large?key=\(secret)",
      "https://u:\(secret)@pack.invalid/?key=\(secret)", "https://u:\(secret)@127.0.0.1:1/",
      "https://u:\(secret)@127.0.0.1:x/?\(secret)", "gopher://u:\(secret)@a/?\(secret)",
      "http://\(secrets)/?\(secret)", "https://u:\(secret)@a b/?\(secret)",
    ] {
      let told = Noted<String>()
      let transfers = try site.transfers {
        $0.backoff.attempts = 2
        $0.retried = { told.add("\($0.failure)") }
        $0.proxies.exceptions = secret
      }
      var question = Exchange("GET", url, fields: fields)
      question.responseLimit = 10
      let one = #expect(throws: Failure.self) { try transfers.exchange(question, .unstoppable) }
      let two = #expect(throws: Failure.self) {
        try transfers.get(
          url, to: folder.path("x"), fields: fields, expecting: ExpectedFile(size: 7), .unstoppable)
      }
      shown += told.all + ["\(one as Any)", "\(two as Any)", String(reflecting: one as Any)]
    }
    #expect(shown.filter { $0.contains(secret) } == [])
  }

  @Test
  func `a request ends at its deadline, and the next one succeeds`() throws {
    let site = try ScriptedSite { request, _ in
      var response = Response(200)
      response.delay = request.head.pathText == "/slow" ? .seconds(100) : .zero
      return response
    }
    let transfers = try site.transfers()
    var question = Exchange("GET", site.url("/slow"))
    question.deadline = .now + .milliseconds(50)
    let error = #expect(throws: Failure.self) { try transfers.exchange(question, .unstoppable) }
    #expect(error?.reason == "timed out")
    #expect(try transfers.exchange(Exchange("GET", site.url("/quick")), .unstoppable).status == 200)
  }
}
