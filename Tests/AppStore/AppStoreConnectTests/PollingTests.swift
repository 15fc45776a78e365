import BAPackKit
import Faults
import SystemIO
import TestSupport
import Testing
import Transfers

@testable import AppStoreConnect
@testable import AppStoreMock

/// Waiting for many versions, and for a service that does not respond.
@Suite(.mustEnd) struct PollingTests {
  /// A service with packs whose first versions are being processed.
  private static func desk(_ count: Int) throws -> (desk: UploadDesk, awaited: [Processing.Awaited])
  {
    let desk = try UploadDesk()
    for number in 0..<count {
      desk.mock.addVersion("v\(number)", of: desk.mock.addPack("pack-\(number)"), .processing)
    }
    return (
      desk,
      try (0..<count).map { number in
        let id = try #require(ResourceID("v\(number)"))
        return Processing.Awaited(PackID("pack-\(number)"), VersionKey(id: id, number: 1))
      }
    )
  }

  private static func processing(_ desk: UploadDesk) throws -> Processing {
    Processing(try desk.service(), of: try desk.app())
  }

  @Test func `a polling round of many versions sends a listing and one other request`() throws {
    let (desk, awaited) = try Self.desk(24)
    // The number of requests at each pause.
    var counts: [Int] = []
    desk.whilePausing = { [unowned desk] round in
      counts.append(desk.mock.seen.count)
      switch round {
      case 4: for number in 0..<12 { desk.mock.process("v\(number)") }
      case 7: desk.mock.process("v12", fails: true)
      case 10: for number in 13..<24 { desk.mock.process("v\(number)", fails: number > 20) }
      default: break
      }
    }
    let ending = try Self.processing(desk).wait(for: awaited, atMost: .seconds(7200))
    #expect(ending.failure == nil)
    let failed = awaited.filter { ending.seen[$0]?.hasFailed == true }
    #expect(Set(failed.map(\.pack.text)) == ["pack-12", "pack-21", "pack-22", "pack-23"])
    #expect(awaited.count { ending.seen[$0]?.isTestable == true } == 20)
    // The first round requests each version once. Each later round requests one listing, one
    // version, and each version whose processing has ended.
    let rounds = zip(counts.dropFirst(), counts).map { $0 - $1 }
    #expect(counts[0] == 24)
    #expect(Array(rounds[0..<3]) == [2, 2, 2])
    #expect(rounds[3] == 1 + 12 + 1)
    #expect(rounds.dropFirst(4).allSatisfy { $0 <= 3 }, "\(rounds)")
    #expect(desk.mock.seen.count <= 2 * 24 + 2 * (counts.count + 1))
    let listings = desk.mock.seen.count { $0.path == "/v1/apps/42/backgroundAssets" }
    #expect(listings <= counts.count)
  }

  @Test func `failed checks do not end a wait before its timeout`() throws {
    let (desk, awaited) = try Self.desk(2)
    var lost = 0
    try desk.mock.fail("* /v1/backgroundAssetVersions*: drop", "* /v1/apps*: drop")
    let late = try Self.processing(desk).wait(for: awaited, atMost: .seconds(600)) { notice in
      if case .lost = notice { lost += 1 }
    }
    #expect(late.failure == nil && late.seen.isEmpty)
    // One check repeats its request up to the limit for repeated requests.
    #expect(lost >= 1 && desk.pauses.count > 10)
    #expect(desk.pauses.reduce(.zero, +) >= .seconds(600))
    // The wait ends when the service responds again.
    desk.pauses = []
    desk.whilePausing = { [unowned desk] round in
      guard round == 5 else { return }
      try? desk.mock.mock.apply(.removeAll)
      desk.mock.process("v0")
      desk.mock.process("v1")
    }
    let ending = try Self.processing(desk).wait(for: awaited, atMost: .seconds(7200))
    #expect(desk.pauses.count == 5)
    #expect(awaited.allSatisfy { ending.seen[$0]?.isTestable == true })
  }

  @Test func `a longer pause that the service requests does not prolong a wait`() throws {
    let (desk, awaited) = try Self.desk(2)
    let body = MockedTransport.error(429, "RATE_LIMIT_EXCEEDED", "Too many.")
    desk.mock.interference = { _, _, number in
      number > 0 ? .answer(429, body, [("Retry-After", "3600")]) : nil
    }
    let ending = try Self.processing(desk).wait(for: awaited, atMost: .seconds(120))
    #expect(ending.failure == nil)
    #expect(awaited.allSatisfy { ending.seen[$0] != nil })
    let waited = desk.pauses.reduce(.zero, +)
    #expect(waited >= .seconds(110) && waited <= .seconds(121), "\(waited)")
  }

  @Test func `requests after a wait have its time limit, and are not repeated after it`() throws {
    let (desk, awaited) = try Self.desk(2)
    try desk.mock.fail("* *: drop")
    let (service, app) = (try desk.service(), try desk.app())
    let start = desk.now
    let ending = Processing(service, of: app).wait(for: awaited, atMost: .seconds(12))
    #expect(ending.failure == nil && ending.seen.isEmpty)
    #expect(desk.now.seconds(since: start) <= 12)
    let (sent, pauses) = (desk.mock.seen.count, desk.pauses.count)
    #expect(throws: ServiceError.self) { try service.packs(of: app) }
    #expect(desk.mock.seen.count == sent + 1 && desk.pauses.count == pauses)
    #expect(desk.mock.seen.allSatisfy { $0.hasDeadline })
  }

  @Test func `a wait that cannot succeed ends with the states that were read`() throws {
    let (desk, awaited) = try Self.desk(2)
    desk.mock.process("v0")
    desk.mock.interference = { _, path, _ in
      path == "/v1/backgroundAssetVersions/v1"
        ? .answer(403, MockedTransport.error(403, "FORBIDDEN_ERROR", "Not for this key.")) : nil
    }
    let ending = try Self.processing(desk).wait(for: awaited, atMost: .seconds(7200))
    #expect(ending.failure?.kind == .server(status: 403))
    #expect(ending.seen[awaited[0]]?.isTestable == true)
    #expect(desk.pauses.isEmpty)
  }

  @Test func `an archive that failed is sent again only on request`() throws {
    let desk = try UploadDesk()
    #expect(try desk.upload()?.number == 1)
    desk.mock.setVersion(0, .failed, errors: [("91140", "onDemand is null")])
    func verdict() throws -> UploadVerdict {
      try desk.uploader(try desk.journals()).verdict(try desk.archive(), try desk.record())
    }
    for _ in 0..<2 {
      let seen = try verdict()
      guard case .failed(let version) = seen else {
        Issue.record("\(seen)")
        return
      }
      #expect(
        Processing.failure(of: "cave", as: version).message
          == "'cave': the processing of version 1 failed: onDemand is null (91140)")
    }
    // The upload of another archive does not discard the failure.
    try desk.write(2000, seed: 2)
    #expect(try desk.upload()?.number == 2)
    try desk.write(3500, seed: 1)
    guard case .failed = try verdict() else {
      Issue.record("the failure was forgotten")
      return
    }
    desk.options.retriesFailed = true
    #expect(try desk.upload()?.number == 3)
  }

  @Test func `a file that fails on completion is not sent again by the next run`() throws {
    let desk = try UploadDesk()
    desk.mock.failsCommits = true
    #expect(throws: PackError.self) { try desk.upload() }
    desk.mock.failsCommits = false
    #expect(try desk.upload() == nil)
    #expect(desk.mock.versions.count == 1)
    desk.options.retriesFailed = true
    #expect(try desk.upload()?.number == 2)
  }

  @Test func `a file that failed while its response was lost is sent again only on request`()
    throws
  {
    for isRetrying in [false, true] {
      let desk = try UploadDesk()
      desk.mock.failsCommits = true
      desk.mock.interference = { method, _, _ in method == "PATCH" ? .killAfter : nil }
      #expect(throws: PackError.self) { try desk.upload() }
      desk.mock.revive()
      desk.mock.failsCommits = false
      desk.options.retriesFailed = isRetrying
      if isRetrying {
        #expect(try desk.upload()?.number == 2)
      } else {
        #expect(throws: PackError.self) { try desk.upload() }
        #expect(desk.mock.versions.count == 1)
      }
    }
  }
}
