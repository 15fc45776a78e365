import AssetServer
import Foundation
import Glibc
import HTTPServer
import SystemIO
import TLSIdentity
import TestSupport
import Testing
import Transfers

/// Downloads that another run resumes.
@Suite(.mustEnd) struct ResumableDownloadTests {
  private static let bytes = TransferSite.bytes(300_000, seed: 1)

  /// Starts a download that fails in the middle.
  private func fail(_ site: TransferSite) throws {
    #expect(throws: Failure.self) {
      try site.transfers { $0.backoff.attempts = 1 }
        .getResumable(site.url, to: site.target, replacing: true, .unstoppable)
    }
  }

  @Test(arguments: [1, 65_536, 299_999])
  func `a run resumes where another one ended, and leaves no other files`(place: Int) throws {
    let site = try TransferSite("cave: cut \(place) once")
    try fail(site)
    #expect(site.downloaded == nil)
    #expect(try site.others().sorted() == ["downloaded.aar.part", "downloaded.aar.part-of"])
    let received = try site.transfers().getResumable(
      site.url, to: site.target,
      expecting: ExpectedFile(size: 300_000, sha256: try TransferSite.sha256(Self.bytes)),
      .unstoppable)
    #expect(site.downloaded == Self.bytes)
    #expect(received.transferred == UInt64(300_000 - place))
    #expect(received.requests == 1)
    #expect(try site.others() == [])
  }

  @Test func `a complete file with a record can become partial content again`() throws {
    let site = try TransferSite()
    func download() throws -> Received {
      try site.transfers().getResumable(
        site.url, to: site.target, replacing: true, keepingNote: true, .unstoppable)
    }
    #expect(try download().transferred == 300_000)
    #expect(try site.others() == ["downloaded.aar.part-of"])
    try PartialFile.takeBack(site.target)
    #expect(site.downloaded == nil)
    #expect(try site.others().sorted() == ["downloaded.aar.part", "downloaded.aar.part-of"])
    // The server only confirms that the file is complete.
    #expect(try download().transferred == 0)
    #expect(site.downloaded == Self.bytes)
    // Bytes without a validator are discarded.
    try site.folder.remove("downloaded.aar.part-of")
    try PartialFile.takeBack(site.target)
    #expect(site.downloaded == nil)
    #expect(try site.others() == [])
  }

  @Test func `a pack that changed between two runs is downloaded again`() throws {
    let site = try TransferSite("cave: cut 100000 once")
    try fail(site)
    let newer = TransferSite.bytes(250_000, seed: 2)
    try site.publish(newer)
    let received = try site.transfers().getResumable(site.url, to: site.target, .unstoppable)
    #expect(site.downloaded == newer)
    #expect(received.transferred == 250_000)
    #expect(try site.others() == [])
  }

  @Test func `damaged partial content is detected by the digest and downloaded again`()
    throws
  {
    let site = try TransferSite("cave: cut 100000 once")
    try fail(site)
    let damaged = [UInt8](repeating: 0, count: 100_000)
    try site.folder.makeFile("downloaded.aar.part", damaged)
    let received = try site.transfers().getResumable(
      site.url, to: site.target,
      expecting: ExpectedFile(sha256: try TransferSite.sha256(Self.bytes)), .unstoppable)
    #expect(site.downloaded == Self.bytes)
    #expect(received.transferred == 300_000)
  }

  @Test(arguments: ["", "x", "\n\n", "0000\n\"a\"\n"])
  func `a record of another address is ignored`(note: String) throws {
    let site = try TransferSite("cave: cut 100000 once")
    try fail(site)
    try site.folder.makeFile("downloaded.aar.part-of", note)
    let received = try site.transfers().getResumable(site.url, to: site.target, .unstoppable)
    #expect(site.downloaded == Self.bytes)
    #expect(received.transferred == 300_000)
  }

  @Test func `content that cannot be resumed, or is refused, is not kept`() throws {
    let site = try TransferSite("cave: status 404")
    try fail(site)
    #expect(try site.others() == [])
    let wrong = try TransferSite()
    #expect(throws: Failure.self) {
      try wrong.transfers().getResumable(
        wrong.url, to: wrong.target, expecting: ExpectedFile(sha256: [1, 2, 3]), .unstoppable)
    }
    #expect(try wrong.others() == [])
    try site.folder.makeFile("downloaded.aar", [7])
    #expect(throws: Failure.self) {
      try site.transfers().getResumable(site.url, to: site.target, .unstoppable)
    }
    #expect(site.downloaded == [7])
    #expect(try site.others() == [])
  }

  @Test func `two simultaneous runs do not interfere`() throws {
    let site = try TransferSite("cave: cut 100000 once")
    try fail(site)
    let other = try #require(try PartialFile(site.target, replacing: true))
    let received = try site.transfers().getResumable(
      site.url, to: site.target, replacing: true, .unstoppable)
    #expect(site.downloaded == Self.bytes)
    #expect(received.transferred == 300_000)
    #expect(try other.beginning()?.size == 100_000)
    other.discard()
    #expect(try site.others() == [])
  }

  @Test func `another run resumes after a run was killed`() async throws {
    let site = try TransferSite("cave: stall 600s once", size: 4_000_000)
    let words = [
      site.url, site.target, String(decoding: try site.authority.root.pem(), as: UTF8.self),
    ]
    let folder = try TemporaryFolder()
    try folder.makeFile("words", words.joined(separator: "\0"))
    // The other process gets its arguments in a file.
    let path = folder.path("words")
    await #expect(processExitsWith: .signal(9)) { [path = path as String] in
      let words = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\0")
      var options = Transfers.Options()
      options.roots = [Array(words[2].utf8)]
      _ = try Transfers(options).getResumable(
        String(words[0]), to: String(words[1]),
        .unstoppable.reporting { if $0.done >= 1_900_000 { kill(getpid(), SIGKILL) } })
    }
    #expect(site.downloaded == nil)
    let received = try site.transfers().getResumable(site.url, to: site.target, .unstoppable)
    #expect(site.downloaded == TransferSite.bytes(4_000_000, seed: 1))
    // Received bytes are written in pieces of 1 MiB.
    #expect(received.transferred <= 4_000_000 - 1 << 20)
    #expect(try site.others() == [])
  }
}
