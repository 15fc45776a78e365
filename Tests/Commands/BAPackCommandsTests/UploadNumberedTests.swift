// Long because the 24 scenarios of an upload are in one file.
import AppStoreMock
import Arguments
import BAPackKit
import Foundation
import HTTPServer
import SystemIO
import TestSupport
import Testing
import Transfers

@testable import AppStoreConnect
@testable import BAPackCommands

/// The numbered scenarios of uploads, with the mock over TLS.
///
/// A scenario with the argument `forms` runs twice: values without data are null in the responses
/// of one run, and absent in those of the other.
@Suite("upload scenarios", .mustEnd)
struct UploadNumberedTests {
  private static let forms = Switches.NullAttributes.allCases
  private static let versions = "/v1/backgroundAssetVersions"
  private static let files = "/v1/backgroundAssetUploadFiles"

  private func isReady(_ site: MockedService, _ version: Int, of pack: String = "cave") -> Bool {
    site.run("app-store", "status", pack, "--version", "\(version)").output
      .hasPrefix("\(pack)  version \(version)  ready for internal testing")
  }

  @Test(arguments: forms)
  func
    `scenario 1: a new pack of one part needs five requests, and the storage gets no token`(
      form: Switches.NullAttributes
    ) throws
  {
    let site = try MockedService { $0.nullAttributes = form }
    let run = site.run("upload", try site.pack("cave", 100), "--wait")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(
      site.changes == [
        "POST /v1/backgroundAssets", "POST \(Self.versions)", "POST \(Self.files)", "PUT /upload",
        "PATCH \(Self.files)",
      ])
    #expect(site.mock.events.allSatisfy { $0.hasToken != $0.isForStorage })
    #expect(site.mock.violations.isEmpty)
    #expect(isReady(site, 1))
  }

  @Test(arguments: forms)
  func `scenario 2: an existing pack is not created again, and its version is the next one`(
    form: Switches.NullAttributes
  ) throws {
    let site = try MockedService { $0.nullAttributes = form }
    let cave = try site.pack("cave")
    #expect(site.run("upload", cave, "--wait").ending == .status(.done))
    try site.pack("cave", seed: 2)
    #expect(site.run("upload", cave, "--wait").ending == .status(.done))
    #expect(site.heard("POST", "/v1/backgroundAssets").count == 1)
    #expect(isReady(site, 2))
  }

  @Test(arguments: ["1", "4"], forms)
  func `scenario 3: parts of uneven sizes in any order give the same bytes`(
    parallel: String, form: Switches.NullAttributes
  ) throws {
    let site = try MockedService {
      $0.nullAttributes = form
      $0.partSizes = .uneven
      $0.operationOrder = .shuffled
      $0.partSize = 7000
      $0.md5 = .compare
    }
    let run = site.run(
      "upload", try site.pack("cave"), "--wait", "--parallel", parallel, "--checksum", "md5")
    #expect(run.ending == .status(.done), "\(run.messages)")
    // The mock compared the checksum of all bytes, which was sent.
    #expect(!run.messages.contains("checksum"))
    #expect(site.heard("PUT").count == 8)
    #expect(isReady(site, 1))
  }

  @Test
  func `scenario 4: characters in a filter are encoded, and a pack on the second page is found`()
    throws
  {
    let upload = try MockedUpload { $0.packLimit = 300 }
    let service = try upload.service()
    let app = try upload.app()
    // A character that is not encoded would be a separate parameter.
    let refused = #expect(throws: ServiceError.self) {
      try service.pack("a&cursor=c.1+ä%", of: app)
    }
    guard case .refused(let refusal) = refused else { throw NotRefused() }
    #expect(refusal.errors.map(\.source) == ["filter[assetPackIdentifier]"])
    for name in ["cave"] + (0..<201).map({ "pack-\($0)" }) {
      _ = try service.makePack(PackID(name), of: app)
    }
    let path = try upload.site.pack("cave", 100)
    #expect(try upload.upload(try upload.archive(path))?.number == 1)
    #expect(upload.site.heard("POST", "/v1/backgroundAssets").count == 202)
    // Exceeds Apple's limit, which is reported before the upload.
    let run = upload.site.run("upload", try upload.site.pack("one-more", 100), "--dry-run")
    #expect(run.messages.contains("Warning: the app will have 203 packs; the limit is 200"))
  }

  private struct NotRefused: Error {}

  @Test(arguments: forms)
  func `scenario 5: an archived pack is an error before a version is created`(
    form: Switches.NullAttributes
  ) throws {
    let site = try MockedService { $0.nullAttributes = form }
    let cave = try site.pack("cave")
    _ = site.run("upload", cave)
    _ = site.run("app-store", "archive", "cave", "--confirm", "cave")
    try site.pack("cave", seed: 2)
    let run = site.run("upload", cave)
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("the pack 'cave' is archived"))
    #expect(site.heard("POST", Self.versions).count == 1)
  }

  @Test
  func `scenario 6: a wrong ID is an error without a request, and a service error is printed`()
    throws
  {
    let upload = try MockedUpload()
    let run = upload.site.run("upload", try upload.site.pack("com.example.cave"))
    #expect(run.ending == .status(.failed))
    #expect(upload.site.mock.events.isEmpty)
    let service = try upload.service()
    let app = try upload.app()
    for request in [
      { try service.makePack("a.b", of: app) }, { try service.pack("a.b", of: app) },
    ] as [() throws -> PackRecord?] {
      let failure = #expect(throws: ServiceError.self) { try request() }
      let error = failure?.error("find the pack")
      #expect(error?.message.contains("cannot find the pack: App Store Connect reported: ") == true)
      let remedies = "\(error?.remedies ?? [])"
      #expect(remedies.contains("letters and digits, with '-' only between them"))
    }
  }

  @Test(arguments: ["apply-and-drop", "status 503", "truncate"], forms)
  func `scenario 7: a version whose response is lost is found, and no other one is created`(
    fault: String, form: Switches.NullAttributes
  ) throws {
    // The status represents the response of a proxy, if no change was made.
    let site = try MockedService(faults: ["POST \(Self.versions): \(fault) once"]) {
      $0.nullAttributes = form
    }
    let run = site.run("upload", try site.pack("cave"), "--wait")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(site.heard("POST", Self.versions).count == (fault == "status 503" ? 2 : 1))
    #expect(isReady(site, 1))
  }

  @Test(arguments: forms)
  func `scenario 8: a record whose response is lost is found, and so is one of another client`(
    form: Switches.NullAttributes
  ) throws {
    let site = try MockedService(faults: ["POST /v1/backgroundAssets: apply-and-drop once"]) {
      $0.nullAttributes = form
    }
    #expect(site.run("upload", try site.pack("cave"), "--wait").ending == .status(.done))
    #expect(site.heard("POST", "/v1/backgroundAssets").count == 1)

    let race = try MockedUpload { $0.nullAttributes = form }
    let archive = try race.archive(try race.site.pack("cave"))
    let uploader = PackUploader(
      try race.service(), try race.app(), try race.journals(), race.options, .unstoppable)
    // The lookup found no record, and then another client created it.
    _ = try race.service().makePack("cave", of: try race.app())
    #expect(try uploader.upload(archive, nil).number == 1)
    #expect(race.site.heard("POST", "/v1/backgroundAssets").map(\.status) == [201, 409])
  }

  @Test(arguments: forms)
  func `scenario 9: a truncated or refused part is sent again, and the others are not`(
    form: Switches.NullAttributes
  ) throws {
    let upload = try MockedUpload(
      faults: ["PUT /upload/*: reset 5000 call 2", "PUT /upload/*: status 503 call 3"]
    ) { $0.nullAttributes = form }
    upload.options.parallel = 1
    #expect(try upload.upload(try upload.archive(try upload.site.pack("cave")))?.number == 1)
    let puts = upload.site.heard("PUT")
    #expect(puts.map(\.status) == [200, 0, 503, 200, 200])
    let numbers = puts.filter { $0.status == 200 }.compactMap { event in
      event.query.split(separator: "&").first { $0.hasPrefix("partNumber=") }
    }
    #expect(Set(numbers).count == 3)
  }

  @Test(arguments: forms)
  func
    `scenario 10: an expired address is read again; after the deadline, a new version is created`(
      form: Switches.NullAttributes
    ) throws
  {
    let upload = try MockedUpload(faults: ["PUT /upload/*: expired call 2"]) {
      $0.nullAttributes = form
    }
    upload.options.parallel = 1
    let cave = try upload.site.pack("cave")
    #expect(try upload.upload(try upload.archive(cave))?.number == 1)
    #expect(upload.site.heard("PUT").map(\.status) == [200, 403, 200, 200])

    // Eight days pass after the first part.
    let clock = MockClock(fixedAt: .now)
    let late = try MockedUpload(clock: clock) { $0.nullAttributes = form }
    late.options.parallel = 1
    let hasPassed = Noted<Bool>()
    late.progressed = { progress in
      guard progress.done == 20_000, hasPassed.add(true) == 0 else { return }
      clock.advance(seconds: 8 * 86_400)
    }
    let path = try late.site.pack("cave")
    #expect(try late.upload(try late.archive(path))?.number == 2)
    let left = try #require(
      late.notices.firstIndex { if case .remark(.abandoned) = $0 { true } else { false } })
    #expect(left > 0)
    #expect(late.site.heard("POST", Self.versions).count == 2)
  }

  @Test(arguments: ["expired", "status 404", "status 410"])
  func `scenario 10: parts that are refused before the deadline cause no new version`(
    fault: String
  ) throws {
    let upload = try MockedUpload(faults: ["PUT /upload/*: \(fault) 4 times"])
    let archive = try upload.archive(try upload.site.pack("cave"))
    upload.options.parallel = 1
    for _ in 0..<2 {
      let error = #expect(throws: PackError.self) { try upload.upload(archive) }
      #expect(
        error?.message.hasPrefix("localhost refuses parts of version 1 (4") == true,
        "\(error?.message ?? "")")
      #expect(error?.remedies.count == 2)
    }
    #expect(try upload.upload(archive)?.number == 1)
    #expect(upload.site.heard("POST", Self.versions).count == 1)
  }

  @Test(arguments: forms)
  func `scenario 11: a lost response to completion is looked up, and 'already' is a success`(
    form: Switches.NullAttributes
  ) throws {
    // The second time the version appears to wait, so that it is completed again.
    for faults in [[], ["GET \(Self.versions)/*: file-failed once"]] {
      let upload = try MockedUpload(
        faults: ["PATCH \(Self.files)/*: apply-and-drop once"] + faults
      ) {
        $0.nullAttributes = form
        $0.processingSeconds = 600
      }
      #expect(try upload.upload(try upload.archive(try upload.site.pack("cave")))?.number == 1)
      #expect(
        upload.site.heard("PATCH").map(\.status) == (faults.isEmpty ? [200] : [200, 409]))
    }
  }

  @Test(arguments: forms)
  func `scenario 12: if bytes are missing all are sent again, but not a third time`(
    form: Switches.NullAttributes
  ) throws {
    for (lost, isEnough) in [([2], true), ([2, 5], false)] {
      var between = MockedService.Between()
      between.loses = { lost.contains($0) }
      let upload = try MockedUpload(between: between) { $0.nullAttributes = form }
      upload.options.parallel = 1
      let archive = try upload.archive(try upload.site.pack("cave"))
      if isEnough {
        #expect(try upload.upload(archive)?.number == 1)
      } else {
        let error = #expect(throws: PackError.self) { try upload.upload(archive) }
        #expect(error?.message.contains("after two complete uploads") == true)
      }
      // Lost requests are not in the log of the mock.
      #expect(upload.site.heard("PUT").count == 6 - lost.count)
      #expect(upload.site.heard("PATCH").map(\.status) == [409, isEnough ? 200 : 409])
    }
  }

  @Test(arguments: forms)
  func `scenario 13: a refused checksum is omitted, and no checksum is the default`(
    form: Switches.NullAttributes
  ) throws {
    let site = try MockedService { $0.nullAttributes = form }
    let cave = try site.pack("cave")
    #expect(site.run("upload", cave, "--wait").ending == .status(.done))
    #expect(site.heard("PATCH").allSatisfy { $0.body?.contains("hecksum") == false })
    try site.pack("cave", seed: 2)
    let run = site.run("upload", cave, "--wait", "--checksum", "md5")
    #expect(run.ending == .status(.done))
    #expect(run.messages.contains("the checksum was refused; continuing without it"))
    #expect(site.heard("PATCH").map(\.status) == [200, 409, 200])
    #expect(
      site.heard("PATCH").map { $0.body?.contains("hecksum") == true } == [false, true, false])
  }

  @Test(arguments: forms)
  func `scenario 14: a failed version prints all its errors and warnings, and fails the command`(
    form: Switches.NullAttributes
  ) throws {
    let upload = try MockedUpload(platforms: ["IOS"]) {
      $0.nullAttributes = form
      $0.processingSeconds = 0
    }
    // The check of this program would reject it.
    var pack = PackBytes.beginning
    pack.addFile(
      "Manifest.json",
      Array(
        """
        {"assetPackID": "other", "downloadPolicy": {"onDemand": {}}, "platforms": ["iOS", "macOS"],
         "fileSelectors": [{"file": "one.txt"}]}
        """.utf8))
    try upload.site.folder.makeFile("bad.aar", pack.stream)
    let archive = try upload.archive(upload.site.folder.path("bad.aar"), as: "cave")
    #expect(try upload.upload(archive)?.number == 1)
    let run = upload.site.run("app-store", "wait", "cave")
    #expect(run.ending == .status(.failed))
    for arguments in [
      "Error: cave: The asset pack ID is 'other' in the manifest and 'cave' in the record. "
        + "(MOCK-ID)",
      "Error: cave: The archive has no 'one.txt', which the manifest selects. (MOCK-FILE)",
      "Warning: cave: The manifest contains the platform MAC_OS, which the app does not support. "
        + "(91139)",
    ] {
      #expect(run.messages.contains(arguments), "\(arguments)\n\(run.messages)")
    }
  }

  @Test(arguments: forms)
  func `scenario 15: a warning of processing is printed, and fails the command only with --strict`(
    form: Switches.NullAttributes
  ) throws {
    for isStrict in [false, true] {
      let site = try MockedService { $0.nullAttributes = form }
      let cave = try site.pack("cave")
      #expect(site.run("upload", cave, "--wait", "--strict").ending == .status(.done))
      try site.pack("cave", seed: 2, platforms: #""iOS""#)
      let run =
        isStrict
        ? site.run("upload", cave, "--wait", "--strict") : site.run("upload", cave, "--wait")
      #expect(run.ending == .status(isStrict ? .failed : .done))
      #expect(run.messages.contains("(91148); an earlier version was for more platforms"))
    }
  }

  @Test(arguments: forms)
  func `scenario 16: a timeout has a separate status, and the version is awaited later`(
    form: Switches.NullAttributes
  ) throws {
    let clock = MockClock()
    let site = try MockedService(clock: clock) {
      $0.nullAttributes = form
      $0.processingSeconds = 600
    }
    let run = site.run("upload", try site.pack("cave"), "--wait", "--timeout", "10ms")
    #expect(run.ending == .status(.unfinished))
    #expect(run.messages.contains("app-store wait"))
    // The clock of the mock advances without the local clock, by less than the lifetime of a token.
    clock.advance(seconds: 600)
    #expect(site.run("app-store", "wait", "cave").ending == .status(.done))
    #expect(site.heard("POST", Self.versions).count == 1)
  }

  @Test(arguments: forms)
  func `scenario 17: 25 minutes between two parts require another token, and none is refused`(
    form: Switches.NullAttributes
  ) throws {
    let clock = MockClock(fixedAt: .now)
    let upload = try MockedUpload(clock: clock) { $0.nullAttributes = form }
    upload.options.parallel = 1
    let hasPassed = Noted<Bool>()
    upload.progressed = { progress in
      guard progress.done == 20_000, hasPassed.add(true) == 0 else { return }
      clock.advance(seconds: 25 * 60)
    }
    #expect(try upload.upload(try upload.archive(try upload.site.pack("cave")))?.number == 1)
    #expect(!hasPassed.all.isEmpty)
    #expect(upload.site.mock.events.allSatisfy { $0.status != 401 })
  }

  @Test(arguments: Switches.RateLimitHeader.allCases, Switches.RetryAfter.allCases)
  func `scenario 18: an exceeded rate limit is awaited, or is an error, for any response`(
    header: Switches.RateLimitHeader, after: Switches.RetryAfter
  ) throws {
    for isPatient in [true, false] {
      let upload = try MockedUpload {
        $0.rateLimit = 5
        $0.rateLimitHeader = header
        $0.retryAfter = after
      }
      if !isPatient { upload.longestRateWait = .seconds(60) }
      let archive = try upload.archive(try upload.site.pack("cave"))
      if isPatient {
        #expect(try upload.upload(archive)?.number == 1)
        #expect(upload.pauses.reduce(.zero, +) >= .seconds(3500))
      } else {
        let error = #expect(throws: PackError.self) { try upload.upload(archive) }
        #expect(error?.kind == .server(status: 429))
        #expect(upload.pauses.reduce(.zero, +) <= .seconds(60))
      }
    }
  }

  @Test(arguments: ["size", "time"])
  func `scenario 19: a file that changes after its announcement is not completed`(
    change: String
  ) throws {
    let place = Noted<String>()
    var between = MockedService.Between()
    between.seen = { event in
      guard event.method == "POST", event.path == Self.files, let path = place.all.first else {
        return
      }
      if change == "size" {
        let file = FileHandle(forUpdatingAtPath: path)
        _ = try? file?.seekToEnd()
        try? file?.write(contentsOf: Data([1]))
      } else {
        try? FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
      }
    }
    let site = try MockedService(between: between)
    let cave = try site.pack("cave")
    place.add(cave)
    let run = site.run("upload", cave)
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("changed during the upload"), "\(run.messages)")
    #expect(site.heard("PATCH").isEmpty)
  }

  @Test(arguments: forms)
  func `scenario 20: no output and no file contains a token, a key or a signature`(
    form: Switches.NullAttributes
  ) throws {
    let site = try MockedService(faults: [
      "POST *: too-many 1s once", "GET *: unauthorized once", "PUT *: status 503 once",
      "PATCH *: status 500 once",
    ]) { $0.nullAttributes = form }
    let summary = site.folder.path("summary.md")
    try site.folder.makeFile("summary.md", "")
    let run = site.run(
      "upload", try site.pack("cave"), "--wait", "--verbose", "--format", "json", "--record",
      site.folder.path("uploads.json"), changing: ["GITHUB_STEP_SUMMARY": summary])
    #expect(run.ending == .status(.done), "\(run.messages)")
    // All were used: a key, tokens and the signatures of three parts.
    #expect(site.watch.count > 6)
    #expect(site.watch.found.isEmpty)
    #expect(!run.messages.isEmpty && !run.output.isEmpty)
    #expect(try !site.folder.contents("summary.md").isEmpty)
  }

  @Test func `scenario 20: the search for secrets finds them`() throws {
    let site = try MockedService()
    let key = try site.folder.contents("AuthKey_BAMOCKTEAM.p8")
    let line = String(decoding: key, as: UTF8.self).split(separator: "\n")[1]
    withKnownIssue {
      site.watch.search("a line: \(line)", in: "a text")
      site.watch.search(Array("x".utf8) + key, in: "bytes")
      site.watch.search(
        dumpOf: ["https://a/upload?Signature=0123456789abcdef0123"], in: "a value")
    }
    #expect(site.watch.found.count > 3)
    #expect(!"\(site.watch.found)".contains(line))
  }

  @Test(arguments: forms)
  func `scenario 21: a page at another host is not requested, and gets no token`(
    form: Switches.NullAttributes
  ) throws {
    let others = Noted<String>()
    var between = MockedService.Between()
    between.answer = { (head: RequestHead, response: Response) -> Response in
      guard let next = others.all.last, head.pathText.hasSuffix("/backgroundAssets"),
        case .bytes(let bytes) = response.body
      else { return response }
      let text = String(decoding: bytes, as: UTF8.self)
      let leading = text.replacing(
        #""links":{"self""#, with: #""links":{"next":"\#(next)","self""#)
      var changed = response
      changed.body = .bytes(Array(leading.utf8))
      return changed
    }
    let site = try MockedService(between: between) { $0.nullAttributes = form }
    let own = try #require(site.environment["ASC_API_URL"])
    for next in [
      "https://evil.example/v1/apps", own.replacing("127.0.0.1", with: "localhost") + "/v1/apps",
      own.replacing("https:", with: "http:") + "/v1/apps",
    ] {
      others.add(next)
      let before = site.mock.events.count
      let run = site.run("app-store", "list")
      #expect(run.ending == .status(.failed))
      #expect(run.messages.contains("links to another host"), "\(run.messages)")
      #expect(site.mock.events.count == before + 2)
    }
    #expect(site.mock.violations.isEmpty)
  }

  @Test(arguments: forms)
  func `scenario 22: new members in responses are ignored, and a new state is awaited`(
    form: Switches.NullAttributes
  ) throws {
    let upload = try MockedUpload {
      $0.nullAttributes = form
      $0.unknownMembers = true
      $0.unknownStates = true
      $0.processingSeconds = 3600
      $0.dates = .mixed
    }
    let version = try #require(
      try upload.upload(try upload.archive(try upload.site.pack("cave"))))
    let seen = try upload.wait(for: version, of: "cave", atMost: .seconds(1800))
    #expect(seen?.state == "NEW_STATE")
    #expect(upload.pauses.reduce(.zero, +) > .seconds(1700))
    #expect(try upload.wait(for: version, of: "cave", atMost: .seconds(3600))?.isTestable == true)
  }

  @Test(.heavy, .withoutThreadSanitizer)
  func `scenario 23: more than 2 GiB of a sparse file take no more memory than a small file`()
    async
  {
    // In a separate process with the mock: both are measured together.
    await #expect(processExitsWith: .success) {
      let upload = try MockedUpload {
        $0.partSize = 64 << 20
        $0.md5 = .compare
      }
      upload.options.sendsMD5 = true
      upload.options.parallel = 1
      let small = try upload.archive(try upload.site.pack("small"))
      #expect(try upload.upload(small)?.number == 1)
      let path = upload.site.folder.path("large.dat")
      let size: UInt64 = 2 << 30 + 123_456_789
      try upload.site.folder.makeFile("large.dat", [1, 2, 3])
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.truncate(atOffset: size)
      try file.seek(toOffset: 1 << 31 - 2)
      try file.write(contentsOf: Data([4, 5, 6, 7, 8]))
      try file.seek(toOffset: size - 3)
      try file.write(contentsOf: Data([9, 10, 11]))
      try file.close()
      let large = try UploadArchive(
        path: path, pack: "large",
        archive: .init(
          sha256: try PublishedArchive.sha256(ofFileAt: path, .unstoppable), size: size),
        manifest: [], status: try FileStatus(ofFileAt: path))
      let before = ProcessFigures.peakMemory
      #expect(try upload.upload(large)?.number == 1)
      let grown = ProcessFigures.peakMemory - before
      #expect(grown < 40 << 20, "\(grown)")
      // The mock compared the checksum of all bytes, which was sent.
      #expect(!upload.notices.contains(.withoutChecksum))
      let ranges = upload.site.heard("PUT").dropFirst().map(\.received)
      #expect(ranges.reduce(0, +) == size)
    }
  }

  @Test(arguments: forms)
  func `a machine without a record does not send the archive of the newest version again`(
    form: Switches.NullAttributes
  ) throws {
    let upload = try MockedUpload { $0.nullAttributes = form }
    let path = try upload.site.pack("cave")
    let version = try #require(try upload.upload(try upload.archive(path)))
    // Uploads from other machines, during and after processing.
    #expect(try upload.upload(try upload.archive(path), state: "second") == nil)
    _ = try upload.wait(for: version, of: "cave", atMost: nil)
    #expect(try upload.upload(try upload.archive(path), state: "third") == nil)
    #expect(upload.site.heard("POST", Self.versions).count == 1)
    try upload.site.pack("cave", seed: 2)
    #expect(try upload.upload(try upload.archive(path), state: "third")?.number == 2)
  }

  @Test(arguments: forms) func `scenario 24: a dry run sends only requests that read`(
    form: Switches.NullAttributes
  ) throws {
    let site = try MockedService { $0.nullAttributes = form }
    let run = site.run("upload", try site.pack("cave"), "--dry-run")
    #expect(run.ending == .status(.done))
    #expect(!site.mock.events.isEmpty)
    #expect(site.changes.isEmpty)
  }
}
