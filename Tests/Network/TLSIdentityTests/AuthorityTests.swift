import Foundation
import SystemIO
@testable import TLSIdentity
import TestSupport
import Testing

/// Certificates, inspected with the 'openssl' program.
@Suite(.world) struct AuthorityTests {
  private static let now = Moment.now

  private func openssl(_ arguments: String..., input: [UInt8] = []) throws -> String {
    let answer = try Peer.ask("openssl", arguments, input: input)
    return answer.output + answer.errors
  }

  @Test func `the root is an authority for private hosts only`() throws {
    let authority = try Authority.make(called: "Tests & more", at: Self.now)
    let text = try openssl(
      "x509", "-noout", "-text", "-nameopt", "utf8", input: try authority.root.pem())
    #expect(text.contains("ASN1 OID: prime256v1"))
    #expect(text.contains("X509v3 Basic Constraints: critical\n                CA:TRUE, pathlen:0"))
    #expect(
      text.contains("X509v3 Key Usage: critical\n                Certificate Sign, CRL Sign"))
    #expect(text.contains("X509v3 Name Constraints: critical\n                Permitted:"))
    #expect(text.contains("Issuer: CN=Tests & more\n"))
    for host in [
      "localhost", "my.local", "10.1.2.3", "172.31.0.1", "192.168.1.10", "::1", "fd00::1",
    ] {
      #expect(
        try authority.canIssueCertificate(for: try #require(HostName(host)), at: Self.now),
        "\(host)")
    }
    for host in ["example.com", "local.example", "172.32.0.1", "8.8.8.8", "2001:db8::1"] {
      #expect(
        try !authority.canIssueCertificate(for: try #require(HostName(host)), at: Self.now),
        "\(host)")
    }
    let end = try #require(authority.root.end)
    #expect(end.seconds - Self.now.seconds == 3652 * 86_400)
  }

  @Test func `a root permits the specified hosts, or all hosts`() throws {
    let named = ["packs.example.com", "8.8.8.8", "2001:db8::7"].compactMap { HostName($0) }
    let authority = try Authority.make(called: "t", at: Self.now, for: named)
    for host in named {
      #expect(try authority.canIssueCertificate(for: host, at: Self.now), "\(host)")
    }
    let other = try #require(HostName("8.8.4.4"))
    #expect(try !authority.canIssueCertificate(for: other, at: Self.now))
    let free = try Authority.make(called: "t", at: Self.now, constraints: false)
    #expect(try free.canIssueCertificate(for: other, at: Self.now))
    let text = try openssl("x509", "-noout", "-text", input: try free.root.pem())
    #expect(!text.contains("Name Constraints"))
  }

  @Test(arguments: ["localhost", "192.168.1.10", "fd00::1", "my-mac.local"])
  func `a certificate satisfies the requirements of Apple, and strict verification`(text: String)
    throws
  {
    let host = try #require(HostName(text))
    let authority = try Authority.make(called: "t", at: Self.now)
    let leaf = try authority.leaf(for: host, at: Self.now)
    #expect(leaf.certificate.hosts == [host])
    #expect(!leaf.certificate.isAuthority)
    let begin = try #require(leaf.certificate.begin)
    let end = try #require(leaf.certificate.end)
    #expect(begin.seconds == Self.now.seconds - 300)
    #expect(end.seconds - begin.seconds == 825 * 86_400 - 1)
    let folder = try TemporaryFolder()
    try folder.makeFile("root.pem", try authority.root.pem())
    try folder.makeFile("leaf.pem", try leaf.certificate.pem())
    let (flag, name) =
      host.description == text && text.contains(where: { !$0.isLetter && $0 != "-" })
        && !text.hasSuffix("local") ? ("-verify_ip", text) : ("-verify_hostname", text)
    #expect(
      try openssl(
        "verify", "-x509_strict", "-purpose", "sslserver", flag, name, "-CAfile",
        folder.path("root.pem"), folder.path("leaf.pem")
      ).hasSuffix("leaf.pem: OK\n"))
    let shown = try openssl("x509", "-noout", "-text", input: try leaf.certificate.pem())
    #expect(shown.contains("X509v3 Basic Constraints: critical\n                CA:FALSE"))
    #expect(shown.contains("TLS Web Server Authentication"))
    #expect(shown.contains("X509v3 Key Usage: critical\n                Digital Signature\n"))
  }

  @Test
  func `OpenSSL verifies every issued certificate, and refuses hosts that are not permitted`()
    throws
  {
    let named = ["buildbox", "packs.example.com", "203.0.113.7", "2001:db8::7"]
    let authority = try Authority.make(
      called: "t", at: Self.now, for: named.compactMap { HostName($0) })
    let folder = try TemporaryFolder()
    try folder.makeFile("root.pem", try authority.root.pem())
    try folder.makeFile("key.pem", try authority.keyPEM())
    func verify(_ file: String, _ isAddress: Bool, _ name: String) throws -> String {
      try openssl(
        "verify", "-purpose", "sslserver", isAddress ? "-verify_ip" : "-verify_hostname", name,
        "-CAfile", folder.path("root.pem"), folder.path(file))
    }
    let names = [
      "localhost", "a.local", "buildbox", "x.buildbox", "otherbox", "packs.example.com",
      "example.com",
      "local", "alocal", "localhost.example", "127.0.0.1", "10.0.0.1", "11.0.0.1", "172.16.0.1",
      "172.32.0.1", "192.168.0.1", "192.169.0.1", "169.254.1.1", "100.64.0.1", "100.128.0.1",
      "203.0.113.7", "203.0.113.8", "::1", "::2", "fd00::1", "fe80::1", "fec0::1", "2001:db8::7",
      "2001:db8::8",
    ]
    var issued: [String] = []
    for name in names {
      let host = try #require(HostName(name))
      let isAddress = if case .address = host { true } else { false }
      // The 'openssl' program issues certificates for any host.
      _ = try openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-subj",
        "/O=x", "-addext", "subjectAltName=\(isAddress ? "IP" : "DNS"):\(name)", "-addext",
        "basicConstraints=critical,CA:FALSE", "-CA", folder.path("root.pem"), "-CAkey",
        folder.path("key.pem"), "-keyout", folder.path("own.pem"), "-out",
        folder.path("foreign.pem"))
      let answer = try verify("foreign.pem", isAddress, name)
      let isGood = answer.hasSuffix("foreign.pem: OK\n")
      #expect(
        try authority.canIssueCertificate(for: host, at: Self.now) == isGood, "\(name): \(answer)")
      let leaf = try? authority.leaf(for: host, at: Self.now)
      #expect((leaf != nil) == isGood, "\(name)")
      guard let leaf else { continue }
      try folder.makeFile("leaf.pem", try leaf.certificate.pem())
      #expect(try verify("leaf.pem", isAddress, name).hasSuffix("leaf.pem: OK\n"), "\(name)")
      issued.append(name)
    }
    #expect(issued.count == 17, "\(issued)")
  }

  @Test func `every certificate has a different serial number and key`() throws {
    let authority = try Authority.make(called: "t", at: Self.now)
    let host = try #require(HostName("localhost"))
    let numbers = try (0..<8).map { _ in
      let leaf = try authority.leaf(for: host, at: Self.now)
      return try openssl("x509", "-noout", "-serial", "-pubkey", input: try leaf.certificate.pem())
    }
    #expect(Set(numbers).count == 8)
    #expect(
      numbers.allSatisfy { $0.hasPrefix("serial=") && $0.split(separator: "\n")[0].count == 39 })
  }

  @Test func `a PKCS #12 file opens with its password, modern and legacy`() throws {
    let authority = try Authority.make(called: "t", at: Self.now)
    let leaf = try authority.leaf(for: try #require(HostName("localhost")), at: Self.now)
    for (form, arguments) in [(Identity.PKCS12.modern, "AES-256-CBC"), (.legacy, "TripleDES")] {
      let file = try leaf.pkcs12(form, password: "pass word", called: "localhost")
      let folder = try TemporaryFolder()
      try folder.makeFile("x.p12", file)
      let shown = try openssl(
        "pkcs12", "-in", folder.path("x.p12"), "-info", "-nodes", "-passin", "pass:pass word")
      #expect(shown.contains(arguments))
      #expect(shown.components(separatedBy: "-----BEGIN CERTIFICATE-----").count == 3)
      #expect(shown.contains("-----BEGIN PRIVATE KEY-----"))
      let refused = try openssl(
        "pkcs12", "-in", folder.path("x.p12"), "-nodes", "-passin", "pass:other")
      #expect(refused.contains("invalid password"))
    }
  }

  @Test func `an external identity must be consistent and valid`() throws {
    let authority = try Authority.make(called: "t", at: Self.now)
    let host = try #require(HostName("localhost"))
    let one = try authority.leaf(for: host, at: Self.now)
    let two = try authority.leaf(for: host, at: Self.now)
    #expect(throws: Failure.malformed("the private key does not match the certificate")) {
      try Identity(certificate: try one.certificate.pem(), key: two.key)
    }
    #expect(throws: Failure.malformed("no certificate in PEM format")) {
      try Identity(certificate: Array("hello".utf8), key: two.key)
    }
    #expect(throws: Failure.malformed("no private key in PEM format")) {
      try PrivateKey.read(pem: try one.certificate.pem())
    }
    let loaded = try Identity(certificate: try one.certificate.pem(), key: one.key)
    #expect(loaded.problem(at: Self.now) == nil)
    let later = Moment(seconds: Self.now.seconds + 826 * 86_400)
    #expect(loaded.problem(at: later)?.hasPrefix("it expired on 20") == true)
    let earlier = Moment(seconds: Self.now.seconds - 3600)
    #expect(loaded.problem(at: earlier)?.hasPrefix("it is not valid before 20") == true)
    let encrypted = try openssl(
      "pkcs8", "-topk8", "-passout", "pass:x", input: try one.key.pem())
    #expect(throws: Failure(EncryptedKey())) {
      try PrivateKey.read(pem: Array(encrypted.utf8))
    }
  }
}
