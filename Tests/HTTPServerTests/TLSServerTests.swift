import Foundation
import HTTPServer
import SystemIO
import TLSIdentity
import TestSupport
import Testing

/// Encrypted connections, with clients that share none of our code.
@Suite(.world, .timeLimit(.minutes(2))) struct TLSServerTests {
  /// A server that proves itself with an authority of its own.
  private struct Site {
    let server: HTTPServer
    let authority: Authority

    init() throws {
      let now = Moment.now
      let authority = try Authority.make(called: "Tests", at: now)
      self.authority = authority
      let context = try TLSContext { name, address throws(Failure) in
        let host = name.flatMap { HostName($0) } ?? HostName(address.hostText)
        guard let host else { throw .malformed("no host") }
        return try authority.leaf(for: host, at: now)
      }
      server = try ServerTests.server(tls: context)
    }

    var port: UInt16 { server.address.port }
  }

  private func curl(_ site: Site, _ words: String...) throws -> Peer.Answer {
    let folder = try TemporaryFolder()
    try folder.makeFile("root.pem", try site.authority.root.pem())
    return try Peer.ask(
      "curl",
      ["-sS", "--max-time", "60", "--cacert", folder.path("root.pem")]
        + words.map { $0.replacingOccurrences(of: "PORT", with: "\(site.port)") })
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
    #expect(other.status == 60)
    #expect(other.errors.contains("permitted subtree violation"))
  }

  @Test(arguments: ["--http1.0", "--http1.1", "--http2", "--tlsv1.3", "--tls-max 1.2"])
  func `every client that is not too old gets every byte`(option: String) throws {
    let site = try Site()
    defer { site.server.stop() }
    let words = option.split(separator: " ").map(String.init)
    let answer = try Peer.ask(
      "curl",
      ["-sSk", "--max-time", "60", "-o", "/dev/null", "-w", "%{http_version} %{size_download}"]
        + words + ["https://127.0.0.1:\(site.port)/10000000"])
    #expect(answer.output.hasSuffix(" 10000000"), "\(answer.errors)")
    #expect(answer.output.hasPrefix("1."))
  }

  @Test func `nothing older than TLS 1.2 is spoken, and no cipher without forward secrecy`() throws
  {
    let site = try Site()
    defer { site.server.stop() }
    for words in [
      ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1_2", "-cipher", "AES128-GCM-SHA256"],
      ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA256"],
    ] {
      let answer = try Peer.ask(
        "openssl", ["s_client", "-connect", "127.0.0.1:\(site.port)"] + words)
      #expect(answer.output.contains("Cipher is (NONE)"), "\(words)")
    }
    let answer = try Peer.ask(
      "openssl", ["s_client", "-connect", "127.0.0.1:\(site.port)", "-tls1_3"])
    #expect(answer.output.contains("TLS_"))
    #expect(answer.output.contains("Peer signature type: ECDSA") || answer.output.contains("ecdsa"))
  }

  @Test func `a body that is cut is told from one that is whole`() throws {
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

  @Test func `garbage and plain requests harm nobody else`() throws {
    let site = try Site()
    defer { site.server.stop() }
    for garbage in ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\u{16}\u{3}\u{1}\u{FF}\u{FF}", "\0\0\0"] {
      let connection = try ServerTests.visit(site.server)
      try connection.write(Array(garbage.utf8))
      try connection.finishWriting()
      let rest = try? ServerTests.rest(connection)
      #expect((rest ?? []).count < 100)
    }
    #expect(try curl(site, "https://127.0.0.1:PORT/5").output == "aaaaa")
  }

  @Test func `a request may be sent again on one connection`() throws {
    let site = try Site()
    defer { site.server.stop() }
    let answer = try curl(
      site, "-w", "|%{num_connects} ", "https://127.0.0.1:PORT/1", "https://127.0.0.1:PORT/2")
    #expect(answer.output == "a|1 aa|0 ")
  }
}
