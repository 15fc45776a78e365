import AssetServer
import BAPackKit
import Faults
import Foundation
import HTTPServer
import SystemIO
import TestSupport
import Testing

/// Failed clients, and offline or slow networks, on the page.
@Suite(.mustEnd) struct ProblemTests {
  @Test(.needs("python3"))
  func `a client that does not trust the server is shown with a hint`() throws {
    let site = try Site(isSecure: true) { $0.trustAdvice = "install the profile" }
    let distrust = """
      import socket, ssl, sys
      port = int(sys.argv[1])
      try:
          with ssl.create_default_context().wrap_socket(
              socket.create_connection(("127.0.0.1", port)), server_hostname="localhost"): pass
      except ssl.SSLCertVerificationError: print("not trusted")
      """
    let garbage = """
      import socket, sys
      with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as plain:
          plain.sendall(b"\\x16\\x03\\x01\\x00\\x04garb" + b"age" * 20)
          while plain.recv(100): pass
      """
    let port = "\(site.server.address.port)"
    let answer = try Peer.ask("python3", ["-c", distrust, port])
    #expect(answer.output == "not trusted\n", "\(answer)")
    // Each connection has its own thread: the second one starts when the first one is recorded.
    try site.events.waitForEnds(1)
    _ = try Peer.ask("python3", ["-c", garbage, port])
    try site.events.waitForEnds(2)
    let requests = try site.state().requests
    #expect(requests.map { $0["problem"] as? String } == ["distrust", "handshake"])
    #expect(requests[0]["remark"] as? String == "does not trust this server: install the profile")
    #expect(
      (requests[1]["remark"] as? String)?.hasPrefix("the TLS handshake failed: ") == true)
    for request in requests {
      #expect(request["status"] is NSNull && request["method"] is NSNull)
      #expect(request["isOver"] as? Bool == true && request["device"] as? String == "127.0.0.1")
    }
    // The client sent no HTTP request.
    #expect(try site.state().list("devices")[0]["requests"] as? Int == 0)
  }

  @Test(arguments: [
    ("BAD", "", 400, nil), ("GET /cave HTTP/1.1", "", 400, nil),
    ("GET /cave HTTP/1.1\r\nHost: a\r\nContent-Length: 2", "ab", 413, "/cave"),
    ("GET /\(String(repeating: "x", count: 20_000)) HTTP/1.1\r\nHost: a", "", 431, nil),
  ])
  func `a refused request is shown with its status and the reason`(
    head: String, body: String, status: Int, path: String?
  ) throws {
    let site = try Site()
    let answer = Answer(try site.send(head, body))
    #expect(answer.status == status)
    try site.events.waitForEnds(1)
    let request = try #require(try site.state().requests.first)
    #expect(request["status"] as? Int == status)
    #expect(request["problem"] as? String == "refused")
    #expect(request["path"] as? String == path)
    #expect(
      request["remark"] as? String == answer.text.split(separator: "\n").map(String.init).first)
    #expect(try site.state().list("devices")[0]["requests"] as? Int == 1)
  }

  @Test func `a plain-text request to a TLS port is shown`() throws {
    let site = try Site(isSecure: true)
    #expect(Answer(try site.get("/cave")).status == 400)
    try site.events.waitForEnds(1)
    #expect(
      (try site.state().requests.first?["remark"] as? String)?.contains("this port requires TLS")
        == true)
  }

  @Test(arguments: ["cave: stall 600s", nil])
  func `going offline cuts off responses in progress`(fault: String?) throws {
    let site = try Site(faults: fault.map { [$0] } ?? [])
    if fault == nil { site.packs.switches.bytesPerSecond = 1000 }
    let stream = try EventStream(site, withSwitches: true)
    let download = try Connection.connect(
      to: "127.0.0.1", port: site.server.address.port, timeout: .seconds(600), .unstoppable)
    try download.write(Array("GET /cave HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    _ = try stream.until { $0.requests.contains { $0["isOver"] as? Bool == false } }
    #expect(try download.read(atMost: 5) == Array("HTTP/".utf8))
    site.packs.switches.isOffline = true
    let (rest, _) = download.readToEnd()
    #expect(rest.count < 200_000)
    try site.events.waitForEnds(1)
    let event = try #require(site.events.ended.first)
    #expect(event.outcome?.isWhole == false && event.outcome?.status == 200)
    #expect(event.fault == (fault ?? "offline"))
    // Requests fail while the server is offline, and succeed after that.
    #expect(try site.get("/cave").head == "")
    try site.packs.switches.apply(.removeAll)
    site.packs.switches.bytesPerSecond = nil
    site.packs.switches.isOffline = false
    #expect(try site.get("/cave").body == Site.bytes(of: "cave"))
  }

  @Test func `going offline cuts off a client that waits for a delayed response`() throws {
    let site = try Site()
    site.packs.switches.latency = .seconds(600)
    let stream = try EventStream(site, withSwitches: true)
    let download = try Connection.connect(
      to: "127.0.0.1", port: site.server.address.port, timeout: .seconds(600), .unstoppable)
    try download.write(Array("GET /cave HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    _ = try stream.until { $0.requests.contains { $0["isOver"] as? Bool == false } }
    site.packs.switches.isOffline = true
    #expect(download.readToEnd().bytes == [])
    try site.events.waitForEnds(1)
    #expect(site.events.ended.first?.outcome?.status == nil)
    #expect(try site.state().requests[0]["status"] is NSNull)
  }

  @Test func `a slow response makes steady progress, and a new rate applies immediately`() throws {
    for (rate, size) in [
      ("8kbit", 100), ("500kbit", 6250), ("3mbit", 37_500), ("1gbit", 65_536), ("0.008kbit", 1),
      ("0.08kbit", 1),
    ] {
      let bytes = try #require(BitRate.bytesPerSecond(written: rate))
      #expect(Throttle(bytesPerSecond: bytes).pieceSize == size, "\(rate)")
    }
    let site = try Site()
    site.packs.switches.bytesPerSecond = 1000
    let download = try Connection.connect(
      to: "127.0.0.1", port: site.server.address.port, timeout: .seconds(600), .unstoppable)
    try download.write(
      Array("GET /cave HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
    var got: [UInt8] = []
    let mark = Array("\r\n\r\n".utf8)
    func body() -> ArraySlice<UInt8>? {
      guard got.count > 4 else { return nil }
      let end = (0...got.count - 4).first { Array(got[$0..<$0 + 4]) == mark }
      return end.map { got[($0 + 4)...] }
    }
    // With pieces of 64 KiB, no data would arrive for more than a minute.
    while (body()?.count ?? 0) < 200 { got += try download.read(atMost: 1 << 16) }
    #expect((body()?.count ?? 0) < 65_536)
    site.packs.switches.bytesPerSecond = nil
    got += download.readToEnd().bytes
    #expect(body().map { Array($0) } == Site.bytes(of: "cave"))
  }

  @Test func `each fault is shown with the number of packs that it matches`() throws {
    let site = try Site()
    for (fault, count) in [
      ("cave: corrupt", 1), ("*: corrupt", 2), ("levle-*: corrupt", 0), ("manifest: stale", 1),
      ("m*: corrupt", 1),
    ] {
      try site.packs.switches.apply(.removeAll)
      let answer = try site.script("POST /api/faults", "{\"fault\": \"\(fault)\"}")
      #expect(answer.compact.contains("\"matches\":\(count)}"), "\(answer.text)")
    }
    try site.packs.switches.apply(.removeAll)
    site.packs.switches.add(try DownloadFault(parsing: "cave: corrupt"))
    let stream = try EventStream(site, withSwitches: true)
    _ = try stream.next()
    #expect(site.packs.catalogue.replace(removing: ["cave"], by: []) == [])
    let change = try stream.until { $0.keys.contains("switches") }
    #expect(change.text.contains("\"matches\":0"))
  }
}
