import HTTPServer
import SystemIO
import TLSIdentity
import TestSupport
import Testing
import Transfers

/// Servers with behavior that the project's server does not have.
@Suite(.mustEnd) struct ServerQuirkTests {
  private static let bytes = TransferSite.bytes(300_000, seed: 4)

  /// Returns a response with the file, or with its part from `start`, cut after a number of bytes.
  private static func answer(
    _ status: Int, _ bytes: [UInt8], from start: Int = 0, cut: Int? = nil,
    _ fields: (String, String)...
  ) -> Response {
    let rest = Array(bytes[start...])
    return Response(
      status, fields: fields.reduce(into: []) { $0.append(($1.0, $1.1)) },
      body: .writing(UInt64(rest.count)) { writer throws(Failure) in
        try writer.write(Array(rest.prefix(cut ?? rest.count)))
        if cut != nil { writer.cutOff() }
      })
  }

  private func get(
    _ site: ScriptedSite, _ path: String = "/x",
    _ change: (inout Transfers.Options) -> Void = { _ in }, work: Work = .unstoppable
  ) throws -> (received: Received, bytes: [UInt8]) {
    let folder = try TemporaryFolder()
    let received = try site.transfers(change).get(site.url(path), to: folder.path("x"), work)
    return (received, try folder.contents("x"))
  }

  @Test(arguments: [nil, "W/\"weak\"", "\"\"", "unquoted"])
  func `without a strong 'ETag' a download restarts`(tag: String?) throws {
    let site = try ScriptedSite { _, number in
      let cut = number == 0 ? 100_000 : nil
      return tag.map { Self.answer(200, Self.bytes, cut: cut, ("ETag", $0)) }
        ?? Self.answer(200, Self.bytes, cut: cut)
    }
    let steps = Noted<Work.Progress>()
    let (received, bytes) = try get(site, work: .unstoppable.reporting { steps.add($0) })
    #expect(bytes == Self.bytes)
    #expect(received.transferred == 400_000)
    // The progress of a download that restarts does not decrease.
    #expect(steps.all.map(\.done) == steps.all.map(\.done).sorted())
    #expect(steps.all.last == Work.Progress(done: 300_000, total: 300_000))
    #expect(site.requests.all.allSatisfy { $0.head["range"] == nil })
  }

  @Test(arguments: [
    ("bytes 99999-299999/300000", "\"a\""), ("bytes 100000-299999/300001", "\"a\""),
    ("bytes 100000-299999/300000", "\"b\""), ("100000-", "\"a\""), ("bytes */300000", "\"a\""),
  ])
  func `a range that does not match is never appended`(
    range: String, tag: String
  ) throws {
    let site = try ScriptedSite { request, number in
      switch number {
      case 0: Self.answer(200, Self.bytes, cut: 100_000, ("ETag", "\"a\""))
      case 1:
        Self.answer(206, Self.bytes, from: 100_000, ("ETag", tag), ("Content-Range", range))
      default: Self.answer(200, Self.bytes, ("ETag", "\"a\""))
      }
    }
    let (received, bytes) = try get(site)
    #expect(bytes == Self.bytes)
    #expect(received.requests == 3)
    #expect(
      site.requests.all.map { $0.head["range"] } == [nil, "bytes=100000-", nil])
    #expect(try site.head(1)["if-range"] == "\"a\"")
  }

  @Test func `a server that sends only wrong ranges is abandoned`() throws {
    let site = try ScriptedSite { request, _ in
      request.head["range"] == nil
        ? Self.answer(200, Self.bytes, cut: 100_000, ("ETag", "\"a\""))
        : Self.answer(206, Self.bytes, ("ETag", "\"a\""), ("Content-Range", "bytes 0-1/2"))
    }
    let failure = #expect(throws: Failure.self) { try get(site) }
    #expect(failure?.kind == .transfer(.download, .keepsChanging))
    #expect(site.requests.all.count < 20)
  }

  @Test(arguments: [80_000, 100_000, 110_000, 200_000])
  func `a response with a header that is too large is an error`(size: Int) throws {
    let site = try ScriptedSite { _, _ in
      Self.answer(200, Self.bytes, ("X-Long", String(repeating: "x", count: size)))
    }
    let failure = #expect(throws: Failure.self) { try get(site) }
    guard let fault = failure?.transferError else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(fault == .headerTooLarge)
    #expect(fault.description == "the header of the response is too large")
  }

  @Test func `a range that was not requested is an error`() throws {
    let site = try ScriptedSite { _, _ in
      Self.answer(206, Self.bytes, ("Content-Range", "bytes 0-299999/300000"))
    }
    let failure = #expect(throws: Failure.self) { try get(site) }
    #expect(failure?.kind == .transfer(.download, .status(206)))
  }

  @Test func `a file without a length ends with its connection`() throws {
    let site = try ScriptedSite { _, _ in
      Response(200, body: .writingToEnd { writer throws(Failure) in try writer.write(Self.bytes) })
    }
    let (received, bytes) = try get(site)
    #expect(bytes == Self.bytes)
    #expect(received.size == 300_000)
  }

  @Test func `an attempt with enough new bytes resets the number of attempts`() throws {
    // Nine incomplete attempts, with two allowed without progress.
    let site = try ScriptedSite { request, number in
      let start = number * 70_000
      return number == 0
        ? Self.answer(200, Self.bytes, cut: 70_000, ("ETag", "\"a\""))
        : Self.answer(
          206, Self.bytes, from: start, cut: start + 70_000 < 300_000 ? 70_000 : nil,
          ("Content-Range", "bytes \(start)-299999/300000"))
    }
    let (received, bytes) = try get(site) { $0.backoff.attempts = 2 }
    #expect(bytes == Self.bytes)
    #expect(received.requests == 5)
    #expect(received.transferred == 300_000)
  }

  @Test(arguments: [nil, "W/\"weak\"", "\"strong\""])
  func `repeated bytes are not progress, and repeated cut-offs fail the download`(
    tag: String?
  ) throws {
    // The server does not support ranges, so each response contains the whole file.
    let site = try ScriptedSite { _, _ in
      tag.map { Self.answer(200, Self.bytes, cut: 200_000, ("ETag", $0)) }
        ?? Self.answer(200, Self.bytes, cut: 200_000)
    }
    let retries = Noted<Retry>()
    let failure = #expect(throws: Failure.self) {
      try get(site) {
        $0.retried = { retries.add($0) }
        $0.backoff.attempts = 4
      }
    }
    #expect(failure?.kind == .transfer(.download, .cutOff(received: 200_000, expected: 300_000)))
    #expect(site.requests.all.count == 4)
    #expect(retries.all.count == site.requests.all.count - 1)
  }

  // MARK: Redirects

  @Test func `an exchange follows allowed redirects, and sends no secrets to other hosts`() throws {
    let other = try ScriptedSite { _, _ in Response(200, body: .bytes(Array("there".utf8))) }
    let target = other.url("/there")
    let site = try ScriptedSite { _, _ in Response(302, fields: [("Location", target)]) }
    let transfers = try site.transfers { $0.roots.append((try? other.authority.root.pem()) ?? []) }
    var question = Exchange(
      "GET", site.url("/x", host: "u:p@127.0.0.1"),
      fields: [HeaderField("X-Key", "y")])
    #expect(try transfers.exchange(question, .unstoppable).status == 302)
    question.followsRedirects = true
    #expect(try transfers.exchange(question, .unstoppable).body == Array("there".utf8))
    #expect(try site.head(1)["authorization"] != nil)
    #expect(try other.head(0)["authorization"] == nil)
    #expect(try other.head(0)["x-key"] == nil)
  }

  @Test func `a response that is not HTTP is reported as such`() throws {
    for isSecure in [true, false] {
      let listener = try Listener()
      let port = listener.address.port
      let threads = try WorkerThreads(1, stop: {}) {
        do throws(Failure) {
          guard let connection = try listener.accept() else { return }
          try connection.write(Array("SSH-2.0-OpenSSH_9.6\r\n".utf8))
          _ = try connection.read(atMost: 1000)
        } catch {
          // The client may have disconnected.
        }
      }
      var options = Transfers.Options()
      options.allowsHTTP = true
      options.proxies = Proxies()
      options.backoff.attempts = 1
      let transfers = try Transfers(options)
      let failure = #expect(throws: Failure.self) {
        try transfers.exchange(
          Exchange("GET", "\(isSecure ? "https" : "http")://127.0.0.1:\(port)/"), .unstoppable)
      }
      let fault: TransferError =
        isSecure ? .encryption("the server does not support TLS on this port") : .notHTTP
      #expect(failure?.kind == .transfer(.ask, fault))
      threads.join()
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a download follows redirects`(status: Int) throws {
    let site = try ScriptedSite { request, _ in
      request.head.pathText == "/x"
        ? Response(
          status, fields: [("Location", "/there?a=b")], body: .bytes(Array("elsewhere".utf8)))
        : Self.answer(200, Self.bytes)
    }
    let (received, bytes) = try get(site)
    #expect(bytes == Self.bytes)
    #expect(received.requests == 2)
    #expect(site.paths == ["/x", "/there"])
  }

  @Test func `secrets are not sent to the target of a redirect on another server`() throws {
    let other = try ScriptedSite { _, _ in Self.answer(200, Self.bytes) }
    let target = other.url("/there")
    let site = try ScriptedSite { _, _ in Response(302, fields: [("Location", target)]) }
    let folder = try TemporaryFolder()
    let transfers = try site.transfers { $0.roots.append((try? other.authority.root.pem()) ?? []) }
    _ = try transfers.get(
      site.url("/x"), to: folder.path("x"),
      fields: [HeaderField("Authorization", "Bearer x"), HeaderField("X-Key", "y")], .unstoppable)
    #expect(try site.head(0)["authorization"] == "Bearer x")
    #expect(try other.head(0)["authorization"] == nil)
    #expect(try other.head(0)["x-key"] == nil)
    #expect(try other.head(0)["referer"] == nil)
  }

  @Test func `redirects to http, to other schemes and in loops are refused`()
    throws
  {
    for (location, reason) in [
      ("http://127.0.0.1:1/", TransferError.insecureRedirect),
      ("file:///etc/passwd", .badAddress("not an http or https URL")),
      ("/x", .tooManyRedirects(5)),
    ] {
      let site = try ScriptedSite { _, _ in Response(302, fields: [("Location", location)]) }
      // Although http is allowed for both.
      let failure = #expect(throws: Failure.self) { try get(site) { $0.allowsHTTP = true } }
      #expect(failure?.kind == .transfer(.download, reason))
      #expect(site.requests.all.count == (location == "/x" ? 6 : 1))
    }
  }
}
