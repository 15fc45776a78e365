import AssetServer
import BAPackKit
import BlockCodecs
import HTTPServer
import SystemIO
import TLSIdentity
import TerminalText
import TestSupport
import Testing
import Transfers

/// Errors of servers and certificates, and the files after a failed download.
@Suite(.mustEnd) struct RefusalTests {
  private static let bytes = TransferSite.bytes(300_000, seed: 1)

  /// Downloads a file, and returns the error; expects that no file was changed.
  private func refusal(
    of site: TransferSite, _ url: String? = nil,
    expecting expectation: ExpectedFile = ExpectedFile(),
    _ change: (inout Transfers.Options) -> Void = { _ in }
  ) throws -> Failure {
    let before = site.downloaded
    let transfers = try site.transfers(change)
    let failure = #expect(throws: Failure.self) {
      try transfers.get(
        url ?? site.url, to: site.target, replacing: true, expecting: expectation, .unstoppable)
    }
    #expect(site.downloaded == before)
    #expect(try site.others() == [])
    return try #require(failure)
  }

  @Test(
    arguments: [
      (.expired, .expired, "renew the server's certificate"),
      (.notYetValid, .notYetValid, "correct the clock of this computer"),
      (.forOtherHost, .otherHost, "use a host name that the certificate contains"),
    ] as [(TransferSite.Proof, TransferError.Distrust, String)])
  func `an invalid certificate is refused with the reason, without retries`(
    proof: TransferSite.Proof, reason: TransferError.Distrust, remedy: String
  ) throws {
    let site = try TransferSite(proof: proof)
    try site.folder.makeFile("downloaded.aar", [1, 2, 3])
    let failure = try refusal(of: site)
    #expect(failure.kind == .transfer(.download, .distrusted(reason)))
    #expect(
      failure.description
        == "cannot download '\(site.url)': the server is not trusted: \(reason)")
    let error = PackError(failure)
    #expect(error.kind == .untrusted)
    #expect(error.remedies.first?.description == remedy)
    #expect(site.events.all.allSatisfy { $0.method == nil })
  }

  @Test func `a certificate with the host only as its common name is refused, as by devices`()
    throws
  {
    let site = try TransferSite(proof: .withoutNames)
    let root = try site.nameless.certificate.pem()
    let failure = try refusal(of: site, site.url("cave", host: "localhost")) { $0.roots = [root] }
    #expect(failure.kind == .transfer(.download, .distrusted(.noNames)))
    #expect(
      PackError(failure).remedies.first?.description
        == "create a certificate with the host as 'subjectAltName'")
    #expect(site.events.all.allSatisfy { $0.method == nil })
  }

  @Test
  func `an unknown certificate authority is refused, and the system's roots remain trusted`()
    throws
  {
    let site = try TransferSite()
    let stranger = try TransferSite()
    let failure = try refusal(of: site) { $0.roots = [] }
    #expect(failure.kind == .transfer(.download, .distrusted(.unknownAuthority)))
    #expect(PackError(failure).remedies == [.trustAuthority])
    let other = try refusal(of: site) {
      $0.roots = [(try? stranger.authority.root.pem()) ?? []]
    }
    #expect(other.kind == .transfer(.download, .distrusted(.unknownAuthority)))
    // Two additional roots: each issued the certificate of one server.
    let both = [try site.authority.root.pem(), try stranger.authority.root.pem()]
    for one in [site, stranger] {
      let transfers = try one.transfers { $0.roots = both }
      #expect(try transfers.get(one.url, to: one.target, .unstoppable).size == 300_000)
    }
  }

  @Test func `every host name in the certificate is accepted`() throws {
    let site = try TransferSite()
    let url = site.url("cave", host: "localhost")
    #expect(try site.transfers().get(url, to: site.target, .unstoppable).size == 300_000)
  }

  @Test(arguments: [299_999, 300_001] as [UInt64])
  func `an unexpected size is detected before the body`(size: UInt64) throws {
    let site = try TransferSite()
    let failure = try refusal(of: site, expecting: ExpectedFile(size: size))
    #expect(failure.kind == .transfer(.download, .wrongSize(300_000, expected: size)))
    #expect(
      failure.description == "cannot download '\(site.url)': it has 300000 bytes, not \(size)")
  }

  @Test func `an incomplete file is refused by its size or its digest`()
    throws
  {
    let site = try TransferSite("cave: truncate")
    let digest = try TransferSite.sha256(Self.bytes)
    let half = Array(Self.bytes.prefix(150_000))
    let bySize = try refusal(of: site, expecting: ExpectedFile(size: 300_000, sha256: digest))
    #expect(bySize.kind == .transfer(.download, .wrongSize(150_000, expected: 300_000)))
    let byDigest = try refusal(of: site, expecting: ExpectedFile(sha256: digest))
    let found = hexadecimal(try TransferSite.sha256(half))
    #expect(
      byDigest.kind
        == .transfer(.download, .wrongDigest(found, expected: hexadecimal(digest))))
  }

  @Test func `one wrong bit is detected with the digest`() throws {
    let site = try TransferSite("cave: corrupt")
    let digest = try TransferSite.sha256(Self.bytes)
    var bytes = Self.bytes
    bytes[150_000] ^= 1
    let failure = try refusal(of: site, expecting: ExpectedFile(size: 300_000, sha256: digest))
    let found = hexadecimal(try TransferSite.sha256(bytes))
    #expect(
      failure.kind
        == .transfer(.download, .wrongDigest(found, expected: hexadecimal(digest))))
    #expect(
      PackError(failure).remedies == ["publish the pack again, together with its download manifest"]
    )
    #expect(PackError(failure).kind == .malformed(offset: nil))
  }

  @Test func `a file above the size limit is refused before the body`() throws {
    let site = try TransferSite()
    var expectation = ExpectedFile()
    expectation.limit = 299_999
    let failure = try refusal(of: site, expecting: expectation)
    #expect(failure.kind == .transfer(.download, .tooLarge(limit: 299_999)))
    expectation.limit = 300_000
    #expect(
      try site.transfers().get(site.url, to: site.target, expecting: expectation, .unstoppable).size
        == 300_000)
  }

  @Test(.heavy) func `a stalled connection times out, and the request is repeated`() throws {
    let once = try TransferSite("cave: stall 600s once")
    let transfers = try once.transfers { $0.stallTime = .seconds(5) }
    #expect(try transfers.get(once.url, to: once.target, .unstoppable).requests == 2)
    #expect(once.downloaded == Self.bytes)
    let always = try TransferSite("cave: stall 600s")
    let failure = try refusal(of: always) {
      $0.backoff.attempts = 1
      $0.stallTime = .seconds(5)
    }
    #expect(failure.kind == .timedOut(.call(.receive)))
    #expect(failure.path == "127.0.0.1:\(always.port)")
    #expect(PackError(failure).kind == .timedOut)
  }

  @Test func `a server without a response is distinguished from an unreachable one`() throws {
    let site = try TransferSite()
    site.packs.switches.isOffline = true
    let silent = try refusal(of: site) { $0.backoff.attempts = 2 }
    #expect(silent.kind == .transfer(.download, .cutOff(received: 0, expected: nil)))
    site.server.stop()
    let pauses = Noted<Duration>()
    let absent = try refusal(of: site) { $0.retried = { pauses.add($0.pause) } }
    #expect(absent.description == "cannot connect to '127.0.0.1:\(site.port)': Connection refused")
    // A server that was never reached is not retried.
    #expect(pauses.all.isEmpty)
    #expect(
      PackError(absent).remedies == ["check that the server runs and that the port is correct"])
  }

  @Test func `an unknown host name is an error`() throws {
    let site = try TransferSite()
    let failure = try refusal(of: site, "https://pack.invalid/cave")
    #expect(failure.kind == .unresolved("unknown host name"))
    #expect(failure.path == "pack.invalid")
    #expect(PackError(failure).kind == .unknownHost)
  }

  @Test(arguments: [
    ("", "not an http or https URL", ""),
    ("ftp://127.0.0.1/x", "unsupported scheme; use https or http", "ftp://127.0.0.1/x"),
    ("file:///etc/passwd", "not an http or https URL", "file:///etc/passwd"),
    ("http://127.0.0.1/x", "https is required", "http://127.0.0.1/x"),
    ("https://127.0.0.1:70000/", "not an http or https URL", "https://127.0.0.1:70000/"),
    ("https://user:secret@127.0.0.1:1x/", "not an http or https URL", "https://…"),
    (
      "http://user:secret@127.0.0.1/x?key=secret", "https is required",
      "http://127.0.0.1/x"
    ),
  ])
  func `an invalid or forbidden URL is refused without showing secrets`(
    url: String, reason: String, shown: String
  ) throws {
    let site = try TransferSite()
    let failure = try refusal(of: site, url)
    #expect(failure.kind == .transfer(.download, .badAddress(reason)))
    #expect(failure.path == shown)
    #expect(PackError(failure).kind == .invalidValue)
  }

  @Test func `without libcurl, the message contains the package`() throws {
    let failure = #expect(throws: Failure.self) {
      try ForcedFailures.inject(.always(.load, 79)) { _ = try Transfers() }
    }
    let error = PackError(try #require(failure))
    #expect(
      error.message
        == "cannot load 'libcurl.so.4': Can not access a needed shared library")
    #expect(
      error.remedies
        == ["install libcurl (package libcurl4 on Debian and Ubuntu)"])
  }

  /// The first calls of libcrypto.
  enum CryptoUse: CaseIterable {
    case digest, authenticationCode, newKey, key, certificate

    func make() throws(Failure) {
      switch self {
      case .digest: _ = try Digest(.sha256)
      case .authenticationCode: _ = try BlockCodecs.authenticationCode(of: [1], key: [2])
      case .newKey: _ = try PrivateKey.make()
      case .key: _ = try PrivateKey.read(pem: [])
      case .certificate: _ = try Certificate.read(pem: [])
      }
    }
  }

  @Test(arguments: CryptoUse.allCases)
  func `without libcrypto, the message contains the package`(use: CryptoUse) throws {
    let failure = #expect(throws: Failure.self) {
      try ForcedFailures.inject(.always(.load, 79)) { try use.make() }
    }
    // A file that could not be read without the library is not the cause.
    let error = PackError(try #require(failure).withPath("key.pem"))
    #expect(
      error.message == "cannot load 'libcrypto.so.3': Can not access a needed shared library")
    #expect(error.remedies == ["install OpenSSL (package libssl3 on Debian and Ubuntu)"])
  }

  @Test func `without libssl, the message contains the package`() throws {
    let failure = #expect(throws: Failure.self) {
      try ForcedFailures.inject(.always(.load, 79)) {
        _ = try TLSContext { (_, _) throws(Failure) in throw .malformed("no identity") }
      }
    }
    let error = PackError(try #require(failure))
    #expect(error.message == "cannot load 'libssl.so.3': Can not access a needed shared library")
    #expect(error.remedies == ["install OpenSSL (package libssl3 on Debian and Ubuntu)"])
  }

  @Test func `a full disk ends the download, and the message contains the file`() throws {
    let site = try TransferSite()
    let transfers = try site.transfers()
    let failure = #expect(throws: Failure.self) {
      try ForcedFailures.inject(.once(.write, 28)) {
        try transfers.get(site.url, to: site.target, .unstoppable)
      }
    }
    #expect(failure?.code == 28)
    #expect(failure?.path == site.target)
    #expect(site.downloaded == nil)
    #expect(try site.others() == [])
  }
}
