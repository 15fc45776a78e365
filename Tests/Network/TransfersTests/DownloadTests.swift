import AssetServer
import BAPackKit
import HTTPServer
import SystemIO
import TerminalText
import TestSupport
import Testing
import Transfers

/// Downloads over TLS from the project's server, with errors during the transfer.
@Suite(.mustEnd) struct DownloadTests {
  private static let bytes = TransferSite.bytes(300_000, seed: 1)

  /// Returns the error of a download.
  private func failure(_ body: () throws -> Void) -> Failure? {
    do {
      try body()
      return nil
    } catch {
      return error as? Failure
    }
  }

  @Test func `a file is downloaded with its digest, and reports progress`() throws {
    let site = try TransferSite()
    let digest = try TransferSite.sha256(Self.bytes)
    let steps = Noted<Work.Progress>()
    let received = try site.transfers().get(
      site.url, to: site.target, expecting: ExpectedFile(size: 300_000, sha256: digest),
      .unstoppable.reporting { steps.add($0) })
    #expect(site.downloaded == Self.bytes)
    #expect(received.sha256 == digest)
    #expect(received.size == 300_000)
    #expect(received.transferred == 300_000)
    #expect(received.requests == 1)
    #expect(received.validator == "\"\(hexadecimal(digest))\"")
    #expect(steps.all.map(\.done) == steps.all.map(\.done).sorted())
    #expect(steps.all.last == Work.Progress(done: 300_000, total: 300_000))
    #expect(try site.others() == [])
  }

  @Test(arguments: [0, 1, 2, 16_383, 16_384, 65_536, 150_000, 299_998, 299_999])
  func `a download that is cut at any byte resumes there, and has equal bytes`(
    place: Int
  ) throws {
    for kind in ["cut", "reset"] {
      let site = try TransferSite("cave: \(kind) \(place) once")
      let received = try site.transfers().get(site.url, to: site.target, .unstoppable)
      #expect(site.downloaded == Self.bytes)
      #expect(received.requests == 2)
      // Bytes that a reset discards are sent again.
      #expect(received.transferred == 300_000)
      #expect(received.sha256 == (try TransferSite.sha256(Self.bytes)))
    }
  }

  @Test func `a pack that changes before a resume is downloaded completely, never as a mixture`()
    throws
  {
    let site = try TransferSite("cave: cut 100000 once")
    let newer = TransferSite.bytes(300_000, seed: 2)
    let received = try site.transfers {
      $0.retried = { _ in
        // Between the two requests.
        try? site.publish(newer)
      }
    }.get(site.url, to: site.target, .unstoppable)
    #expect(site.downloaded == newer)
    #expect(received.sha256 == (try TransferSite.sha256(newer)))
    #expect(received.transferred == 400_000)
  }

  @Test func `a request that fails twice is repeated with pauses`() throws {
    let site = try TransferSite("cave: status 503 twice")
    let pauses = Noted<Retry>()
    let received = try site.transfers { $0.retried = { pauses.add($0) } }
      .get(site.url, to: site.target, .unstoppable)
    #expect(site.downloaded == Self.bytes)
    #expect(received.requests == 3)
    #expect(
      pauses.all.map(\.failure.kind) == [
        .transfer(.download, .status(503)), .transfer(.download, .status(503)),
      ])
    #expect(pauses.all[0].pause >= .milliseconds(1))
    #expect(pauses.all[1].pause <= .milliseconds(4))
  }

  @Test(
    arguments: [
      ("status 404", .status(404), 1), ("status 503", .status(503), 5),
      ("tls-close", .cutOff(received: 0, expected: nil), 5),
      ("cut 0", .cutOff(received: 0, expected: 300_000), 5),
    ] as [(String, TransferError, Int)])
  func `a permanent error is reported, and no file is left`(
    fault: String, reason: TransferError, requests: Int
  ) throws {
    let site = try TransferSite("cave: \(fault)")
    let failure = failure { _ = try site.transfers().get(site.url, to: site.target, .unstoppable) }
    #expect(failure?.kind == .transfer(.download, reason))
    #expect(failure?.path == site.url)
    #expect(site.downloaded == nil)
    #expect(try site.others() == [])
    site.server.stop()
    #expect(site.ended.count == requests)
  }
}
