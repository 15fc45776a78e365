import AppStoreMock
import Arguments
import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import AppStoreConnect
@testable import BAPackCommands

/// Uploads to the mock over TLS, by the command.
///
/// `UploadScenarioTests` has the list of all scenarios, without a network. A test with the argument
/// `forms` runs twice: values without data are null in the responses of one run, and absent in
/// those of the other.
@Suite(.mustEnd) struct UploadWireTests {
  private static let forms = MockSettings.NullAttributes.allCases
  private static let versions = "/v1/backgroundAssetVersions"
  private static let files = "/v1/backgroundAssetUploadFiles"

  private func isReady(_ site: MockedService) -> Bool {
    site.run("app-store", "status", "cave", "--version", "1").output
      .hasPrefix("cave  version 1  ready for internal testing")
  }

  @Test(arguments: forms)
  func
    `a new pack of one part needs five requests, and the storage gets no token`(
      form: MockSettings.NullAttributes
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
    #expect(isReady(site))
  }

  @Test(arguments: ["1", "4"], forms)
  func `parts of uneven sizes in any order give the same bytes`(
    parallel: String, form: MockSettings.NullAttributes
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
    #expect(isReady(site))
  }

  @Test func `a part that is cut or refused is sent again, and the others are not`() throws {
    let site = try MockedService(
      faults: ["PUT /upload/*: reset 5000 call 2", "PUT /upload/*: status 503 call 3"])
    let run = site.run("upload", try site.pack("cave"), "--wait", "--parallel", "1")
    #expect(run.ending == .status(.done), "\(run.messages)")
    let puts = site.heard("PUT")
    #expect(puts.map(\.status) == [200, 0, 503, 200, 200])
    let numbers = puts.filter { $0.status == 200 }.compactMap { event in
      event.query.split(separator: "&").first { $0.hasPrefix("partNumber=") }
    }
    #expect(Set(numbers).count == 3)
  }

  @Test
  func `characters in a filter are encoded, and the number of packs is compared with a limit`()
    throws
  {
    let site = try MockedService { $0.packLimit = 300 }
    let service = try site.service()
    let app = try #require(ResourceID(MockedService.app))
    // A character that is not encoded would be a separate parameter.
    let refused = #expect(throws: ServiceError.self) {
      try service.pack("a&cursor=c.1+ä%", of: app)
    }
    guard case .refused(let refusal) = refused else { throw NotRefused() }
    #expect(refusal.errors.map(\.source) == ["filter[assetPackIdentifier]"])
    for number in 0..<202 { _ = try service.makePack(PackID("pack-\(number)"), of: app) }
    let run = site.run("upload", try site.pack("one-more", 100), "--dry-run")
    #expect(run.messages.contains("Warning: the app will have 203 packs; the limit is 200"))
  }

  private struct NotRefused: Error {}

  @Test(arguments: forms)
  func `no output and no file contains a token, a key or a signature`(
    form: MockSettings.NullAttributes
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

  @Test func `the search for secrets finds them`() throws {
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

  @Test(.heavy, .withoutThreadSanitizer)
  func `more than 2 GiB of a sparse file take no more memory than a small file`()
    async
  {
    // In a separate process with the mock: both are measured together.
    await #expect(processExitsWith: .success) {
      let site = try MockedService {
        $0.partSize = 64 << 20
        $0.md5 = .compare
      }
      var options = PackUploader.Options()
      options.sendsMD5 = true
      options.parallel = 1
      let app = try #require(ResourceID(MockedService.app))
      let journals = JournalStore(
        inFolder: FilePath(site.folder.path("state")), of: .init(service: "mock", app), .unstoppable
      )
      let isRefused = Noted<Bool>()
      let uploader = PackUploader(try site.service(), app, journals, options, .unstoppable) {
        if $1 == .withoutChecksum { isRefused.add(true) }
      }
      func upload(_ path: String, as pack: PackID, _ size: UInt64) throws -> Int? {
        let archive = try UploadArchive(
          path: path, pack: pack,
          archive: .init(
            sha256: try PublishedArchive.sha256(ofFileAt: path, .unstoppable), size: size),
          manifest: [], status: try FileStatus(ofFileAt: path))
        return try uploader.upload(archive, nil).version.number
      }
      let small = try site.pack("small")
      #expect(try upload(small, as: "small", try FileStatus(ofFileAt: small).size) == 1)
      let path = site.folder.path("large.dat")
      let size: UInt64 = 2 << 30 + 123_456_789
      try site.folder.makeFile("large.dat", [1, 2, 3])
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.truncate(atOffset: size)
      try file.seek(toOffset: 1 << 31 - 2)
      try file.write(contentsOf: Data([4, 5, 6, 7, 8]))
      try file.seek(toOffset: size - 3)
      try file.write(contentsOf: Data([9, 10, 11]))
      try file.close()
      let before = ProcessFigures.peakMemory
      #expect(try upload(path, as: "large", size) == 1)
      let grown = ProcessFigures.peakMemory - before
      #expect(grown < 40 << 20, "\(grown)")
      // The mock compared the checksum of all bytes, which was sent.
      #expect(isRefused.all.isEmpty)
      let ranges = site.heard("PUT").dropFirst().map(\.received)
      #expect(ranges.reduce(0, +) == size)
    }
  }
}
