import Foundation
import FoundationXML
import HTTPServer
import SystemIO
import TLSIdentity
import TestSupport
import Testing

/// TLS connections with independent clients.
@Suite(.world, .mustEnd) struct TLSServerTests {
  /// A server with a separate certificate authority.
  private struct Site {
    let server: HTTPServer
    let authority: Authority

    init(_ change: (inout HTTPServer.Limits) -> Void = { _ in }) throws {
      let now = Moment.now
      let authority = try Authority.make(called: "Tests", at: now)
      self.authority = authority
      let context = try TLSContext { name, address throws(Failure) in
        let host = name.flatMap { HostName($0) } ?? HostName(address.hostText)
        guard let host else { throw .malformed("no host") }
        return try authority.leaf(for: host, at: now)
      }
      server = try ServerTests.server(tls: context, change)
    }

    var port: UInt16 { server.address.port }
  }

  /// Runs a Python client with the port as its argument; returns the output.
  private func python(_ site: Site, _ script: String) throws -> String {
    let answer = try Peer.ask("python3", ["-c", Self.prelude + script, "\(site.port)"])
    return answer.output + answer.errors
  }

  /// A TLS connection with manual records, which can send any bytes.
  private static let prelude = """
    import socket, ssl, sys
    port = int(sys.argv[1])
    context = ssl._create_unverified_context()
    def open():
        raw = socket.create_connection(("127.0.0.1", port), 60)
        coming, going = ssl.MemoryBIO(), ssl.MemoryBIO()
        session = context.wrap_bio(coming, going)
        while True:
            try:
                session.do_handshake()
                raw.sendall(going.read())
                return raw, coming, going, session
            except ssl.SSLWantReadError:
                raw.sendall(going.read())
                coming.write(raw.recv(65536))
    def rest(raw, coming, session):
        text = b""
        while True:
            try:
                more = session.read(65536)
                if not more: return text
                text += more
            except ssl.SSLWantReadError:
                more = raw.recv(65536)
                if not more: return text
                coming.write(more)
            except ssl.SSLZeroReturnError:
                return text

    """

  private func curl(_ site: Site, _ arguments: String...) throws -> Peer.Answer {
    let folder = try TemporaryFolder()
    try folder.makeFile("root.pem", try site.authority.root.pem())
    return try Peer.ask(
      "curl",
      ["-sS", "--max-time", "600", "--cacert", folder.path("root.pem")]
        + arguments.map { $0.replacingOccurrences(of: "PORT", with: "\(site.port)") })
  }

  @Test func `curl trusts the server by name and by address`() throws {
    let site = try Site()
    defer { site.server.stop() }
    for host in ["127.0.0.1", "localhost"] {
      let answer = try curl(site, "https://\(host):PORT/3")
      #expect(answer.output == "aaa", "\(answer.errors)")
    }
    let local = try curl(
      site, "--resolve", "my-mac.local:PORT:127.0.0.1", "https://my-mac.local:PORT/3")
    #expect(local.output == "aaa", "\(local.errors)")
    let other = try curl(
      site, "--resolve", "example.com:PORT:127.0.0.1", "https://example.com:PORT/3")
    // No certificate is issued for a host that the root does not permit, so the handshake ends.
    #expect(other.status == 35 && other.output.isEmpty)
    #expect(other.errors.contains("alert"))
  }

  @Test(arguments: ["--http1.0", "--http1.1", "--http2", "--tlsv1.3", "--tls-max 1.2"])
  func `every supported version of TLS transfers all bytes`(option: String) throws {
    let site = try Site()
    defer { site.server.stop() }
    let arguments = option.split(separator: " ").map(String.init)
    let answer = try Peer.ask(
      "curl",
      ["-sSk", "--max-time", "600", "-o", "/dev/null", "-w", "%{http_version} %{size_download}"]
        + arguments + ["https://127.0.0.1:\(site.port)/10000000"])
    #expect(answer.output.hasSuffix(" 10000000"), "\(answer.errors)")
    #expect(answer.output.hasPrefix("1."))
  }

  @Test func `only TLS 1.2 and 1.3 with forward secrecy are supported`() throws {
    let site = try Site()
    defer { site.server.stop() }
    for arguments in [
      ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1_2", "-cipher", "AES128-GCM-SHA256"],
      ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA256"],
    ] {
      let answer = try Peer.ask(
        "openssl", ["s_client", "-connect", "127.0.0.1:\(site.port)"] + arguments)
      #expect(answer.output.contains("Cipher is (NONE)"), "\(arguments)")
    }
    let answer = try Peer.ask(
      "openssl", ["s_client", "-connect", "127.0.0.1:\(site.port)", "-tls1_3"])
    #expect(answer.output.contains("TLS_"))
    #expect(answer.output.contains("Peer signature type: ECDSA") || answer.output.contains("ecdsa"))
  }

  @Test func `a client detects an incomplete body`() throws {
    let site = try Site()
    defer { site.server.stop() }
    for (how, status) in [("cut", Int32(18)), ("short", 18)] {
      let answer = try curl(
        site, "-o", "/dev/null", "-w", "%{size_download}", "https://127.0.0.1:PORT/1000000/\(how)")
      #expect(answer.status == status, "\(how): \(answer.errors)")
      #expect(answer.output == "65536")
    }
    let reset = try curl(site, "-o", "/dev/null", "https://127.0.0.1:PORT/1000000/reset")
    #expect([18, 35, 56].contains(reset.status))
  }

  @Test func `garbage instead of TLS does not affect other clients`() throws {
    let site = try Site()
    defer { site.server.stop() }
    for garbage in ["BET / HTTP/1.1\r\nHost: a\r\n\r\n", "\u{16}\u{3}\u{1}\u{FF}\u{FF}", "\0\0\0"] {
      let connection = try ServerTests.connect(site.server)
      try connection.write(Array(garbage.utf8))
      try connection.finishWriting()
      let rest = try? ServerTests.rest(connection)
      #expect((rest ?? []).count < 100)
    }
    #expect(try curl(site, "https://127.0.0.1:PORT/5").output == "aaaaa")
  }

  @Test func `a connection is used for several requests`() throws {
    let site = try Site()
    defer { site.server.stop() }
    let answer = try curl(
      site, "-w", "|%{num_connects} ", "https://127.0.0.1:PORT/1", "https://127.0.0.1:PORT/2")
    #expect(answer.output == "a|1 aa|0 ")
  }

  @Test func `a plain HTTP request gets the https address`() throws {
    let site = try Site()
    defer { site.server.stop() }
    for arguments in [[], ["--http1.0"], ["-I"], ["-d", String(repeating: "x", count: 100_000)]] {
      let answer = try Peer.ask(
        "curl",
        ["-sS", "-i", "--max-time", "600"] + arguments + ["http://127.0.0.1:\(site.port)/3"])
      #expect(answer.output.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(answer)")
      #expect(
        arguments == ["-I"] || answer.output.hasSuffix("https://127.0.0.1:\(site.port)\n"),
        "\(answer)")
    }
    // TLS clients are not affected.
    #expect(try curl(site, "https://127.0.0.1:PORT/5").output == "aaaaa")
  }

  @Test func `a handshake that never ends times out`() throws {
    let site = try Site { $0.headTime = .milliseconds(200) }
    defer { site.server.stop() }
    for text in ["", "\u{16}\u{3}\u{1}"] {
      let connection = try ServerTests.connect(site.server)
      try connection.write(Array(text.utf8))
      #expect(try ServerTests.rest(connection).count < 100)
    }
  }

  @Test func `garbage inside TLS ends only its connection`() throws {
    let site = try Site()
    defer { site.server.stop() }
    let answer = try python(
      site,
      """
      import random
      random.seed(7)
      for round in range(60):
          raw, coming, going, session = open()
          if round % 3 == 0: raw.sendall(random.randbytes(2000))
          elif round % 3 == 1: raw.sendall(b"\\x17\\x03\\x03\\x00\\x20" + random.randbytes(32))
          else:
              session.write(random.randbytes(2000) + b"\\r\\n\\r\\n")
              raw.sendall(going.read())
          raw.settimeout(600)
          count = 0
          try:
              while True:
                  more = raw.recv(65536)
                  if not more: break
                  count += len(more)
          except ConnectionResetError: pass
          assert count < 2000, count
      print("ok")
      """)
    #expect(answer == "ok\n")
    #expect(try curl(site, "https://127.0.0.1:PORT/5").output == "aaaaa")
  }

  @Test func `a client that closes its direction of the connection gets the complete response`()
    throws
  {
    let site = try Site()
    defer { site.server.stop() }
    let answer = try python(
      site,
      """
      for end in ["alert", "half", "both"]:
          raw, coming, going, session = open()
          session.write(b"GET /3000000 HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")
          if end != "half":
              try: session.unwrap()
              except ssl.SSLError: pass
          raw.sendall(going.read())
          if end != "alert": raw.shutdown(socket.SHUT_WR)
          count = 0
          while True:
              more = raw.recv(65536)
              if not more: break
              count += len(more)
          assert count > 3000000, (end, count)
      print("ok")
      """)
    #expect(answer == "ok\n")
  }

  @Test func `an excess connection gets the error response over TLS`() throws {
    let site = try Site { $0.connections = 1 }
    defer { site.server.stop() }
    let answer = try python(
      site,
      """
      first = open()
      raw, coming, going, session = open()
      session.write(b"GET /3 HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")
      raw.sendall(going.read())
      text = rest(raw, coming, session)
      assert text.startswith(b"HTTP/1.1 503 "), text
      raw, coming, going, session = first
      session.write(b"GET /3 HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n")
      raw.sendall(going.read())
      assert rest(raw, coming, session).endswith(b"aaa")
      print("ok")
      """)
    #expect(answer == "ok\n")
  }

  @Test func `renegotiation is refused, and a session can be resumed`() throws {
    let site = try Site()
    defer { site.server.stop() }
    let again = try Peer.ask(
      "openssl", ["s_client", "-connect", "127.0.0.1:\(site.port)", "-tls1_2"],
      input: Array("R\nGET /3 HTTP/1.0\r\n\r\n".utf8))
    #expect((again.output + again.errors).contains("no renegotiation"))
    #expect(!again.output.contains("HTTP/1.1 "))
    let folder = try TemporaryFolder()
    let session = folder.path("session")
    for (option, arguments) in [("-sess_out", "New, TLS"), ("-sess_in", "Reused, TLS")] {
      for version in ["-tls1_3", "-tls1_2"] {
        let answer = try Peer.ask(
          "openssl",
          ["s_client", "-connect", "127.0.0.1:\(site.port)", version, "-ign_eof"]
            + [option, session + version],
          input: Array("GET /3 HTTP/1.0\r\n\r\n".utf8))
        #expect(answer.output.contains(arguments), "\(version) \(option): \(answer.output)")
      }
    }
  }

  @Test func `sslscan finds no weakness`() throws {
    let site = try Site()
    defer { site.server.stop() }
    let answer = try Peer.ask(
      "sslscan", ["--xml=-", "--no-colour", "127.0.0.1:\(site.port)"])
    let report = try XMLDocument(data: Data(answer.output.utf8))
    func nodes(_ path: String) throws -> [XMLElement] {
      try report.nodes(forXPath: "//ssltest/" + path).compactMap { $0 as? XMLElement }
    }
    func text(_ element: XMLElement, _ name: String) -> String {
      element.attribute(forName: name)?.stringValue ?? ""
    }
    let protocols = try nodes("protocol[@enabled='1']").map {
      text($0, "type") + text($0, "version")
    }
    #expect(protocols.sorted() == ["tls1.2", "tls1.3"], "\(answer)")
    let ciphers = try nodes("cipher")
    #expect(ciphers.count >= 6)
    for cipher in ciphers {
      let name = text(cipher, "cipher")
      #expect(name.hasPrefix("TLS_") || name.hasPrefix("ECDHE-ECDSA-"), "\(name)")
      #expect(["strong", "acceptable"].contains(text(cipher, "strength")), "\(name)")
    }
    #expect(try nodes("heartbleed[@vulnerable='1']").isEmpty)
    #expect(try nodes("compression[@supported='1']").isEmpty)
    #expect(try nodes("renegotiation[@supported='1' and @secure='0']").isEmpty)
    #expect(try nodes("group[starts-with(@name, 'ffdhe')]").isEmpty)
    #expect(try nodes(".//pk[@type='EC']").count == 1)
  }
}
