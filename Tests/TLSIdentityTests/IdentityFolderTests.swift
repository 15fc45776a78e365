import Foundation
import Synchronization
import SystemIO
import TLSIdentity
import TestSupport
import Testing

@Suite struct IdentityFolderTests {
  private static let now = Moment.now

  @Test func `an authority is made once, and its keys are nobody else's`() throws {
    let folder = try TemporaryFolder()
    let kept = IdentityFolder(folder.path("deep/identity"))
    #expect(try kept.kept() == nil)
    let first = try kept.authority(called: "t", at: Self.now)
    #expect(first.isNew)
    let second = try kept.authority(called: "t", at: Self.now)
    #expect(!second.isNew)
    #expect(try first.authority.root.pem() == second.authority.root.pem())
    let host = try #require(HostName("fd00::1"))
    let leaf = try kept.identity(for: host, by: first.authority, at: Self.now)
    let again = try kept.identity(for: host, by: second.authority, at: Self.now)
    #expect(try leaf.certificate.pem() == again.certificate.pem())
    func mode(_ name: String) throws -> UInt32 {
      try FileStatus(ofFileAt: folder.path(name)).permissions & 0o777
    }
    #expect(try mode("deep/identity") == 0o700)
    #expect(try mode("deep/identity/root.pem") == 0o644)
    #expect(try mode("deep/identity/root-key.pem") == 0o600)
    #expect(try mode("deep/identity/host-fd00--1.pem") == 0o600)
    #expect(try kept.remove() == ["host-fd00--1.pem", "root-key.pem", "root.pem"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("deep")) == [])
    #expect(try kept.remove() == [])
  }

  @Test func `a leaf that nears its end or is another root's is made anew`() throws {
    let folder = try TemporaryFolder()
    let kept = IdentityFolder(folder.path("identity"))
    let authority = try kept.authority(called: "t", at: Self.now).authority
    let host = try #require(HostName("localhost"))
    let old = try kept.identity(for: host, by: authority, at: Self.now)
    let soon = Moment(seconds: Self.now.seconds + 800 * 86_400)
    let new = try kept.identity(for: host, by: authority, at: soon)
    #expect(try old.certificate.pem() != new.certificate.pem())
    let other = try Authority.make(called: "t", at: soon)
    let others = try kept.identity(for: host, by: other, at: soon)
    #expect(others.certificate.isSigned(by: other.root))
    try folder.makeFile("identity/host-localhost.pem", "damaged")
    #expect(
      try kept.identity(for: host, by: authority, at: soon).certificate.isSigned(by: authority.root)
    )
  }

  @Test func `threads that start at once agree on one authority`() throws {
    let folder = try TemporaryFolder()
    let kept = IdentityFolder(folder.path("identity"))
    let roots = Mutex<Set<[UInt8]>>([])
    let news = Atomic(0)
    do {
      let threads = try WorkerThreads(8, stop: {}) {
        guard let found = try? kept.authority(called: "t", at: Self.now),
          let pem = try? found.authority.root.pem()
        else { return }
        if found.isNew { news.wrappingAdd(1, ordering: .relaxed) }
        _ = roots.withLock { $0.insert(pem) }
      }
      extendLifetime(threads)
    }
    #expect(roots.withLock { $0.count } == 1)
    #expect(news.load(ordering: .relaxed) == 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("identity")).sorted() == [
        "root-key.pem", "root.pem",
      ])
  }

  @Test func `what is damaged or missing is named`() throws {
    let folder = try TemporaryFolder()
    let kept = IdentityFolder(folder.path("identity"))
    _ = try kept.authority(called: "t", at: Self.now)
    let other = try Authority.make(called: "t", at: Self.now)
    try folder.makeFile("identity/root.pem", try other.root.pem())
    let key = folder.path("identity/root-key.pem")
    #expect(
      throws: Failure(.malformed("the private key does not belong to the certificate"), key)
    ) { try kept.kept() }
    try folder.makeFile("identity/root.pem", "no certificate")
    let root = folder.path("identity/root.pem")
    #expect(throws: Failure(.malformed("there is no certificate in PEM form"), root)) {
      try kept.kept()
    }
  }

  @Test(.world) func `the profile holds the root and is the same each time`() throws {
    let authority = try Authority.make(called: "t", at: Self.now)
    let text = try TrustProfile.text(for: authority.root, called: "A <b> & c")
    #expect(text == (try TrustProfile.text(for: authority.root, called: "A <b> & c")))
    #expect(text.contains("<string>A &lt;b&gt; &amp; c</string>"))
    let folder = try TemporaryFolder()
    try folder.makeFile("t.mobileconfig", text)
    let checked = try Peer.ask(
      "xmllint", ["--noout", "--nonet", folder.path("t.mobileconfig")])
    #expect(checked.status == 0 && checked.errors == "", "\(checked)")
    let listed = try Peer.ask(
      "plistutil", ["-i", folder.path("t.mobileconfig"), "-o", folder.path("t.binary")])
    #expect(listed.status == 0, "\(listed)")
    #expect(try folder.contents("t.binary").starts(with: Array("bplist00".utf8)))
    let script = """
      import plistlib, sys, uuid
      profile = plistlib.load(open(sys.argv[1], 'rb'))
      inner, = profile['PayloadContent']
      assert inner['PayloadType'] == 'com.apple.security.root', inner
      assert profile['PayloadType'] == 'Configuration'
      assert len({uuid.UUID(profile['PayloadUUID']), uuid.UUID(inner['PayloadUUID'])}) == 2
      sys.stdout.write(inner['PayloadContent'].hex())
      """
    let answer = try Peer.ask("python3", ["-c", script, folder.path("t.mobileconfig")])
    let der = try authority.root.der().map {
      String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }
    #expect(answer.output == der.joined())
    let digest = try authority.root.fingerprint()
    #expect(digest.count == 32)
    #expect(text.contains(TrustProfile.fingerprintText(digest)))
  }
}
