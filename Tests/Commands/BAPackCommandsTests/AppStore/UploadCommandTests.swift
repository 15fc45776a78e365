import AppStoreConnect
import AppStoreMock
import Arguments
import BAPackKit
import Faults
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import BAPackCommands

/// `upload` and `app-store` with the mock, from the command line to the output.
@Suite("upload", .mustEnd)
struct UploadCommandTests {
  @Test func `packs become versions for testers, and are skipped the next time`() throws {
    let site = try MockedService()
    let (cave, island) = (try site.pack("level-cave"), try site.pack("island", 100))
    let first = site.run("upload", cave, island, "--wait")
    #expect(first.ending == .status(.done), "\(first.messages)")
    #expect(first.messages.contains("level-cave  version 1   50.5 KB   uploaded\n"))
    #expect(first.messages.contains("island      version 1   ready for internal testing\n"))
    #expect(first.messages.contains("2 uploaded, 0 skipped; "))
    #expect(first.messages.contains(" of 200 GB used, 2 of 200 packs\n"))
    #expect(first.output == "")
    try site.pack("level-cave", seed: 2)
    let second = site.run("upload", cave, island, "--wait")
    #expect(second.ending == .status(.done), "\(second.messages)")
    #expect(second.messages.contains("island      unchanged since version 1, skipped\n"))
    #expect(second.messages.contains("level-cave  version 2   ready for internal testing\n"))
    #expect(second.messages.contains("1 uploaded, 1 skipped; "))
    #expect(site.mock.violations.isEmpty, "\(site.mock.violations)")
    let list = site.run("app-store", "list")
    #expect(list.output.contains("level-cave  50.5 KB"), "\(list.output)\(list.messages)")
    #expect(list.output.contains("internal 2"))
    let status = site.run("app-store", "status", "level-cave", "--version", "1")
    #expect(
      status.output.hasPrefix("level-cave  version 1  superseded in internal testing"),
      "\(status.output)\(status.messages)")
    let limits = site.run("app-store", "limits", "--format", "json")
    #expect(limits.output.contains("\"mostBytes\": 200000000000"))
    #expect(site.run("app-store", "wait").ending == .status(.done))
  }

  @Test func `the JSON report has stable keys`() throws {
    let site = try MockedService()
    let run = site.run("upload", try site.pack("cave"), "--wait", "--format", "json", "-q")
    #expect(run.messages == "")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
    #expect(
      Set(object.keys) == [
        "app", "asked", "packs", "usedBytes", "mostBytes", "packCount", "mostPacks", "error",
      ])
    let pack = try #require((object["packs"] as? [[String: Any]])?.first)
    #expect(
      Set(pack.keys) == [
        "id", "path", "sha256", "bytes", "version", "outcome", "error", "state",
      ])
    #expect(pack["outcome"] as? String == "uploaded")
    #expect((pack["state"] as? [String: Any])?["internalBeta"] as? String == "READY_FOR_TESTING")
    let status = site.run("app-store", "status", "--format", "json")
    #expect(status.output.contains("\"state\": \"COMPLETE\""))
  }

  @Test func `a dry run only reads, and leaves no files`() throws {
    let site = try MockedService()
    let cave = try site.pack("cave")
    let run = site.run("upload", cave, "--dry-run")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(run.messages.contains("cave  would be uploaded: 50.5 KB from '\(cave)'\n"))
    #expect(run.messages.contains("1 would be uploaded, 0 skipped; "))
    #expect(site.run("app-store", "list").output == "")
    #expect(!FileManager.default.fileExists(atPath: site.folder.path("state")))
  }

  @Test func `no byte is sent while any pack is invalid for Apple`() throws {
    let site = try MockedService()
    let good = try site.pack("cave")
    let dotted = try site.pack("com.example.cave")
    try site.folder.makeFile("broken.aar", "no archive")
    for wrong in [dotted, site.folder.path("broken.aar"), site.folder.path("absent.aar")] {
      let run = site.run("upload", good, wrong)
      #expect(run.ending == .status(.failed))
      #expect(run.messages.contains("No packs were uploaded"), "\(run.messages)")
    }
    try site.folder.makeFile("copy.aar", site.folder.contents("cave.aar"))
    let twice = site.run("upload", good, site.folder.path("copy.aar"))
    #expect(twice.messages.contains("have the same ID 'cave'"))
    #expect(site.run("app-store", "list").output == "")
  }

  @Test func `a version that fails is reported with each reason and its hint`() throws {
    let site = try MockedService(faults: ["GET /v1/backgroundAssetVersions/*: failed"])
    let run = site.run("upload", try site.pack("cave"), "--wait")
    #expect(run.ending == .status(.failed), "\(run.messages)")
    #expect(run.messages.contains("Error: cave: "), "\(run.messages)")
    #expect(run.messages.contains("0 uploaded, 0 skipped, 1 failed; "), "\(run.messages)")
  }

  @Test func `warnings count with --strict`() throws {
    let site = try MockedService(platforms: ["IOS"])
    let cave = try site.pack("cave")
    let run = site.run("upload", cave, "--wait")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(run.messages.contains("Warning: cave: "))
    #expect(run.messages.contains("91139); the manifest contains a platform"), "\(run.messages)")
    try site.pack("cave", seed: 3)
    #expect(site.run("upload", cave, "--wait", "--strict").ending == .status(.failed))
    #expect(site.run("app-store", "wait", "--strict").ending == .status(.failed))
  }

  @Test func `processing that exceeds the timeout has status 75, and can be awaited later`()
    throws
  {
    let site = try MockedService { $0.processingSeconds = 3600 }
    let run = site.run("upload", try site.pack("cave"), "--wait", "--timeout", "10ms")
    #expect(run.ending == .status(.unfinished), "\(run.messages)")
    #expect(run.messages.contains("timed out: versions are still being processed"))
    #expect(run.messages.contains("app-store wait"))
    let wait = site.run("app-store", "wait", "cave", "--timeout", "10ms")
    #expect(wait.ending == .status(.unfinished))
    // It is not sent again before that.
    let again = site.run("upload", site.folder.path("cave.aar"))
    #expect(again.messages.contains("version 1 was uploaded before and is being processed"))
  }

  @Test func `a key that other users can read is a warning, and a wrong one is an error`() throws {
    let site = try MockedService()
    let path = try #require(site.environment["ASC_KEY_PATH"])
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(site.run("app-store", "list").messages.contains("other users of this machine can read"))
    let other = site.run("app-store", "list", changing: ["ASC_KEY_ID": "OTHER"])
    #expect(other.ending == .status(.failed))
    #expect(other.messages.contains("401 NOT_AUTHORIZED"), "\(other.messages)")
    #expect(other.messages.contains("the issuer ID and the file match"))
    let none = site.run("app-store", "list", changing: ["ASC_KEY_ID": "", "ASC_KEY_PATH": ""])
    #expect(none.messages.contains("specify it with --api-key"))
  }

  @Test(arguments: [
    "http://127.0.0.1:1", "ftp://a", "https://u:p@a", "https://a?b", "a", "https://",
  ])
  func `a service is accessed by https only`(url: String) throws {
    let run = Captured("app-store", "list", "--app", "1", "--api-url", url)
    #expect(run.ending == .status(.usage))
    let given = Captured(
      "app-store", "list", "--app", "1", "--api-key", "A1",
      environment: [
        "ASC_API_URL": url, "ASC_KEY_ID": "A1",
      ])
    #expect(given.ending == .status(.failed))
  }

  @Test func `a submission requires confirmation, and has at most ten packs`() throws {
    let site = try MockedService { $0.hasApprovedAppVersion = true }
    #expect(site.run("upload", try site.pack("cave"), "--wait").ending == .status(.done))
    let asked = site.run("app-store", "submit", "cave")
    #expect(asked.ending == .status(.failed))
    #expect(asked.messages.contains("replaces the live version for all app users"))
    #expect(asked.messages.contains("use --yes"))
    let sent = site.run("app-store", "submit", "cave", "--yes")
    #expect(sent.ending == .status(.done), "\(sent.messages)")
    #expect(sent.messages.contains("Submitted 1 pack: waiting for review."), "\(sent.messages)")
    let many = Captured(
      ["app-store", "submit"] + (0..<11).map { "p\($0)" } + ["--app", "1", "--yes"])
    #expect(many.ending == .status(.usage))
  }

  @Test func `a refused submission is reported with its associated errors`() throws {
    let site = try MockedService()
    _ = site.run("upload", try site.pack("cave"), "--wait")
    let run = site.run("app-store", "submit", "cave", "--yes")
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("cannot submit for review: App Store Connect reported: "))
  }

  @Test func `archiving cannot be undone, and requires the ID as input or option`() throws {
    let site = try MockedService()
    let cave = try site.pack("cave")
    _ = site.run("upload", cave)
    for input in ["", "no\n", "cav\n"] {
      let run = site.run("app-store", "archive", "cave", input: input)
      #expect(run.ending == .status(.failed))
      #expect(run.messages.contains("the pack was not archived"))
    }
    let other = site.run("app-store", "archive", "cave", "--confirm", "cage")
    #expect(other.ending == .status(.usage))
    let typed = site.run("app-store", "archive", "cave", input: "cave\n")
    #expect(typed.ending == .status(.done), "\(typed.messages)")
    #expect(site.run("app-store", "list").output.contains("archived"))
    let run = site.run("upload", cave)
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("the pack 'cave' is archived"))
    #expect(run.messages.contains("use another ID"))
  }

  @Test func `a record file replaces the home folder`() throws {
    let site = try MockedService()
    let cave = try site.pack("cave")
    let homeless = ["HOME": "", "XDG_STATE_HOME": ""]
    let none = site.run("upload", cave, changing: homeless)
    #expect(none.ending == .status(.failed))
    #expect(none.messages.contains("--record"))
    let record = site.folder.path("uploads.json")
    let run = site.run("upload", cave, "--record", record, "--wait", changing: homeless)
    #expect(run.ending == .status(.done), "\(run.messages)")
    let again = site.run("upload", cave, "--record", record, changing: homeless)
    #expect(again.messages.contains("unchanged since version 1, skipped"))
  }

  @Test
  func `a record that cannot be written is an error with a hint, before a version is created`()
    throws
  {
    let site = try MockedService()
    let cave = try site.pack("cave")
    let island = try site.pack("island", 100)
    let run = site.run("upload", cave, island, "--record", "/proc/uploads.json")
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("specify a file for the upload journal with --record"))
    #expect(!run.messages.contains(" -o"), "\(run.messages)")
    #expect(run.messages.contains("0 uploaded, 0 skipped, 1 failed, 1 not attempted; "))
    #expect(site.heard("POST", "/v1/backgroundAssetVersions").isEmpty)
  }

  @Test func `GitHub gets a summary of the step, without markup from file names`() throws {
    let site = try MockedService()
    try site.folder.makeFile("summary.md", "before\n")
    let run = site.run(
      "upload", try site.pack("cave"), "--wait",
      changing: ["GITHUB_STEP_SUMMARY": site.folder.path("summary.md")])
    #expect(run.ending == .status(.done))
    let text = String(decoding: try site.folder.contents("summary.md"), as: UTF8.self)
    #expect(text.hasPrefix("before\n### Asset packs\n\n| Pack | Version | Size | State |\n| --- |"))
    #expect(text.contains("| cave | 1 | 50.5 KB | ready for internal testing |"))
  }

  /// The faults of the mock, and the result of an upload of one pack with each.
  private static let done = Ending.status(.done)
  private static let failed = Ending.status(.failed)
  private static let unfinished = Ending.status(.unfinished)

  private static let misfortunes: [(fault: String, ending: Ending)] =
    [
      ("POST /v1/backgroundAssets: drop once", done),
      ("POST /v1/backgroundAssets: apply-and-drop once", done),
      ("POST /v1/backgroundAssetVersions: apply-and-drop once", done),
      ("POST /v1/backgroundAssetVersions: drop once", done),
      ("POST /v1/backgroundAssetUploadFiles: apply-and-drop once", done),
      ("PATCH /v1/backgroundAssetUploadFiles/*: apply-and-drop once", done),
      ("PATCH /v1/backgroundAssetUploadFiles/*: drop once", done),
      ("GET *: drop once", done), ("PUT *: drop once", done),
      ("PUT *: apply-and-drop once", done),
      ("POST *: status 500 once", done), ("GET *: status 502 once", done),
      ("PATCH *: status 503 once", done), ("PUT *: status 503 once", done),
      ("PUT *: status 502 once", done), ("PUT *: reset 5000 once", done),
      ("PUT *: expired once", done), ("PUT *: expired", failed),
      ("POST *: too-many 1s once", done), ("GET *: too-many 0s 3 times", done),
      ("PUT *: too-many 0s once", done), ("PUT *: too-many once", done),
      ("GET *: unauthorized once", done), ("POST *: unauthorized once", done),
      ("PATCH *: unauthorized once", done), ("GET *: unauthorized", failed),
      ("GET *: truncate once", done), ("POST *: truncate once", done),
      ("PATCH *: truncate once", done),
      ("GET *: slow 1s once", done), ("PUT *: slow 1s once", done),
      ("POST /v1/backgroundAssetUploadFiles: operations gap", failed),
      ("POST /v1/backgroundAssetUploadFiles: operations overlap", failed),
      ("POST /v1/backgroundAssetUploadFiles: operations overrun", failed),
      ("POST /v1/backgroundAssetUploadFiles: operations none", failed),
      ("POST /v1/backgroundAssetUploadFiles: operations http", failed),
      ("POST /v1/backgroundAssetUploadFiles: operations post", failed),
      ("GET /v1/backgroundAssetVersions/*: failed", failed),
      ("GET /v1/backgroundAssetVersions/*: failed-silently", failed),
      ("GET /v1/backgroundAssetVersions/*: stuck", unfinished),
      ("GET /v1/backgroundAssetVersions/*: no-internal-release", unfinished),
      ("GET /v1/backgroundAssetVersions/*: file-failed", failed),
      ("PATCH /v1/backgroundAssetUploadFiles/*: file-failed", failed),
      ("POST *: status 503 1s once", done), ("POST *: no-source", done),
      ("GET *: endless", failed), ("PUT *: corrupt once", done), ("PUT *: no-etag", done),
      ("GET *: no-checksums", done),

    ]
    + StorageError.allCases.map { ("PUT *: storage \($0.rawValue) once", done) }

  @Test(.heavy, arguments: misfortunes)
  func `faults are overcome or reported, and no unused version is created`(
    fault: String, ending: Ending
  ) throws {
    let site = try MockedService(faults: [fault])
    let run = site.run(
      "upload", try site.pack("cave"), "--wait", "--verbose", "--timeout",
      ending == Self.unfinished ? "10ms" : "1h")
    #expect(run.ending == ending, "\(fault): \(run.messages)")
    if ending != Self.done { #expect(run.messages.contains("Error: "), "\(fault)") }
    let made = site.mock.events.filter {
      $0.method == "POST" && $0.path == "/v1/backgroundAssetVersions" && $0.status == 201
    }
    #expect(made.count <= 1, "\(fault)")
    #expect(site.mock.violations.isEmpty, "\(fault): \(site.mock.violations)")
    // Without the fault, the next run has the same version.
    try site.mock.apply(.removeAll)
    let again = site.run("upload", site.folder.path("cave.aar"), "--wait")
    #expect(again.ending == .status(.done), "\(fault): \(again.messages)")
    let status = site.run("app-store", "status", "cave")
    #expect(status.output.hasPrefix("cave  version 1  ready"), "\(fault): \(status.output)")
  }

  /// Faults that fail an archive permanently, or delay a test.
  ///
  /// ``UploadResultTests``, and `PollingTests` and `UploadScenarioTests` of the client test them.
  private static let elsewhere = [
    "PATCH *: processing-fails", "GET *: too-many date once", "GET *: too-many past once",
    "POST *: too-many twice", "PATCH *: too-many 600s once",
  ]

  @Test func `every fault of the mock is tested`() throws {
    // Each test selects the duration, the number and the status.
    func kind(_ text: String) throws -> String {
      "\(try ServiceFault(parsing: text).effect)".split(separator: " ")
        .map { $0.first?.isNumber == true ? "N" : $0 }.joined(separator: " ")
    }
    let tried = Set(try (Self.misfortunes.map(\.fault) + Self.elsewhere).map(kind))
    #expect(Set(try FaultScope.service.examples.map { try kind("* *: \($0)") }).isSubset(of: tried))
  }

  @Test func `a folder represents its packs, and a duplicate pack counts once`() throws {
    let site = try MockedService()
    let (cave, _) = (try site.pack("cave"), try site.pack("island"))
    let run = site.run("upload", site.folder.path, cave, "\(site.folder.path)/./cave.aar")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(run.messages.contains("2 uploaded, 0 skipped; "))
    try site.folder.makeFolder("none")
    let none = site.run("upload", site.folder.path("none"))
    #expect(none.ending == .status(.failed))
    #expect(none.messages.contains("there are no packs in "))
  }

  // MARK: Undocumented behavior

  @Test func `the manual page lists undocumented behavior with existing switches`() throws {
    let source = try #require(
      CommandTable.program.manualPages().first { $0.name == "ba-package-upload" })
    let page = source.text.replacing("\\-", with: "-").replacing("\\&", with: "")
      .replacing("\\ ", with: " ")
    let words = page.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(OpenQuestion.all.count == 14)
    for question in OpenQuestion.all {
      let text = question.paragraph.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
      #expect(words.contains(text), "\(text)")
      #expect(MockSettings.names(of: question.switches).count == question.switches.count)
    }
  }

  @Test func `a refused checksum is omitted, and an accepted one is correct`() throws {
    for (choice, word) in [(MockSettings.Checksums.refuse, true), (.compare, false)] {
      let site = try MockedService { $0.md5 = choice }
      let run = site.run("upload", try site.pack("cave"), "--checksum", "md5", "--wait")
      #expect(run.ending == .status(.done), "\(run.messages)")
      #expect(run.messages.contains("the checksum was refused") == word)
    }
  }

  @Test func `a manifest is checked first on request`() throws {
    let site = try MockedService()
    let run = site.run("upload", try site.pack("cave"), "--manifest-check", "--wait")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(run.messages.contains("cave  its manifest was accepted"))
  }

  @Test(arguments: [true, false]) func `responses in any form are accepted`(first: Bool) throws {
    let site = try MockedService { switches in
      if first {
        switches.nullAttributes = .absent
        switches.dates = .mixed
        switches.unknownMembers = true
        switches.toOneRelationships = .links
      } else {
        switches.operationOrder = .shuffled
        switches.partSizes = .uneven
        switches.extraHeader = true
        switches.uploadAddresses = .renewed
        switches.commitState = .complete
        switches.platformsBefore = .empty
        switches.releases = .submission
        switches.rateLimitHeader = .malformed
      }
    }
    let run = site.run("upload", try site.pack("cave"), "--wait", "--parallel", "3")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(site.run("app-store", "status").output.hasPrefix("cave  version 1  ready"))
    #expect(site.mock.violations.isEmpty)
  }
}
