// Long because each event of an upload has its test.
import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing
import Transfers

@testable import AppStoreConnect
@testable import AppStoreMock

/// Uploads of archives, with all events and errors.
@Suite(.mustEnd) struct UploadScenarioTests {
  private static let making = "POST backgroundAssetVersions"

  @Test func `a new pack requires one call of each kind, and the storage gets no token`()
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
    for seen in desk.mock.seen {
      #expect((seen.authorization == nil) == (seen.method == "PUT"), "\(seen.path)")
    }
    #expect(try desk.mock.bytes(ofVersion: 1) == desk.folder.contents("cave.aar"))
  }

  @Test func `an existing pack gets its next version`() throws {
    let desk = try UploadDesk()
    try desk.upload()
    try desk.write(2000, seed: 2)
    #expect(try desk.upload()?.number == 2)
    #expect(desk.count("POST backgroundAssets") == 1)
  }

  @Test(arguments: [1, 4])
  func `parts of any size in any order result in the same bytes`(parallel: Int) throws {
    let desk = try UploadDesk(7777) {
      $0.operationOrder = .shuffled
      $0.partSizes = .uneven
    }
    desk.options.parallel = parallel
    try desk.upload()
    let numbers = desk.mock.puts
    #expect(numbers != numbers.sorted() && numbers.sorted() == Array(0..<numbers.count))
    #expect(numbers.count > 5)
    #expect(try desk.mock.bytes(ofVersion: 1) == desk.folder.contents("cave.aar"))
  }

  @Test func `a pack on the second page of the list is found`() throws {
    let desk = try UploadDesk()
    desk.mock.addPack("cave")
    // The newest packs are on the first page.
    desk.advance(1)
    for number in 0..<200 { desk.mock.addPack("other-\(number)") }
    try desk.upload()
    #expect(desk.count("POST backgroundAssets") == 0)
    #expect(desk.mock.versions.map(\.packID) == ["p-cave"])
    #expect(desk.mock.seen.count { $0.path.hasSuffix("/backgroundAssets") } > 1)
  }

  @Test func `an archived pack is refused before a version is created`() throws {
    let desk = try UploadDesk()
    desk.mock.addPack("cave", isArchived: true)
    let error = #expect(throws: PackError.self) { try desk.upload() }
    #expect(error?.message == "the pack 'cave' is archived and accepts no new versions")
    #expect(desk.changes.isEmpty)
  }

  @Test func `the error of a refused ID contains the valid characters`() throws {
    let desk = try UploadDesk()
    let archive = try desk.archive(pack: "cave.one")
    let error = #expect(throws: PackError.self) { try desk.upload(archive) }
    #expect(error?.message.contains("ITMS-91133: ") == true)
    #expect(error?.message.contains("(409 ENTITY_ERROR.ATTRIBUTE.INVALID at") == true)
    let remedies = "\(error?.remedies ?? [])"
    #expect(remedies.contains("letters and digits, with '-' only between them"))
  }

  @Test func `after a lost response, the created version is found and used`() throws {
    let desk = try UploadDesk()
    try desk.mock.fail("POST /v1/backgroundAssetVersions: apply-and-drop once")
    #expect(try desk.upload()?.number == 1)
    #expect(desk.count(Self.making) == 1)
  }

  @Test(arguments: [500, 502, 503])
  func `a version that a failed request created is found and used`(status: Int) throws {
    let desk = try UploadDesk()
    desk.mock.interference = { method, path, number in
      method == "POST" && path == "/v1/backgroundAssetVersions" && number == 0
        ? .answerAfter(status, "<html>oh</html>") : nil
    }
    #expect(try desk.upload()?.number == 1)
    #expect(desk.count(Self.making) == 1)
    #expect(desk.mock.versions.count == 1)
  }

  @Test func `a version of another client is never used`() throws {
    let desk = try UploadDesk()
    desk.mock.addVersion("foreign", of: desk.mock.addPack("cave"))
    #expect(try desk.upload()?.number == 2)
    // The same for a version with a file, after a lost response.
    let other = try UploadDesk()
    let pack = other.mock.addPack("cave")
    try other.mock.fail("POST /v1/backgroundAssetVersions: drop once")
    other.mock.interference = { [mock = other.mock] method, path, number in
      guard method == "POST", path == "/v1/backgroundAssetVersions", number == 0 else { return nil }
      mock.addVersion("theirs", of: pack)
      mock.addFile("f", to: "theirs")
      return nil
    }
    #expect(try other.upload()?.number == 2)
  }

  @Test func `only a version that is newer and has no file is that of a lost response`() throws {
    let old = try UploadDesk()
    old.mock.addVersion("older", of: old.mock.addPack("cave"))
    try old.mock.fail("POST /v1/backgroundAssetVersions: drop once")
    #expect(try old.upload()?.number == 2)
    // A version of another client is newer than the own one, and has a file.
    let newer = try UploadDesk()
    let pack = newer.mock.addPack("cave")
    newer.mock.interference = { [mock = newer.mock] method, path, number in
      if method == "GET", path.contains("/versions"), mock.versions.count == 1 {
        mock.addVersion("theirs", of: pack)
        mock.addFile("f", to: "theirs")
      }
      return nil
    }
    try newer.mock.fail("POST /v1/backgroundAssetVersions: apply-and-drop once")
    #expect(try newer.upload()?.number == 1)
    #expect(newer.count(Self.making) == 1)
    #expect(newer.mock.versions.count == 2)
  }

  @Test func `a reserved file that no longer exists is reserved again in its version`() throws {
    let desk = try UploadDesk()
    desk.mock.interference = { _, path, number in
      path.hasPrefix("/upload") && number == 2 ? .killBefore : nil
    }
    #expect(throws: PackError.self) { try desk.upload() }
    desk.mock.revive()
    let file = try #require(desk.mock.mockFiles.first)
    desk.mock.change { store in
      store.files[file.id] = nil
      store.versions[file.versionID]?.assetFile = nil
    }
    #expect(try desk.upload()?.number == 1)
    #expect(try desk.mock.bytes(ofVersion: 1) == desk.folder.contents("cave.aar"))
  }

  @Test func `after a lost response or a conflict, the record of the pack is found`()
    throws
  {
    let desk = try UploadDesk()
    try desk.mock.fail("POST /v1/backgroundAssets: apply-and-drop")
    #expect(try desk.upload()?.number == 1)
    #expect(desk.count("POST backgroundAssets") == 1)
    let race = try UploadDesk()
    race.mock.interference = { [mock = race.mock] method, path, _ in
      if method == "POST", path == "/v1/backgroundAssets" {
        mock.addPack("cave")
      }
      return nil
    }
    #expect(try race.upload()?.number == 1)
    #expect(race.mock.packs.count == 1)
  }

  @Test
  func `expired addresses are read again, or a new version is created`()
    throws
  {
    let desk = try UploadDesk()
    try desk.mock.fail("PUT /upload/*: expired call 3")
    #expect(try desk.upload()?.number == 1)
    // The two received parts are not sent again.
    #expect(desk.mock.puts == [0, 1, 2, 3])
    let late = try UploadDesk()
    late.mock.beforePart = { [unowned late] in
      if late.mock.puts.count == 2, late.mock.versions.count == 1 { late.advance(8 * 86_400) }
    }
    #expect(try late.upload()?.number == 2)
    #expect(late.notices.contains { if case .remark(.abandoned) = $0 { true } else { false } })
  }

  @Test(arguments: ["expired", "status 404", "status 410"])
  func `parts that are refused before their addresses expire cause no new version`(
    fault: String
  ) throws {
    let desk = try UploadDesk()
    try desk.mock.fail("PUT /upload/*: \(fault) 4 times")
    for _ in 0..<2 {
      let error = #expect(throws: PackError.self) { try desk.upload() }
      #expect(
        error?.message.hasPrefix("storage.example refuses parts of version 1 (4") == true,
        "\(error?.message ?? "")")
      #expect(error?.remedies.count == 2)
    }
    #expect(try desk.upload()?.number == 1)
    #expect(desk.count(Self.making) == 1)
  }

  @Test(arguments: [
    "GET *: too-many date once", "GET *: too-many past once", "POST *: too-many twice",
    "PATCH *: too-many 600s once",
  ])
  func `an upload waits for the pause that the service requests`(fault: String) throws {
    let desk = try UploadDesk()
    try desk.mock.fail(fault)
    #expect(try desk.upload()?.number == 1)
    #expect(desk.pauses.reduce(.zero, +) >= (fault.contains("600s") ? .seconds(600) : .seconds(2)))
  }

  @Test func `after a lost response to a completion, the state is queried`()
    throws
  {
    for state in MockSettings.CommitState.allCases {
      let desk = try UploadDesk { $0.commitState = state }
      try desk.mock.fail("PATCH *: apply-and-drop once")
      #expect(try desk.upload()?.number == 1)
      #expect((desk.count("PATCH backgroundAssetUploadFiles"), desk.mock.commits) == (1, 1))
    }
    // The file still seems to wait: a second completion is refused, which confirms the first one.
    let desk = try UploadDesk()
    desk.mock.committed = { [mock = desk.mock] version in
      mock.change { $0.versions[version]?.state = .awaitingUpload }
    }
    try desk.mock.fail("PATCH *: apply-and-drop once")
    #expect(try desk.upload()?.number == 1)
    #expect((desk.count("PATCH backgroundAssetUploadFiles"), desk.mock.commits) == (2, 1))
  }

  @Test func `missing bytes are sent a second time, and not a third time`() throws {
    let missing = MockedTransport.error(409, "ENTITY_ERROR.CONTENT_NOT_UPLOADED", "missing")
    for (count, isEnough) in [(1, true), (2, false)] {
      let desk = try UploadDesk()
      desk.mock.interference = { method, _, number in
        method == "PATCH" && number < count ? .answer(409, missing) : nil
      }
      if isEnough {
        #expect(try desk.upload()?.number == 1)
        #expect(desk.mock.puts == [0, 1, 2, 3, 0, 1, 2, 3])
      } else {
        let error = #expect(throws: PackError.self) { try desk.upload() }
        #expect(error?.message.contains("after two complete uploads") == true)
        #expect(desk.mock.puts.count == 8)
      }
    }
  }

  @Test func `a checksum is sent only on request, and omitted if it is refused`()
    throws
  {
    let desk = try UploadDesk()
    try desk.upload()
    #expect(!desk.mock.seen.contains { $0.body.contains("hecksum") })
    let asked = try UploadDesk()
    asked.options.sendsMD5 = true
    #expect(try asked.upload()?.number == 1)
    let commits = asked.mock.seen.filter { $0.method == "PATCH" }.map(\.body)
    #expect(commits.count == 2)
    let digest = try Peer.ask("md5sum", [asked.folder.path("cave.aar")]).output.prefix(32)
    #expect(
      commits.first?.contains(#"{"file":{"hash":"\#(digest)","algorithm":"MD5"}}"#) == true)
    #expect(commits.last?.contains("hecksum") == false)
    #expect(asked.notices.contains(.withoutChecksum))
  }

  @Test func `a wait ends when a version can be tested, or failed with its reasons`()
    throws
  {
    let desk = try UploadDesk()
    let version = try #require(try desk.upload())
    let awaited = Processing.Awaited("cave", version)
    desk.whilePausing = { [mock = desk.mock] count in
      // The version is complete, but not yet available to testers.
      if count == 2 { mock.setVersion(0, .complete) }
      if count == 4 { mock.process(mock.versions[0].id) }
    }
    let seen = Processing(try desk.service(), of: try desk.app()).wait(
      for: [awaited], atMost: .seconds(3600)
    ).seen
    #expect(seen[awaited]?.isTestable == true)
    #expect(desk.pauses.count == 4)
    desk.mock.setVersion(
      0, .failed, errors: [("91140", "onDemand"), ("7", "seven")], warnings: [("91148", "fewer")])
    let failed = Processing(try desk.service(), of: try desk.app()).wait(
      for: [awaited], atMost: nil
    ).seen[awaited]
    #expect(failed.map { Processing.Outcome($0) } == .failed)
    #expect(failed?.errors.map(\.code) == ["91140", "7"])
    #expect(failed?.warnings.map(\.text) == ["fewer"])
    #expect(ProcessingAdvice.remedy(for: "ITMS-91148") == ProcessingAdvice.remedy(for: "91148"))
  }

  @Test func `a wait ends at its time limit, and continues in an unknown state`() throws {
    let desk = try UploadDesk { $0.unknownStates = true }
    let version = try #require(try desk.upload())
    let awaited = Processing.Awaited("cave", version)
    let seen = Processing(try desk.service(), of: try desk.app()).wait(
      for: [awaited], atMost: .seconds(60)
    ).seen
    #expect(seen[awaited].map { Processing.Outcome($0) } == .unfinished)
    #expect(desk.pauses.reduce(.zero, +) >= .seconds(60))
    #expect(desk.pauses.reduce(.zero, +) < .seconds(63))
  }

  @Test func `a token is renewed in time, and once after a refusal`() throws {
    let desk = try UploadDesk()
    desk.mock.beforePart = { [unowned desk] in desk.advance(25 * 60) }
    try desk.upload()
    let fields = desk.mock.seen.filter { $0.method != "PUT" }.compactMap(\.authorization)
    #expect(Set(fields).count == 2)
    let refused = try UploadDesk()
    try refused.mock.fail("* *: unauthorized once")
    #expect(throws: Never.self) { _ = try refused.record() }
    try refused.mock.fail("* *: unauthorized")
    let error = #expect(throws: PackError.self) { try refused.record() }
    #expect(error?.kind == .server(status: 401))
    #expect(error?.remedies.count == 2)
  }

  @Test func `an exceeded rate limit causes a wait of limited duration`() throws {
    let desk = try UploadDesk { $0.rateLimitHeader = .malformed }
    let making = "POST /v1/backgroundAssetVersions"
    try desk.mock.fail("\(making): too-many 17s call 1", "\(making): too-many call 2")
    #expect(try desk.upload()?.number == 1)
    #expect(desk.pauses.count == 2)
    #expect(desk.pauses.first.map { (.seconds(17)...(.seconds(22))).contains($0) } == true)
    #expect(desk.pauses.last.map { (.seconds(5)...(.seconds(10))).contains($0) } == true)
    try desk.mock.fail("* *: too-many")
    desk.pauses = []
    #expect(throws: (any Error).self) { try desk.record() }
    let waited = desk.pauses.reduce(.zero, +)
    #expect(waited <= .seconds(65 * 60) && waited > .seconds(55 * 60))
  }

  @Test(arguments: MockSettings.RateLimitHeader.allCases, MockSettings.RetryAfter.allCases)
  func `an exceeded limit of requests in an hour is awaited, for any form of its response`(
    header: MockSettings.RateLimitHeader, after: MockSettings.RetryAfter
  ) throws {
    let desk = try UploadDesk {
      $0.rateLimit = 5
      $0.rateLimitHeader = header
      $0.retryAfter = after
    }
    #expect(try desk.upload()?.number == 1)
    #expect(desk.pauses.reduce(.zero, +) >= .seconds(3500))
  }

  @Test func `a file that changes after it was read is not completed`() throws {
    for change in ["size", "time", "identity"] {
      let desk = try UploadDesk()
      let path = desk.folder.path("cave.aar")
      let archive = try desk.archive()
      desk.mock.beforePart = { [unowned desk] in
        guard desk.mock.puts.count == 1 else { return }
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
      #expect(desk.mock.commits == 0)
      // A file that changed before is not uploaded at all.
      let again = #expect(throws: PackError.self) { try desk.upload(archive) }
      #expect(again?.kind == .changed)
    }
  }

  @Test func `an address of another host is not followed, and gets no token`() throws {
    let desk = try UploadDesk()
    for next in [
      "https://evil.example/v1", "http://mock.test/v1", "https://mock.test:8443/v1",
      "https://mock.test@evil.example/", "https://mock.test.evil.example/",
    ] {
      desk.mock.interference = { _, _, _ in
        .answer(200, #"{"data":[],"links":{"next":"\#(next)"}}"#)
      }
      let before = desk.mock.seen.count
      #expect(throws: (any Error).self) { try desk.record() }
      #expect(desk.mock.seen.count == before + 1)
    }
  }

  @Test func `unknown members of responses are ignored`() throws {
    let desk = try UploadDesk {
      $0.unknownMembers = true
      $0.dates = .mixed
    }
    let start = desk.now
    #expect(try desk.upload()?.number == 1)
    #expect(try desk.record()?.created == start)
  }

  @Test func `queries and verdicts change no state`() throws {
    let desk = try UploadDesk()
    try desk.upload()
    desk.mock.process(desk.mock.versions[0].id)
    let before = desk.changes.count
    let uploader = try desk.uploader(try desk.journals())
    _ = try uploader.verdict(try desk.archive(), try desk.record())
    try desk.write(100, seed: 5)
    #expect(try uploader.verdict(try desk.archive(), try desk.record()) == .needed)
    #expect(desk.changes.count == before)
    let pack = try #require(desk.mock.packs.first?.id)
    desk.mock.change { $0.packs[pack]?.isArchived = true }
    #expect(try uploader.verdict(try desk.archive(), try desk.record()) == .archived)
  }

  @Test func `parts that do not match the file are refused before a byte is sent`() throws {
    for kind in ["gap", "overlap", "overrun", "none", "http", "post"] {
      let desk = try UploadDesk()
      try desk.mock.fail("* *: operations \(kind)")
      #expect(throws: PackError.self, "\(kind)") { try desk.upload() }
      #expect(desk.mock.puts.isEmpty)
    }
  }

  @Test func `an archive is skipped only while it is the newest complete version`() throws {
    let desk = try UploadDesk()
    #expect(try desk.upload()?.number == 1)
    // The version is being processed, so the archive is not sent again.
    #expect(try desk.upload() == nil)
    desk.mock.process(desk.mock.versions[0].id)
    #expect(try desk.upload() == nil)
    try desk.write(3000, seed: 2)
    #expect(try desk.upload()?.number == 2)
    desk.mock.process(desk.mock.versions[1].id)
    // The first archive again.
    try desk.write(3500, seed: 1)
    #expect(try desk.upload()?.number == 3)
    // The third fails, and the second is the newest again.
    desk.mock.process(desk.mock.versions[2].id, fails: true)
    try desk.write(3000, seed: 2)
    #expect(try desk.upload() == nil)
    // The archive that failed last is sent again on request.
    try desk.write(3500, seed: 1)
    #expect(try desk.upload() == nil)
    desk.options.retriesFailed = true
    #expect(try desk.upload()?.number == 4)
  }

  @Test(arguments: MockSettings.NullAttributes.allCases)
  func `a machine without a record does not send the archive of the newest version again`(
    form: MockSettings.NullAttributes
  ) throws {
    let desk = try UploadDesk { $0.nullAttributes = form }
    #expect(try desk.upload()?.number == 1)
    // Uploads from other machines, during and after processing.
    #expect(try desk.upload(state: "second") == nil)
    desk.mock.process(desk.mock.versions[0].id)
    #expect(try desk.upload(state: "third") == nil)
    #expect(desk.count(Self.making) == 1)
    try desk.write(3000, seed: 2)
    #expect(try desk.upload(state: "third")?.number == 2)
  }

  @Test func `a version of another machine counts when it is complete, or is in the same record`()
    throws
  {
    let desk = try UploadDesk()
    func finish() {
      for version in desk.mock.versions where version.state == .processing {
        desk.mock.process(version.id)
      }
    }
    #expect(try desk.upload()?.number == 1)
    finish()
    #expect(try desk.upload() == nil)
    try desk.write(3000, seed: 2)
    #expect(try desk.upload(state: "elsewhere")?.number == 2)
    try desk.write(3500, seed: 1)
    // While it is processed, the version of this machine is the newest complete one.
    #expect(try desk.upload() == nil)
    // With the record of the other one, this archive is uploaded again.
    let known = try desk.journals("elsewhere").journal(of: "cave")
    #expect(known.delivered.map(\.version.number) == [2])
    finish()
    #expect(try desk.upload()?.number == 3)
    // It is sent once, although it is not complete yet. A later version makes it obsolete.
    #expect(try desk.upload() == nil)
    try desk.write(3000, seed: 4)
    #expect(try desk.upload(state: "elsewhere")?.number == 4)
    try desk.write(3500, seed: 1)
    #expect(try desk.upload()?.number == 5)
  }

  @Test func `an archive that another run uploaded is not uploaded again`() throws {
    let desk = try UploadDesk()
    let late = try desk.uploader(try desk.journals())
    let archive = try desk.archive()
    #expect(try late.verdict(archive, nil) == .needed)
    #expect(try desk.upload()?.number == 1)
    let version = try #require(desk.outcome?.version)
    #expect(try late.upload(archive, try desk.record()) == .uploadedElsewhere(version))
    #expect(desk.mock.versions.count == 1)
  }

  @Test(.heavy) func `one list is enough for 200 unchanged packs`() throws {
    let desk = try UploadDesk(100)
    let journals = try desk.journals()
    var archives: [UploadArchive] = []
    for number in 0..<200 {
      let id = PackID("pack-\(number)")
      let archive = try desk.archive(pack: id)
      archives.append(archive)
      _ = try desk.uploader(journals).upload(archive, nil)
    }
    for version in desk.mock.versions { desk.mock.process(version.id) }
    let before = desk.mock.seen.count
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
    #expect(desk.mock.seen.count - before == 1)
  }

  @Test func `a manifest is validated before the archive is sent`() throws {
    let desk = try UploadDesk { $0.commitState = .complete }
    desk.options.checksManifest = true
    #expect(try desk.upload()?.number == 1)
    #expect(desk.notices.contains(.manifestAccepted))
    #expect(
      desk.mock.mockFiles.map(\.kind) == [.manifest, .asset])
    let bad = try UploadDesk { $0.commitState = .complete }
    bad.options.checksManifest = true
    bad.mock.failsCommits = true
    let error = #expect(throws: PackError.self) { try bad.upload() }
    #expect(error?.message.contains("rejected the manifest") == true)
    #expect(bad.mock.mockFiles.map(\.kind) == [.manifest])
    // The same pack is not sent again without a request; another one gets another version.
    #expect(try bad.upload() == nil)
    #expect(bad.mock.versions.count == 1)
    bad.mock.failsCommits = false
    try bad.write(1234, seed: 8)
    #expect(try bad.upload()?.number == 2)
    // Errors can be reported for the version.
    let other = try UploadDesk { $0.commitState = .complete }
    other.options.checksManifest = true
    other.mock.committed = { [mock = other.mock] _ in
      mock.setVersion(0, .failed, errors: [("91140", "onDemand")])
    }
    let said = #expect(throws: PackError.self) { try other.upload() }
    #expect(said?.message.hasSuffix("onDemand (91140)") == true)
    #expect(other.mock.versions.count == 1)
  }

  @Test func `a version with files of another user is left, and the next one is made`() throws {
    let version = VersionKey(id: try #require(ResourceID("v-1")), number: 1)
    let archive = UploadJournal.Archive(sha256: "00", size: 900)
    func file(_ id: String, _ size: UInt64, _ state: StateName) throws -> FileRecord {
      FileRecord(
        id: try #require(ResourceID(id)), kind: .asset, name: nil, size: size, state: state,
        errors: [], warnings: [], parts: nil)
    }
    func next(_ files: [FileRecord]) throws -> UploadCourse.Step {
      var journal = UploadJournal(of: "cave")
      journal.current = UploadJournal.Attempt(
        archive: archive, began: Moment(seconds: 0), phase: .reserving(version))
      var course = UploadCourse(journal, uploading: archive)
      #expect(course.next == .findFiles(version))
      try course.apply(.files(files), at: Moment(seconds: 100))
      return course.next
    }
    let own = try file("f-1", 900, "AWAITING_UPLOAD")
    #expect(try next([own]) == .readFile(version, file: own.id))
    let others = [
      [try file("f-1", 901, "AWAITING_UPLOAD")], [try file("f-1", 900, "COMPLETE")],
      [own, try file("f-2", 900, "AWAITING_UPLOAD")],
    ]
    for files in others { #expect(try next(files) == .findHighest) }
  }

  @Test func `parts with other borders than before are all sent`() throws {
    let version = VersionKey(id: try #require(ResourceID("v-1")), number: 1)
    let file = try #require(ResourceID("f-1"))
    let archive = UploadJournal.Archive(sha256: "00", size: 900)
    let parts: [FilePart] = [0..<300, 300..<900].map {
      FilePart(
        range: $0, method: "PUT", address: SignedAddress("https://storage.example/a"), fields: [],
        end: nil)
    }
    var journal = UploadJournal(of: "cave")
    journal.current = UploadJournal.Attempt(
      archive: archive, began: Moment(seconds: 0), phase: .sending(version, file: file))
    journal.current?.received.insert(0..<450, md5: "00")
    var course = UploadCourse(journal, uploading: archive)
    #expect(course.next == .readFile(version, file: file))
    let record = FileRecord(
      id: file, kind: .asset, name: nil, size: 900, state: "AWAITING_UPLOAD", errors: [],
      warnings: [], parts: parts)
    try course.apply(.file(record, versionWaits: true), at: Moment(seconds: 100))
    #expect(course.next == .sendParts(version, file: file, parts))
    // Nothing of the earlier borders counts as sent.
    #expect(course.journal.current?.received.count == 0)
    #expect(course.remarks == [])
  }

  @Test func `a file that fails while its version waits ends the upload`() throws {
    let desk = try UploadDesk()
    desk.mock.failsCommits = true
    let error = #expect(throws: PackError.self) { try desk.upload() }
    #expect(error?.message.contains("rejected the file of version 1") == true)
    // This version has failed. A new version is created on request.
    desk.mock.failsCommits = false
    #expect(try desk.upload() == nil)
    #expect(desk.mock.versions.count == 1)
    desk.options.retriesFailed = true
    #expect(try desk.upload()?.number == 2)
  }

  @Test func `messages, records and descriptions contain no tokens and signatures`() throws {
    let desk = try UploadDesk()
    desk.mock.interference = { [unowned desk] method, path, number in
      guard method == "PATCH", number < 9 else { return nil }
      // A service that repeats parts of the request.
      let token = desk.mock.seen.compactMap(\.authorization).last?.dropFirst(7) ?? ""
      return .answer(
        409,
        MockedTransport.error(
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
