import AssetServer
import BAPackKit
import HTTPServer
import SystemIO
import TLSIdentity
import TerminalText
import TestSupport
import Testing
import Transfers

/// What a server is refused for, and what is left of a download that failed.
@Suite(.mustEnd) struct RefusalTests {
  private static let bytes = TransferSite.bytes(300_000, seed: 1)

  /// Downloads, and gives what that threw; nothing may be left but what was there before.
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
      (.notYetValid, .notYetValid, "set the clock of this machine right"),
      (.forOtherHost, .otherHost, "use a name of the server that its certificate is for"),
    ] as [(TransferSite.Proof, TransferFault.Distrust, String)])
  func `a certificate that is no good is refused in plain words, and once`(
    proof: TransferSite.Proof, reason: TransferFault.Distrust, remedy: String
  ) throws {
    let site = try TransferSite(proof: proof)
    try site.folder.makeFile("downloaded.aar", [1, 2, 3])
    let failure = try refusal(of: site)
    #expect(failure.kind == .transfer(.download, .distrusted(reason)))
    #expect(
      failure.description
        == "cannot download '\(site.url)': the server cannot be trusted: \(reason)")
    let error = PackError(failure)
    #expect(error.kind == .untrusted)
    #expect(error.remedies.first?.description == remedy)
    #expect(site.events.all.allSatisfy { $0.method == nil })
  }

  @Test
  func `who is vouched for by nobody that is trusted is refused, and the system's roots stay`()
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
    // Two roots of one's own: each vouches for its server.
    let both = [try site.authority.root.pem(), try stranger.authority.root.pem()]
    for one in [site, stranger] {
      let transfers = try one.transfers { $0.roots = both }
      #expect(try transfers.get(one.url, to: one.target, .unstoppable).size == 300_000)
    }
  }

  @Test func `another name of the server is as good as its certificate says`() throws {
    let site = try TransferSite()
    let url = site.url("cave", host: "localhost")
    #expect(try site.transfers().get(url, to: site.target, .unstoppable).size == 300_000)
  }

  @Test(arguments: [299_999, 300_001] as [UInt64])
  func `another size than expected is noticed before anything comes`(size: UInt64) throws {
    let site = try TransferSite()
    let failure = try refusal(of: site, expecting: ExpectedFile(size: size))
    #expect(failure.kind == .transfer(.download, .wrongSize(300_000, expected: size)))
    #expect(
      failure.description == "cannot download '\(site.url)': it has 300000 bytes, not \(size)")
  }

  @Test func `a file that the server has only in part is refused by its size, or by its digest`()
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

  @Test func `one wrong bit is noticed where the digest is known`() throws {
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
      PackError(failure).remedies == ["publish the pack anew, together with its download manifest"])
    #expect(PackError(failure).kind == .malformed(offset: nil))
  }

  @Test func `more than is allowed is refused before it comes`() throws {
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

  @Test(.heavy) func `a server that stalls is left after a while, and asked again`() throws {
    let once = try TransferSite("cave: stall 600s once")
    #expect(try once.transfers().get(once.url, to: once.target, .unstoppable).requests == 2)
    #expect(once.downloaded == Self.bytes)
    let always = try TransferSite("cave: stall 600s")
    let failure = try refusal(of: always) { $0.backoff.attempts = 1 }
    #expect(failure.kind == .timedOut(.call(.receive)))
    #expect(failure.path == "127.0.0.1:\(always.port)")
    #expect(PackError(failure).kind == .timedOut)
  }

  @Test func `a server that says nothing is told from one that is not there`() throws {
    let site = try TransferSite()
    site.packs.switches.isOffline = true
    let silent = try refusal(of: site) { $0.backoff.attempts = 2 }
    #expect(silent.kind == .transfer(.download, .cutOff(received: 0, expected: nil)))
    site.server.stop()
    let pauses = Noted<Duration>()
    let absent = try refusal(of: site) { $0.retried = { pauses.add($0.pause) } }
    #expect(absent.description == "cannot connect to '127.0.0.1:\(site.port)': Connection refused")
    // Who was never reached is not asked again and again.
    #expect(pauses.all.isEmpty)
    #expect(
      PackError(absent).remedies == ["check that the server runs and that the port is correct"])
  }

  @Test func `a name that nobody has is not found`() throws {
    let site = try TransferSite()
    let failure = try refusal(of: site, "https://pack.invalid/cave")
    #expect(failure.kind == .unresolved("no address is known for this name"))
    #expect(failure.path == "pack.invalid")
    #expect(PackError(failure).kind == .unknownHost)
  }

  @Test(arguments: [
    ("", "it is no address of the web", ""),
    ("ftp://127.0.0.1/x", "only https and http are spoken here", "ftp://127.0.0.1/x"),
    ("file:///etc/passwd", "it is no address of the web", "file:///etc/passwd"),
    ("http://127.0.0.1/x", "only https is allowed here", "http://127.0.0.1/x"),
    ("https://127.0.0.1:70000/", "it is no address of the web", "https://127.0.0.1:70000/"),
    ("https://user:secret@127.0.0.1:1x/", "it is no address of the web", "127.0.0.1:1x/"),
    (
      "http://user:secret@127.0.0.1/x?key=secret", "only https is allowed here",
      "http://127.0.0.1/x"
    ),
  ])
  func `what is no address, or none that is allowed, is refused without its secrets`(
    url: String, reason: String, shown: String
  ) throws {
    let site = try TransferSite()
    let failure = try refusal(of: site, url)
    #expect(failure.kind == .transfer(.download, .badAddress(reason)))
    #expect(failure.path == shown)
    #expect(PackError(failure).kind == .invalidValue)
  }

  @Test func `without libcurl, the message names the package`() throws {
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

  @Test func `a disk that is full ends the download with the file's name`() throws {
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
