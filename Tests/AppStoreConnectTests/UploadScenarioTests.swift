// Long because each thing that may happen on the way has its test.
import AppStoreConnect
import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing
import Transfers

/// What happens on the way of an archive to the service, and what may go wrong there.
@Suite(.mustEnd) struct UploadScenarioTests {
  private static let making = "POST backgroundAssetVersions"

  @Test func `a new pack takes one of each call in order, and no token goes to the storage`()
    throws
  {
    let desk = try UploadDesk(900)
    let version = try desk.upload()
    #expect(version?.number == 1)
    #expect(
      desk.changes == [
        "POST backgroundAssets", Self.making, "POST backgroundAssetUploadFiles", "PUT part",
        "PATCH backgroundAssetUploadFiles",
      ])
    for seen in desk.standIn.seen {
      #expect((seen.authorization == nil) == (seen.method == "PUT"), "\(seen.path)")
    }
    #expect(try desk.standIn.bytes(ofVersion: 1) == desk.folder.contents("cave.aar"))
  }

  @Test func `a pack that is there gets its next version`() throws {
    let desk = try UploadDesk()
    try desk.upload()
    try desk.write(2000, seed: 2)
    #expect(try desk.upload()?.number == 2)
    #expect(desk.count("POST backgroundAssets") == 1)
  }

  @Test(arguments: [1, 4])
  func `parts of any size in any order make up the same bytes`(parallel: Int) throws {
    let desk = try UploadDesk(7777)
    desk.options.parallel = parallel
    desk.standIn.isShuffled = true
    desk.standIn.isUneven = true
    try desk.upload()
    let numbers = desk.standIn.puts
    #expect(numbers == numbers.sorted(by: >) && numbers.count > 5)
    #expect(try desk.standIn.bytes(ofVersion: 1) == desk.folder.contents("cave.aar"))
  }

  @Test func `a pack on the second page of the list is found`() throws {
    let desk = try UploadDesk()
    for name in ["a", "b", "cave"] { desk.standIn.packs.append(.init(id: "p-\(name)", name: name)) }
    desk.standIn.pageSize = 2
    try desk.upload()
    #expect(desk.count("POST backgroundAssets") == 0)
    #expect(desk.standIn.versions.map(\.pack) == ["p-cave"])
  }

  @Test func `an archived pack is refused before a version is made`() throws {
    let desk = try UploadDesk()
    desk.standIn.packs.append(.init(id: "p", name: "cave", isArchived: true))
    let error = #expect(throws: PackError.self) { try desk.upload() }
    #expect(error?.message == "the pack 'cave' was archived, and takes no version any more")
    #expect(desk.changes.isEmpty)
  }

  @Test func `an ID that the service refuses is told with its grammar`() throws {
    let desk = try UploadDesk()
    desk.standIn.fault = { method, path, _ in
      method == "POST" && path == "/v1/backgroundAssets"
        ? .answer(
          409,
          StandInService.error(
            409, "ENTITY_ERROR.ATTRIBUTE.INVALID", "ITMS-91133: no",
            "/data/attributes/assetPackIdentifier")) : nil
    }
    let error = #expect(throws: PackError.self) { try desk.upload() }
    #expect(
      error?.message.contains("ITMS-91133: no (409 ENTITY_ERROR.ATTRIBUTE.INVALID at") == true)
    let remedies = "\(error?.remedies ?? [])"
    #expect(remedies.contains("letters, digits and inner '-' signs"))
  }

  @Test func `a version whose answer got lost is looked up, and no other is made`() throws {
    let desk = try UploadDesk()
    desk.standIn.fault = { method, path, number in
      method == "POST" && path == "/v1/backgroundAssetVersions" && number == 0 ? .dropAfter : nil
    }
    #expect(try desk.upload()?.number == 1)
    #expect(desk.count(Self.making) == 1)
  }

  @Test(arguments: [500, 502, 503])
  func `a version that a failed request made is found, and no other is made`(status: Int) throws {
    let desk = try UploadDesk()
    desk.standIn.fault = { method, path, number in
      method == "POST" && path == "/v1/backgroundAssetVersions" && number == 0
        ? .answerAfter(status, "<html>oh</html>") : nil
    }
    #expect(try desk.upload()?.number == 1)
    #expect(desk.count(Self.making) == 1)
    #expect(desk.standIn.versions.count == 1)
  }

  @Test func `a version that somebody else made is never taken`() throws {
    let desk = try UploadDesk()
    desk.standIn.packs.append(.init(id: "p", name: "cave"))
    desk.standIn.versions.append(.init(id: "foreign", pack: "p", number: 1))
    #expect(try desk.upload()?.number == 2)
    // Nor one with a file, after a lost answer.
    let other = try UploadDesk()
    other.standIn.packs.append(.init(id: "p", name: "cave"))
    other.standIn.fault = { [standIn = other.standIn] method, path, number in
      guard method == "POST", path == "/v1/backgroundAssetVersions", number == 0 else { return nil }
      standIn.versions.append(.init(id: "theirs", pack: "p", number: 1))
      standIn.files.append(.init(id: "f", version: "theirs", kind: "ASSET", size: 1))
      return .dropBefore
    }
    #expect(try other.upload()?.number == 2)
  }

  @Test func `a record whose answer got lost is looked up, and so is one that somebody made`()
    throws
  {
    let desk = try UploadDesk()
    desk.standIn.fault = { method, path, _ in
      method == "POST" && path == "/v1/backgroundAssets" ? .dropAfter : nil
    }
    #expect(try desk.upload()?.number == 1)
    #expect(desk.count("POST backgroundAssets") == 1)
    let race = try UploadDesk()
    race.standIn.fault = { [standIn = race.standIn] method, path, _ in
      if method == "POST", path == "/v1/backgroundAssets" {
        standIn.packs.append(.init(id: "p", name: "cave"))
      }
      return nil
    }
    #expect(try race.upload()?.number == 1)
    #expect(race.standIn.packs.count == 1)
  }

  @Test func `addresses that ended are read anew; if they still have, a new version is made`()
    throws
  {
    let desk = try UploadDesk()
    desk.standIn.fault = { _, path, number in
      path.hasPrefix("/upload") && number == 2 ? .answer(403, "<Error/>") : nil
    }
    #expect(try desk.upload()?.number == 1)
    // The two parts that had arrived are not sent again.
    #expect(desk.standIn.puts == [0, 1, 2, 3])
    let late = try UploadDesk()
    late.standIn.fault = { [unowned late] _, path, number in
      guard path.hasPrefix("/upload"), number == 2 else { return nil }
      late.now.seconds += 8 * 86_400
      late.standIn.expiration = "2026-02-06T01:31:03.779Z"
      return .answer(403, "<Error/>")
    }
    late.standIn.beforePart = {}
    let reserve = late.standIn
    reserve.accepted = { _ in }
    late.standIn.changeParts = { [unowned late] parts in
      if late.standIn.versions.count > 1 { late.standIn.expiration = "2027-02-06T01:31:03Z" }
      return parts
    }
    #expect(try late.upload()?.number == 2)
    #expect(late.notices.contains { if case .remark(.abandoned) = $0 { true } else { false } })
  }

  @Test func `a lost answer to completing is looked up, and the refusal of a second is a yes`()
    throws
  {
    for state in ["UPLOAD_COMPLETE", "COMPLETE"] {
      let desk = try UploadDesk()
      desk.standIn.commitState = state
      desk.standIn.fault = { method, _, number in
        method == "PATCH" && number == 0 ? .dropAfter : nil
      }
      #expect(try desk.upload()?.number == 1)
      #expect((desk.count("PATCH backgroundAssetUploadFiles"), desk.standIn.commits) == (1, 1))
    }
    // The version still looks as if it waited: completing once more is refused, and that is a yes.
    let desk = try UploadDesk()
    desk.standIn.accepted = { [standIn = desk.standIn] version in
      guard let index = standIn.versions.firstIndex(where: { $0.id == version }) else { return }
      standIn.versions[index].state = "AWAITING_UPLOAD"
    }
    desk.standIn.fault = { method, _, number in
      method == "PATCH" && number == 0 ? .dropAfter : nil
    }
    #expect(try desk.upload()?.number == 1)
    #expect((desk.count("PATCH backgroundAssetUploadFiles"), desk.standIn.commits) == (2, 1))
  }

  @Test func `bytes that the service lacks are sent once more, and not a third time`() throws {
    let missing = StandInService.error(409, "ENTITY_ERROR.CONTENT_NOT_UPLOADED", "missing")
    for (count, isEnough) in [(1, true), (2, false)] {
      let desk = try UploadDesk()
      desk.standIn.fault = { method, _, number in
        method == "PATCH" && number < count ? .answer(409, missing) : nil
      }
      if isEnough {
        #expect(try desk.upload()?.number == 1)
        #expect(desk.standIn.puts == [0, 1, 2, 3, 0, 1, 2, 3])
      } else {
        #expect(throws: PackError.self) { try desk.upload() }
        #expect(desk.standIn.puts.count == 8)
      }
    }
  }

  @Test func `a checksum goes along only when asked for, and is left out when it is refused`()
    throws
  {
    let desk = try UploadDesk()
    try desk.upload()
    #expect(!desk.standIn.seen.contains { $0.body.contains("hecksum") })
    let asked = try UploadDesk()
    asked.options.sendsMD5 = true
    #expect(try asked.upload()?.number == 1)
    let commits = asked.standIn.seen.filter { $0.method == "PATCH" }.map(\.body)
    #expect(commits.count == 2)
    let digest = try Peer.ask("md5sum", [asked.folder.path("cave.aar")]).output.prefix(32)
    #expect(
      commits.first?.contains(#"{"file":{"hash":"\#(digest)","algorithm":"MD5"}}"#) == true)
    #expect(commits.last?.contains("hecksum") == false)
    #expect(asked.notices.contains(.withoutChecksum))
  }

  @Test func `processing is waited for until it can be tested, or failed with all its reasons`()
    throws
  {
    let desk = try UploadDesk()
    let version = try #require(try desk.upload())
    let awaited = Processing.Awaited("cave", version)
    desk.whilePausing = { [standIn = desk.standIn] count in
      // Complete, but not there for testers for a while.
      if count == 2 { standIn.versions[0].state = "COMPLETE" }
      if count == 4 { standIn.process(standIn.versions[0].id) }
    }
    let seen = Processing(try desk.service(), of: try desk.app()).wait(
      for: [awaited], atMost: .seconds(3600)
    ).seen
    #expect(seen[awaited]?.isTestable == true)
    #expect(desk.pauses.count == 4)
    desk.standIn.versions[0].state = "FAILED"
    desk.standIn.versions[0].errors = [("91140", "onDemand"), ("7", "seven")]
    desk.standIn.versions[0].warnings = [("91148", "fewer")]
    let failed = Processing(try desk.service(), of: try desk.app()).wait(
      for: [awaited], atMost: nil
    ).seen[awaited]
    #expect(failed.map { Processing.Outcome($0) } == .failed)
    #expect(failed?.errors.map(\.code) == ["91140", "7"])
    #expect(failed?.warnings.map(\.text) == ["fewer"])
    #expect(ProcessingAdvice.remedy(for: "ITMS-91148") == ProcessingAdvice.remedy(for: "91148"))
  }

  @Test func `waiting ends when its time is up, and an unknown state is waited out`() throws {
    let desk = try UploadDesk()
    let version = try #require(try desk.upload())
    desk.standIn.versions[0].state = "NEW_STATE"
    let awaited = Processing.Awaited("cave", version)
    let seen = Processing(try desk.service(), of: try desk.app()).wait(
      for: [awaited], atMost: .seconds(60)
    ).seen
    #expect(seen[awaited].map { Processing.Outcome($0) } == .unfinished)
    #expect(desk.pauses.reduce(.zero, +) >= .seconds(60))
    #expect(desk.pauses.reduce(.zero, +) < .seconds(63))
  }

  @Test func `a token is made anew in time, and once when it is refused`() throws {
    let desk = try UploadDesk()
    desk.standIn.beforePart = { [unowned desk] in desk.now.seconds += 25 * 60 }
    try desk.upload()
    let fields = desk.standIn.seen.filter { $0.method != "PUT" }.compactMap(\.authorization)
    #expect(Set(fields).count == 2)
    let refused = try UploadDesk()
    refused.standIn.fault = { _, _, number in
      number == 0
        ? .answer(401, StandInService.error(401, "NOT_AUTHORIZED", "Provide a token.")) : nil
    }
    #expect(throws: Never.self) { _ = try refused.record() }
    refused.standIn.fault = { _, _, _ in
      .answer(401, StandInService.error(401, "NOT_AUTHORIZED", "Provide a token."))
    }
    let error = #expect(throws: PackError.self) { try refused.record() }
    #expect(error?.kind == .server(status: 401))
    #expect(error?.remedies.count == 2)
  }

  @Test func `a rate that was used up is waited for, as long as that can help`() throws {
    let desk = try UploadDesk()
    let body = StandInService.error(429, "RATE_LIMIT_EXCEEDED", "Too many.")
    desk.standIn.fault = { method, path, number in
      guard method == "POST", path == "/v1/backgroundAssetVersions" else { return nil }
      return number == 0
        ? .answer(429, body, [("Retry-After", "17")])
        : number == 1
          ? .answer(429, body, [("X-Rate-Limit", "nonsense;:;user-hour-rem:x;")]) : nil
    }
    #expect(try desk.upload()?.number == 1)
    #expect(desk.pauses.count == 2)
    #expect(desk.pauses.first.map { (.seconds(17)...(.seconds(22))).contains($0) } == true)
    #expect(desk.pauses.last.map { (.seconds(5)...(.seconds(10))).contains($0) } == true)
    desk.standIn.fault = { _, _, _ in .answer(429, body) }
    desk.pauses = []
    #expect(throws: (any Error).self) { try desk.record() }
    let waited = desk.pauses.reduce(.zero, +)
    #expect(waited <= .seconds(65 * 60) && waited > .seconds(55 * 60))
  }

  @Test func `a file that changes after it was read is not completed`() throws {
    for change in ["size", "time", "identity"] {
      let desk = try UploadDesk()
      let path = desk.folder.path("cave.aar")
      let archive = try desk.archive()
      desk.standIn.beforePart = { [unowned desk] in
        guard desk.standIn.puts.count == 1 else { return }
        switch change {
        case "size":
          let file = FileHandle(forUpdatingAtPath: path)
          _ = try? file?.seekToEnd()
          try? file?.write(contentsOf: Data([1]))
        case "time":
          try? FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
        default:
          try? desk.folder.makeFile("other", UploadDesk.bytes(3500, seed: 9))
          try? FileManager.default.removeItem(atPath: path)
          try? FileManager.default.moveItem(atPath: desk.folder.path("other"), toPath: path)
        }
      }
      let error = #expect(throws: PackError.self) { try desk.upload(archive) }
      #expect(error?.kind == .changed, "\(change)")
      #expect(desk.standIn.commits == 0)
      // One that changed before is not even begun.
      let again = #expect(throws: PackError.self) { try desk.upload(archive) }
      #expect(again?.kind == .changed)
    }
  }

  @Test func `an address of another host is not followed, and gets no token`() throws {
    let desk = try UploadDesk()
    for next in [
      "https://evil.example/v1", "http://stand-in/v1", "https://stand-in:8443/v1",
      "https://stand-in@evil.example/", "https://stand-in.evil.example/",
    ] {
      desk.standIn.fault = { _, _, _ in
        .answer(200, #"{"data":[],"links":{"next":"\#(next)"}}"#)
      }
      let before = desk.standIn.seen.count
      #expect(throws: (any Error).self) { try desk.record() }
      #expect(desk.standIn.seen.count == before + 1)
    }
  }

  @Test func `what the service adds one day is passed over`() throws {
    let desk = try UploadDesk()
    desk.standIn.additions =
      #","futureField":{"a":[1]},"createdDate":"2026-01-30T01:31:03.007-08:00""#
    #expect(try desk.upload()?.number == 1)
    #expect(try desk.record()?.created == Moment("2026-01-30T09:31:03.007Z"))
  }

  @Test func `looking and deciding changes nothing`() throws {
    let desk = try UploadDesk()
    try desk.upload()
    desk.standIn.process(desk.standIn.versions[0].id)
    let before = desk.changes.count
    let uploader = try desk.uploader(try desk.journals())
    _ = try uploader.verdict(try desk.archive(), try desk.record())
    try desk.write(100, seed: 5)
    #expect(try uploader.verdict(try desk.archive(), try desk.record()) == .needed)
    #expect(desk.changes.count == before)
  }

  @Test func `parts that do not fit the file are refused before a byte is sent`() throws {
    let wrong: [([(Int, Int)]) -> [(Int, Int)]] = [
      { $0.filter { $0.0 != 1000 } }, { $0.map { ($0.0, $0.1 + 1) } },
      { _ in [] }, { $0 + [(3500, 10)] },
    ]
    for change in wrong {
      let desk = try UploadDesk()
      desk.standIn.changeParts = change
      #expect(throws: PackError.self) { try desk.upload() }
      #expect(desk.standIn.puts.isEmpty)
    }
    let open = try UploadDesk()
    open.standIn.partScheme = "http"
    #expect(throws: PackError.self) { try open.upload() }
    #expect(open.standIn.puts.isEmpty)
  }

  @Test func `an archive is skipped only while it is the newest complete version`() throws {
    let desk = try UploadDesk()
    #expect(try desk.upload()?.number == 1)
    // It is being processed: it is not sent again.
    #expect(try desk.upload() == nil)
    desk.standIn.process(desk.standIn.versions[0].id)
    #expect(try desk.upload() == nil)
    try desk.write(3000, seed: 2)
    #expect(try desk.upload()?.number == 2)
    desk.standIn.process(desk.standIn.versions[1].id)
    // Back to the first one.
    try desk.write(3500, seed: 1)
    #expect(try desk.upload()?.number == 3)
    // The third fails, and the second is the newest again.
    desk.standIn.process(desk.standIn.versions[2].id, fails: true)
    try desk.write(3000, seed: 2)
    #expect(try desk.upload() == nil)
    // The archive that failed last is sent again on request.
    try desk.write(3500, seed: 1)
    #expect(try desk.upload() == nil)
    desk.options.retriesFailed = true
    #expect(try desk.upload()?.number == 4)
  }

  @Test func `what another run brought meanwhile is not brought again`() throws {
    let desk = try UploadDesk()
    let late = try desk.uploader(try desk.journals())
    let archive = try desk.archive()
    #expect(try late.verdict(archive, nil) == .needed)
    #expect(try desk.upload()?.number == 1)
    #expect(try late.upload(archive, try desk.record()).number == 1)
    #expect(desk.notices.last == .broughtElsewhere)
    #expect(desk.standIn.versions.count == 1)
  }

  @Test(.heavy) func `200 unchanged packs are decided by what one list says`() throws {
    let desk = try UploadDesk(100)
    let journals = try desk.journals()
    var archives: [UploadArchive] = []
    for number in 0..<200 {
      let id = PackID("pack-\(number)")
      let archive = try desk.archive(pack: id)
      archives.append(archive)
      _ = try desk.uploader(journals).upload(archive, nil)
    }
    for version in desk.standIn.versions { desk.standIn.process(version.id) }
    let before = desk.standIn.seen.count
    var records: [PackRecord] = []
    do { records = try desk.service().packs(of: try desk.app()) }
    let uploader = try desk.uploader(journals)
    for archive in archives {
      let verdict = try uploader.verdict(archive, records.first { $0.pack == archive.pack })
      guard case .unchanged = verdict else {
        Issue.record("\(verdict)")
        return
      }
    }
    #expect(desk.standIn.seen.count - before == 1)
  }

  @Test func `a manifest is judged before the archive is sent`() throws {
    let desk = try UploadDesk()
    desk.options.checksManifest = true
    desk.standIn.commitState = "COMPLETE"
    #expect(try desk.upload()?.number == 1)
    #expect(desk.notices.contains(.manifestAccepted))
    #expect(
      desk.standIn.files.map(\.kind) == ["MANIFEST", "ASSET"])
    let bad = try UploadDesk()
    bad.options.checksManifest = true
    bad.standIn.commitState = "FAILED"
    let error = #expect(throws: PackError.self) { try bad.upload() }
    #expect(error?.message.contains("does not take the manifest") == true)
    #expect(bad.standIn.files.map(\.kind) == ["MANIFEST"])
    // The same pack is not sent for the same answer; another one gets another version.
    #expect(throws: PackError.self) { try bad.upload() }
    #expect(bad.standIn.versions.count == 1)
    bad.standIn.commitState = "COMPLETE"
    try bad.write(1234, seed: 8)
    #expect(try bad.upload()?.number == 2)
    // Mistakes may be said of the version.
    let other = try UploadDesk()
    other.options.checksManifest = true
    other.standIn.commitState = "COMPLETE"
    other.standIn.committed = { [standIn = other.standIn] version in
      guard let index = standIn.versions.firstIndex(where: { $0.id == version }) else { return }
      standIn.versions[index].state = "FAILED"
      standIn.versions[index].errors = [("91140", "onDemand")]
    }
    let said = #expect(throws: PackError.self) { try other.upload() }
    #expect(said?.message.hasSuffix("onDemand (91140)") == true)
    #expect(other.standIn.versions.count == 1)
  }

  @Test func `a file that the service finds bad while its version waits ends the upload`() throws {
    let desk = try UploadDesk()
    desk.standIn.commitState = "FAILED"
    let error = #expect(throws: PackError.self) { try desk.upload() }
    #expect(error?.message.contains("does not take the file of version 1") == true)
    // This version has failed. A new version is created on request.
    desk.standIn.commitState = "UPLOAD_COMPLETE"
    #expect(try desk.upload() == nil)
    #expect(desk.standIn.versions.count == 1)
    desk.options.retriesFailed = true
    #expect(try desk.upload()?.number == 2)
  }

  @Test func `nothing that is said, written or shown has a token or a signature in it`() throws {
    let desk = try UploadDesk()
    desk.standIn.fault = { [unowned desk] method, path, number in
      guard method == "PATCH", number < 9 else { return nil }
      // A service that repeats what it heard.
      let token = desk.standIn.seen.compactMap(\.authorization).last?.dropFirst(7) ?? ""
      return .answer(
        409,
        StandInService.error(
          409, "X", "token \(token) at https://storage.example/a?Signature=s3cr3t-signature"))
    }
    let error = #expect(throws: PackError.self) { try desk.upload() }
    var shown = "\(error as Any) \(desk.notices)"
    dump(error, to: &shown)
    dump(desk.notices, to: &shown)
    let files = try FileManager.default.subpathsOfDirectory(atPath: desk.folder.path("state"))
    for file in files where file.hasSuffix(".json") {
      shown += String(decoding: try desk.folder.contents("state/\(file)"), as: UTF8.self)
    }
    #expect(shown.contains("s3cr3t") == false)
    #expect(shown.contains("eyJ") == false)
    #expect(shown.contains("token … at https://storage.example/a?…"))
  }
}
