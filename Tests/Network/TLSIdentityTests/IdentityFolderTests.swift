import Foundation
import Synchronization
import SystemIO
import TLSIdentity
import TestSupport
import Testing

@Suite struct IdentityFolderTests {
  private static let now = Moment.now

  @Test func `an authority is created once, and only the user can read its key`() throws {
    let folder = try TemporaryFolder()
    let kept = IdentityFolder(folder.path("deep/identity"))
    #expect(try kept.kept() == nil)
    let first = try kept.authority(called: "t", at: Self.now, .unstoppable)
    #expect(first.isNew)
    let second = try kept.authority(called: "t", at: Self.now, .unstoppable)
    #expect(!second.isNew)
    #expect(try first.authority.root.pem() == second.authority.root.pem())
    let host = try #require(HostName("fd00::1"))
    let leaf = try kept.identity(for: host, by: first.authority, at: Self.now, .unstoppable)
    let again = try kept.identity(for: host, by: second.authority, at: Self.now, .unstoppable)
    #expect(try leaf.certificate.pem() == again.certificate.pem())
    func mode(_ name: String) throws -> UInt32 {
      try FileStatus(ofFileAt: folder.path(name)).permissions & 0o777
    }
    #expect(try mode("deep/identity") == 0o700)
    #expect(try mode("deep/identity/root.pem") == 0o644)
    #expect(try mode("deep/identity/root-key.pem") == 0o600)
    #expect(try mode("deep/identity/host-fd00--1.pem") == 0o600)
    #expect(try kept.remove(.unstoppable) == ["host-fd00--1.pem", "root-key.pem", "root.pem"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("deep")) == [])
    #expect(try kept.remove(.unstoppable) == [])
  }

  @Test func `a wait for the lock of another server can be stopped`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("identity")
    let kept = IdentityFolder(folder.path("identity"))
    let held = try FileLock(besides: kept.rootPath, .unstoppable) {}
    let alarm = try Alarm()
    let error = #expect(throws: Failure.self) {
      try ForcedFailures.inject(ForcedFailure(.poll, .run { alarm.ring() }, times: 1)) {
        try kept.authority(called: "t", at: Self.now, Work(until: alarm))
      }
    }
    #expect(error?.kind == .interrupted)
    held.release()
  }

  @Test func `a certificate that expires soon or has another root is replaced`() throws {
    let folder = try TemporaryFolder()
    let kept = IdentityFolder(folder.path("identity"))
    let authority = try kept.authority(called: "t", at: Self.now, .unstoppable).authority
    let host = try #require(HostName("localhost"))
    let old = try kept.identity(for: host, by: authority, at: Self.now, .unstoppable)
    let soon = Moment(seconds: Self.now.seconds + 800 * 86_400)
    let new = try kept.identity(for: host, by: authority, at: soon, .unstoppable)
    #expect(try old.certificate.pem() != new.certificate.pem())
    let other = try Authority.make(called: "t", at: soon)
    let others = try kept.identity(for: host, by: other, at: soon, .unstoppable)
    #expect(others.certificate.isSigned(by: other.root))
    try folder.makeFile("identity/host-localhost.pem", "damaged")
    #expect(
      try kept.identity(for: host, by: authority, at: soon, .unstoppable).certificate.isSigned(
        by: authority.root)
    )
  }

  @Test func `an existing folder keeps its mode, and only the user can read its keys`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("shared")
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    let kept = IdentityFolder(path)
    let authority = try kept.authority(called: "t", at: Self.now, .unstoppable).authority
    _ = try kept.identity(for: .name("localhost"), by: authority, at: Self.now, .unstoppable)
    func mode(_ path: String) throws -> UInt32 {
      try FileStatus(ofFileAt: path).permissions & 0o777
    }
    #expect(try mode(path) == 0o755)
    #expect(try mode(path + "/root-key.pem") == 0o600)
    #expect(try mode(path + "/host-localhost.pem") == 0o600)
  }

  @Test func `only files of the identity are removed, and no files with similar names`() throws {
    let folder = try TemporaryFolder()
    let kept = IdentityFolder(folder.path("identity"))
    let authority = try kept.authority(called: "t", at: Self.now, .unstoppable).authority
    let leaf = try kept.identity(for: .name("localhost"), by: authority, at: Self.now, .unstoppable)
    let foreign = try Authority.make(called: "other", at: Self.now)
      .leaf(for: .name("mine.local"), at: Self.now)
    let others: [String: [UInt8]] = [
      "host-notes.pem": Array("notes".utf8), "host-.pem": [], "root.pem.bak": [1],
      "host-mine.local.pem": try foreign.certificate.pem(),
      "host-copy.pem": try leaf.certificate.pem(),
    ]
    for (name, bytes) in others { try folder.makeFile("identity/" + name, bytes) }
    #expect(try kept.keptHosts().map(\.host) == [.name("localhost")])
    #expect(
      try kept.remove(.unstoppable).sorted() == ["host-localhost.pem", "root-key.pem", "root.pem"])
    for (name, bytes) in others { #expect(try folder.contents("identity/" + name) == bytes) }
  }

  @Test func `a slow clock replaces no certificate, and is reported as the cause`() throws {
    let folder = try TemporaryFolder()
    let kept = IdentityFolder(folder.path("identity"))
    let authority = try kept.authority(called: "t", at: Self.now, .unstoppable).authority
    let host = HostName.name("localhost")
    let later = Moment(seconds: Self.now.seconds + 86_400)
    let leaf = try kept.identity(for: host, by: authority, at: later, .unstoppable)
    let file = try folder.contents("identity/host-localhost.pem")
    // The root is valid and the certificate is not valid yet, so another certificate is used.
    let early = Moment(seconds: later.seconds - 3600)
    let other = try kept.identity(for: host, by: authority, at: early, .unstoppable)
    #expect(try other.certificate.pem() != leaf.certificate.pem())
    #expect(try other.isTrusted(by: authority.root, at: early))
    #expect(try folder.contents("identity/host-localhost.pem") == file)
    #expect(
      try kept.identity(for: host, by: authority, at: later, .unstoppable).certificate.pem()
        == file.prefix(try leaf.certificate.pem().count).map { $0 })
    // The root is not valid yet.
    let before = Moment(seconds: Self.now.seconds - 3600)
    let begin = try #require(authority.root.begin)
    #expect(try authority.problem(for: host, at: before) == .notYetValid(from: begin))
    #expect(
      throws: Failure.malformed(
        "the certificate authority is not valid before \(begin): check the clock")
    ) { try kept.identity(for: host, by: authority, at: before, .unstoppable) }
    #expect(try folder.contents("identity/host-localhost.pem") == file)
  }

  @Test func `no certificate is kept or issued for a host that the root does not permit`() throws {
    let folder = try TemporaryFolder()
    let kept = IdentityFolder(folder.path("identity"))
    let authority = try kept.authority(called: "t", at: Self.now, .unstoppable).authority
    for text in ["example.com", "buildbox", "8.8.8.8"] {
      let host = try #require(HostName(text))
      #expect(try authority.problem(for: host, at: Self.now) == .notPermitted)
      #expect(throws: Failure.self) {
        try kept.identity(for: host, by: authority, at: Self.now, .unstoppable)
      }
      #expect(throws: Failure.self) { try authority.leaf(for: host, at: Self.now) }
    }
    #expect(try kept.keptHosts().isEmpty)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("identity")).sorted() == [
        "root-key.pem", "root.pem",
      ])
  }

  @Test func `threads that start at the same time use one authority`() throws {
    let folder = try TemporaryFolder()
    let kept = IdentityFolder(folder.path("identity"))
    let roots = Mutex<Set<[UInt8]>>([])
    let news = Atomic(0)
    do {
      let threads = try WorkerThreads(8, stop: {}) {
        guard let found = try? kept.authority(called: "t", at: Self.now, .unstoppable),
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

  @Test func `an error contains the damaged or missing file`() throws {
    let folder = try TemporaryFolder()
    let kept = IdentityFolder(folder.path("identity"))
    _ = try kept.authority(called: "t", at: Self.now, .unstoppable)
    let other = try Authority.make(called: "t", at: Self.now)
    try folder.makeFile("identity/root.pem", try other.root.pem())
    let key = folder.path("identity/root-key.pem")
    #expect(
      throws: Failure(.malformed("the private key does not match the certificate"), key)
    ) { try kept.kept() }
    try folder.makeFile("identity/root.pem", "no certificate")
    let root = folder.path("identity/root.pem")
    #expect(throws: Failure(.malformed("no certificate in PEM format"), root)) {
      try kept.kept()
    }
  }

  @Test(.world) func `the profile contains the root and is the same each time`() throws {
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
