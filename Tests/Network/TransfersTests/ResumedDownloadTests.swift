import Glibc
import AssetServer
import SystemIO
import TerminalText
import TestSupport
import Testing
import Transfers

/// Downloads that a later run resumes, and cancelled downloads.
@Suite(.mustEnd) struct ResumedDownloadTests {
  private static let bytes = TransferSite.bytes(300_000, seed: 1)

  /// Creates a file with the start of a download.
  private func file(_ site: TransferSite, _ bytes: [UInt8]) throws -> FileDescriptor {
    try site.folder.makeFile("part", bytes)
    let folder = try FileDescriptor.open(site.folder.path, for: .directory)
    return try folder.open(FileName("part".utf8), for: .locking)
  }

  @Test(arguments: [1, 100_000, 299_999, 300_000])
  func `another run resumes where the first one ended`(count: Int) throws {
    let site = try TransferSite()
    let digest = try TransferSite.sha256(Self.bytes)
    let file = try file(site, Array(Self.bytes.prefix(count)))
    let received = try site.transfers().get(
      site.url, into: file,
      after: PartialContent(size: UInt64(count), validator: "\"\(hexadecimal(digest))\""),
      expecting: ExpectedFile(size: 300_000, sha256: digest), .unstoppable)
    #expect(try site.folder.contents("part") == Self.bytes)
    #expect(received.sha256 == digest)
    #expect(received.transferred == UInt64(300_000 - count))
  }

  @Test func `partial content of an older version, or shorter than recorded, is discarded`()
    throws
  {
    let site = try TransferSite()
    let digest = try TransferSite.sha256(Self.bytes)
    let old = TransferSite.bytes(200_000, seed: 9)
    let older = try file(site, old)
    let first = try site.transfers().get(
      site.url, into: older, after: PartialContent(size: 200_000, validator: "\"older\""),
      .unstoppable)
    #expect(try site.folder.contents("part") == Self.bytes)
    #expect(first.transferred == 300_000)
    let short = try file(site, Array(Self.bytes.prefix(10)))
    let second = try site.transfers().get(
      site.url, into: short,
      after: PartialContent(size: 200_000, validator: "\"\(hexadecimal(digest))\""), .unstoppable)
    #expect(try site.folder.contents("part") == Self.bytes)
    #expect(second.sha256 == digest)
  }

  @Test func `the validator of a download is reported before its first byte`() throws {
    let site = try TransferSite("cave: cut 100000 once")
    let notes = Noted<String>()
    let file = try file(site, [])
    _ = try site.transfers().get(
      site.url, into: file, noted: { notes.add("begins \($0?.count ?? 0)") },
      .unstoppable.reporting { if $0.done == 300_000 { notes.add("whole") } })
    #expect(notes.all.first == "begins 66")
    #expect(Set(notes.all.dropFirst()) == ["whole"])
  }

  @Test func `an alarm ends a download at any point`() throws {
    let site = try TransferSite("cave: stall 600s")
    let alarm = try Alarm()
    let transfers = try site.transfers {
      $0.stallTime = .seconds(600)
    }
    let failure = #expect(throws: Failure.self) {
      try transfers.get(
        site.url, to: site.target,
        Work(until: alarm).reporting { if $0.done >= 100_000 { alarm.ring() } })
    }
    #expect(failure?.kind == .interrupted)
    #expect(site.downloaded == nil)
    #expect(try site.others() == [])
  }

  @Test func `a deadline ends a download, and a pause before another attempt`() throws {
    for fault in ["cave: stall 600s", "cave: status 503"] {
      let site = try TransferSite(fault)
      let transfers = try site.transfers {
        $0.deadline = .now + .milliseconds(200)
        $0.stallTime = .seconds(600)
        $0.backoff.first = .seconds(60)
      }
      let failure = #expect(throws: Failure.self) {
        try transfers.get(site.url, to: site.target, .unstoppable)
      }
      #expect(failure?.kind == .timedOut(.download))
      #expect(try site.others() == [])
    }
  }

  @Test func `a signal ends a download immediately`() async {
    await #expect(processExitsWith: .success) {
      let site = try TransferSite("cave: stall 600s")
      Interrupt.install()
      let transfers = try site.transfers { $0.stallTime = .seconds(600) }
      var kind: Failure.Kind?
      // Another thread may get the signal later, and a second signal would end the process.
      let sent = Noted<Bool>()
      let work = Work(until: Interrupt.alarm).reporting { progress in
        guard progress.done >= 100_000, sent.add(true) == 0 else { return }
        kill(getpid(), SIGTERM)
      }
      do throws(Failure) {
        _ = try transfers.get(site.url, to: site.target, work)
      } catch {
        kind = error.kind
      }
      #expect(kind == .interrupted)
      #expect(site.downloaded == nil)
      #expect(try site.others() == [])
    }
  }
}
