import AppStoreConnect
import AppStoreMock
import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing
import Transfers

/// Uploads to a mocked service by the library, with a clock that both sides share: a pause advances
/// it, without a real wait.
///
/// By default, the shared clock is 30 seconds ahead of the local clock, which is used to read dates
/// in responses.
final class MockedUpload {
  let site: MockedService
  let clock: MockClock
  var options = PackUploader.Options()
  /// Called with the events of uploads.
  var noticed: (PackUploader.Notice) -> Void = { _ in }
  /// The maximum wait until the key can be used again.
  var longestRateWait: Duration?
  private(set) var notices: [PackUploader.Notice] = []
  private(set) var pauses: [Duration] = []
  private let tokens: TokenSource

  /// Called with the progress of each upload.
  var progressed: @Sendable (SystemIO.Progress) -> Void = { _ in }

  init(
    faults: [String] = [], platforms: [String] = Platforms.all,
    clock: MockClock = MockClock(fixedAt: Moment(seconds: Moment.now.seconds + 30)),
    between: MockedService.Between = .init(), _ change: (inout Switches) -> Void = { _ in }
  ) throws {
    self.clock = clock
    site = try MockedService(
      faults: faults, platforms: platforms, clock: clock, between: between, change)
    let environment = site.environment
    var search = APIKeySearch()
    search.environment = { environment[$0] }
    tokens = TokenSource(try search.find())
  }

  /// The messages are searched for secrets, and so is the memory, as a crash report would contain
  /// it.
  deinit {
    site.watch.search(dumpOf: notices, in: "notices")
    site.watch.search(dumpOf: tokens, in: "the source of tokens")
  }

  func service() throws -> AppStoreService {
    var options = Transfers.Options()
    options.roots = [try site.folder.contents("ca.pem")]
    options.proxies = Proxies()
    options.backoff.first = .milliseconds(1)
    options.backoff.shortest = .milliseconds(1)
    // The mock computes the checksum of a large archive before it responds.
    options.stallTime = .seconds(600)
    let clock = clock
    let service = AppStoreService(
      try ServiceAddress(site.environment["ASC_API_URL"] ?? ""),
      ClockedTransport(try Transfers(options), clock), tokens,
      clock: ServiceClock(
        now: { clock.now },
        pause: { duration throws(Failure) in
          self.pauses.append(duration)
          clock.advance(seconds: max(1, Int64((duration / .seconds(1)).rounded(.up))))
        }), .unstoppable)
    if let longestRateWait { service.longestRateWait = longestRateWait }
    return service
  }

  func app() throws -> ResourceID { try #require(ResourceID(MockedService.app)) }

  /// Returns an archive as a command reads it; an invalid archive has this ID.
  func archive(_ path: String, as id: PackID? = nil) throws -> UploadArchive {
    let status = try FileStatus(ofFileAt: path)
    let read = try? PublishedArchive(reading: path, .unstoppable)
    return try UploadArchive(
      path: path, pack: try #require(id ?? read?.id),
      archive: .init(
        sha256: try read?.sha256 ?? PublishedArchive.sha256(ofFileAt: path, .unstoppable),
        size: status.size),
      manifest: [], status: status)
  }

  func journals(_ name: String = "state") throws -> JournalStore {
    let folder = FilePath(site.folder.path(name))
    return JournalStore(
      inFolder: folder,
      of: .init(try ServiceAddress(site.environment["ASC_API_URL"] ?? ""), try app()), .unstoppable)
  }

  func record(_ pack: PackID) throws -> PackRecord? {
    try AppStoreService.perform("list the packs") {
      [service = try service(), app = try app()]
      () throws(ServiceError) in try service.packs(of: app)
    }.first { $0.pack == pack }
  }

  /// Lists, decides and uploads; nil when no upload was necessary.
  @discardableResult
  func upload(_ archive: UploadArchive, state: String = "state") throws -> VersionKey? {
    let record = try record(archive.pack)
    let uploader = PackUploader(
      try service(), try app(), try journals(state), options, .unstoppable.reporting(progressed)
    ) { [unowned self] _, notice in
      notices.append(notice)
      noticed(notice)
    }
    do throws(PackError) {
      guard case .needed = try uploader.verdict(archive, record) else { return nil }
      return try uploader.upload(archive, record).version
    } catch {
      site.watch.search(dumpOf: error, in: "an error")
      throw error
    }
  }

  /// Waits for a version.
  func wait(for version: VersionKey, of pack: PackID, atMost time: Duration?) throws
    -> PackVersion?
  {
    let awaited = Processing.Awaited(pack, version)
    return Processing(try service(), of: try app()).wait(for: [awaited], atMost: time)
      .seen[awaited]
  }
}

extension MockedService {
  /// Returns the requests of a method and a path; a final `*` matches any text.
  func heard(_ method: String, _ path: String = "*") -> [MockEvent] {
    mock.events.filter { event in
      event.method == method
        && (path.hasSuffix("*") ? event.path.hasPrefix(path.dropLast()) : event.path == path)
    }
  }

  /// All requests that change data, as `POST /v1/backgroundAssets`.
  var changes: [String] {
    mock.events.filter { $0.method != "GET" }.map { event in
      let parts = event.path.split(separator: "/").prefix(2)
      return
        "\(event.method) /\(parts.first == "upload" ? "upload" : parts.joined(separator: "/"))"
    }
  }
}

extension MockedService {
  /// Controls the mock, as in `control("review", #"{"submission": "…", "decision": "accept"}"#)`.
  func control(_ what: String, _ body: String) throws {
    var options = Transfers.Options()
    options.roots = [try folder.contents("ca.pem")]
    options.proxies = Proxies()
    var statuses: [Int] = []
    try Transfers(options).exchange(
      [
        Exchange(
          "POST", "\(environment["ASC_API_URL"] ?? "")/__mock/\(what)", fields: [],
          json: Array(body.utf8))
      ], atOnce: 1, .unstoppable, responded: { statuses.append($1.status) })
    guard statuses == [200] else { throw Refused(messages: "\(what) \(body): \(statuses)") }
  }
}

/// Transfers whose responses have the date of the shared clock, as those of a service have its own.
private final class ClockedTransport: Transport {
  private let transfers: Transfers
  private let clock: MockClock

  init(_ transfers: Transfers, _ clock: MockClock) {
    self.transfers = transfers
    self.clock = clock
  }

  func exchange(
    _ exchanges: [Exchange], atOnce count: Int, _ work: Work,
    responded: @escaping (Int, HTTPResponse) throws(Failure) -> Void
  ) throws(Failure) {
    try transfers.exchange(exchanges, atOnce: count, work) {
      [clock] (index, response) throws(Failure) in
      try responded(
        index,
        HTTPResponse(
          head: response.head, body: response.body, wait: response.wait, date: clock.now,
          sentMD5: response.sentMD5))
    }
  }
}
