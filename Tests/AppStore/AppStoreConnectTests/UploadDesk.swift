import AppStoreMock
import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing
import TLSIdentity
import Transfers

@testable import AppStoreConnect

/// The environment of an upload, with a simulated clock.
final class UploadDesk {
  let folder: TemporaryFolder
  let mock: MockedTransport
  let tokens: TokenSource
  /// The number of seconds by which the clock of the client is ahead of that of the service.
  var lead: Int64 = 0
  var pauses: [Duration] = []
  var notices: [PackUploader.Notice] = []
  var serviceNotices: [AppStoreService.Notice] = []
  var options = PackUploader.Options()
  /// The outcome of the last upload.
  var outcome: PackUploader.Outcome?
  var whilePausing: (Int) -> Void = { _ in }
  /// The manifest in the archive.
  var manifest = Array("{\"assetPackID\": \"cave\"}".utf8)

  init(_ size: Int = 3500, _ change: (inout MockSettings) -> Void = { _ in }) throws {
    folder = try TemporaryFolder()
    mock = try MockedTransport(change)
    let keys = mock.keys
    tokens = TokenSource(
      try APIKey(id: keys.teamKeyID, issuer: keys.issuer, pem: try keys.key.pem(), origin: "x"))
    try write(size, seed: 1)
  }

  /// Checks that records, requests and messages contain no secrets.
  deinit {
    let watch = SecretWatch()
    for seen in mock.seen { if let field = seen.authorization { watch.add(token: field) } }
    watch.search(below: folder.path, but: [".aar"])
    watch.search(dumpOf: notices, in: "notices")
    watch.search(dumpOf: tokens, in: "the source of tokens")
    watch.search(mock.seen.map(\.body).joined(separator: "\n"), in: "the bodies of requests")
  }

  /// Writes an archive with bytes from a seed.
  func write(_ size: Int, seed: Int, to name: String = "cave.aar") throws {
    try folder.makeFile(name, Self.bytes(size, seed: seed))
  }

  static func bytes(_ count: Int, seed: Int) -> [UInt8] {
    generatedBytes(count) { UInt8(truncatingIfNeeded: $0 &* 31 &+ seed &* 7 &+ $0 >> 8) }
  }

  /// The time of the client.
  var now: Moment { mock.clock.now.adding(seconds: lead) }

  func advance(_ seconds: Int64) { mock.clock.advance(seconds: seconds) }

  var clock: ServiceClock {
    ServiceClock(
      now: { self.now },
      pause: { duration throws(Failure) in
        self.pauses.append(duration)
        self.advance(max(1, Int64(duration / .seconds(1))))
        self.whilePausing(self.pauses.count)
      })
  }

  func service() throws -> AppStoreService {
    AppStoreService(
      try ServiceAddress(MockedTransport.address), mock, tokens, clock: clock, .unstoppable
    ) {
      self.serviceNotices.append($0)
    }
  }

  func app() throws -> ResourceID { try #require(ResourceID(MockedTransport.app)) }

  func journals(_ state: String = "state") throws -> JournalStore {
    JournalStore(
      inFolder: FilePath(folder.path(state)),
      of: JournalStore.Owner(try ServiceAddress(MockedTransport.address), try app()), .unstoppable)
  }

  func archive(_ name: String = "cave.aar", pack: PackID = "cave") throws -> UploadArchive {
    let path = folder.path(name)
    let bytes = try folder.contents(name)
    return try UploadArchive(
      path: path, pack: pack,
      archive: .init(
        sha256: try PublishedArchive.sha256(ofFileAt: path, .unstoppable), size: UInt64(bytes.count)
      ),
      manifest: manifest, status: try FileStatus(ofFileAt: path))
  }

  func uploader(_ journals: JournalStore) throws -> PackUploader {
    PackUploader(try service(), try app(), journals, options, .unstoppable) {
      self.notices.append($1)
    }
  }

  func record(_ pack: PackID = "cave") throws -> PackRecord? {
    try AppStoreService.perform("list the packs") {
      [service = try service(), app = try app()]
      () throws(ServiceError) in try service.packs(of: app)
    }.first { $0.pack == pack }
  }

  /// Lists the packs, determines the verdict, and uploads; returns nil if no upload was required.
  @discardableResult
  func upload(_ archive: UploadArchive? = nil, state: String = "state") throws -> VersionKey? {
    let archive = try archive ?? self.archive()
    let record = try record(archive.pack)
    let uploader = try uploader(try journals(state))
    switch try uploader.verdict(archive, record) {
    case .needed:
      outcome = try uploader.upload(archive, record)
      return outcome?.version
    case .archived: throw PackError.archived(archive.pack)
    default: return nil
    }
  }

  /// The requests for changes, for example `POST backgroundAssets`.
  var changes: [String] {
    mock.seen.filter { $0.method != "GET" }.map { seen in
      let words = seen.path.split(separator: "/")
      return "\(seen.method) \(words.first == "upload" ? "part" : String(words[1]))"
    }
  }

  func count(_ change: String) -> Int { changes.count { $0 == change } }
}

extension UploadDesk {
  /// Uploads with kills at these points (two for each request: before and after the service gets
  /// it), then to the end; returns the number of points in the first run.
  static func run(
    killedAt moments: [Int], checkingManifest checksManifest: Bool = false
  ) throws -> (desk: UploadDesk, isLast: Bool) {
    let desk = try UploadDesk { if checksManifest { $0.commitState = .complete } }
    desk.options.checksManifest = checksManifest
    var isLast = false
    for moment in moments {
      var count = 0
      desk.mock.interference = { _, _, _ in
        defer { count += 2 }
        return count == moment ? .killBefore : count + 1 == moment ? .killAfter : nil
      }
      do {
        _ = try desk.upload()
        isLast = true
      } catch {
        #expect((error as? PackError)?.kind == .interrupted || "\(error)".contains("interrupted"))
      }
      desk.mock.revive()
    }
    _ = try desk.upload()
    return (desk, isLast)
  }
}
