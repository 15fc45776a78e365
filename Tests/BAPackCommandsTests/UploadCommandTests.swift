import AppStoreMock
import Arguments
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import BAPackCommands

/// `upload` and `app-store` against the mock, from the command line to what is printed.
@Suite("upload", .timeLimit(.minutes(10)))
struct UploadCommandTests {
  @Test func `packs become versions that testers have, and are skipped the next time`() throws {
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

  @Test func `what is reported in JSON has stable keys`() throws {
    let site = try MockedService()
    let run = site.run("upload", try site.pack("cave"), "--wait", "--format", "json", "-q")
    #expect(run.messages == "")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
    #expect(
      Set(object.keys) == ["app", "packs", "usedBytes", "mostBytes", "packCount", "mostPacks"])
    let pack = try #require((object["packs"] as? [[String: Any]])?.first)
    #expect(
      Set(pack.keys) == ["id", "path", "sha256", "bytes", "version", "outcome", "state"])
    #expect(pack["outcome"] as? String == "uploaded")
    #expect((pack["state"] as? [String: Any])?["internalBeta"] as? String == "READY_FOR_TESTING")
    let status = site.run("app-store", "status", "--format", "json")
    #expect(status.output.contains("\"state\": \"COMPLETE\""))
  }

  @Test func `a dry run reads only, and leaves nothing behind`() throws {
    let site = try MockedService()
    let cave = try site.pack("cave")
    let run = site.run("upload", cave, "--dry-run")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(run.messages.contains("cave  would be uploaded: 50.5 KB from '\(cave)'\n"))
    #expect(run.messages.contains("1 would be uploaded, 0 skipped; "))
    #expect(site.run("app-store", "list").output == "")
    #expect(!FileManager.default.fileExists(atPath: site.folder.path("state")))
  }

  @Test func `no byte is sent while any pack is not right for Apple`() throws {
    let site = try MockedService()
    let good = try site.pack("cave")
    let dotted = try site.pack("com.example.cave")
    try site.folder.makeFile("broken.aar", "no archive")
    for wrong in [dotted, site.folder.path("broken.aar"), site.folder.path("absent.aar")] {
      let run = site.run("upload", good, wrong)
      #expect(run.ending == .status(.failed))
      #expect(run.messages.contains("Nothing was uploaded"), "\(run.messages)")
    }
    try site.folder.makeFile("copy.aar", site.folder.contents("cave.aar"))
    let twice = site.run("upload", good, site.folder.path("copy.aar"))
    #expect(twice.messages.contains("have the same ID 'cave'"))
    #expect(site.run("app-store", "list").output == "")
  }

  @Test func `a version that fails says why, each reason with what helps`() throws {
    let site = try MockedService(faults: ["GET /v1/backgroundAssetVersions/*: failed"])
    let run = site.run("upload", try site.pack("cave"), "--wait")
    #expect(run.ending == .status(.failed), "\(run.messages)")
    #expect(run.messages.contains("Error: cave: "), "\(run.messages)")
  }

  @Test func `warnings count with --strict`() throws {
    let site = try MockedService(platforms: ["IOS"])
    let cave = try site.pack("cave")
    let run = site.run("upload", cave, "--wait")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(run.messages.contains("Warning: cave: "))
    #expect(run.messages.contains("91139); the manifest names a platform"), "\(run.messages)")
    try site.pack("cave", seed: 3)
    #expect(site.run("upload", cave, "--wait", "--strict").ending == .status(.failed))
    #expect(site.run("app-store", "wait", "--strict").ending == .status(.failed))
  }

  @Test func `processing that is not over in time is status 75, and can be waited for later`()
    throws
  {
    let site = try MockedService { $0.processingSeconds = 3600 }
    let run = site.run("upload", try site.pack("cave"), "--wait", "--timeout", "10ms")
    #expect(run.ending == .status(.unfinished), "\(run.messages)")
    #expect(run.messages.contains("still processing when the time was up"))
    #expect(run.messages.contains("app-store wait"))
    let wait = site.run("app-store", "wait", "cave", "--timeout", "10ms")
    #expect(wait.ending == .status(.unfinished))
    // It is not sent again meanwhile.
    let again = site.run("upload", site.folder.path("cave.aar"))
    #expect(again.messages.contains("version 1 was uploaded before and is being processed"))
  }

  @Test func `a key that others can read is warned of, and a wrong one explained`() throws {
    let site = try MockedService()
    let path = try #require(site.environment["ASC_KEY_PATH"])
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(site.run("app-store", "list").messages.contains("others on this machine can read"))
    let other = site.run("app-store", "list", changing: ["ASC_KEY_ID": "OTHER"])
    #expect(other.ending == .status(.failed))
    #expect(other.messages.contains("401 NOT_AUTHORIZED"), "\(other.messages)")
    #expect(other.messages.contains("belong together"))
    let none = site.run("app-store", "list", changing: ["ASC_KEY_ID": "", "ASC_KEY_PATH": ""])
    #expect(none.messages.contains("name it with --api-key"))
  }

  @Test(arguments: [
    "http://127.0.0.1:1", "ftp://a", "https://u:p@a", "https://a?b", "a", "https://",
  ])
  func `a service is reached by https and by nothing else`(url: String) throws {
    let run = Captured("app-store", "list", "--app", "1", "--api-url", url)
    #expect(run.ending == .status(.usage))
    let given = Captured(
      "app-store", "list", "--app", "1", "--api-key", "A1",
      environment: [
        "ASC_API_URL": url, "ASC_KEY_ID": "A1",
      ])
    #expect(given.ending == .status(.failed))
  }

  @Test func `a submission asks first, and has at most ten packs`() throws {
    let site = try MockedService { $0.hasApprovedAppVersion = true }
    #expect(site.run("upload", try site.pack("cave"), "--wait").ending == .status(.done))
    let asked = site.run("app-store", "submit", "cave")
    #expect(asked.ending == .status(.failed))
    #expect(asked.messages.contains("replaces live content for everybody"))
    #expect(asked.messages.contains("say --yes"))
    let sent = site.run("app-store", "submit", "cave", "--yes")
    #expect(sent.ending == .status(.done), "\(sent.messages)")
    #expect(sent.messages.contains("Submitted 1 pack: waiting for review."), "\(sent.messages)")
    let many = Captured(
      ["app-store", "submit"] + (0..<11).map { "p\($0)" } + ["--app", "1", "--yes"])
    #expect(many.ending == .status(.usage))
  }

  @Test func `a submission that is refused says what hides behind it`() throws {
    let site = try MockedService()
    _ = site.run("upload", try site.pack("cave"), "--wait")
    let run = site.run("app-store", "submit", "cave", "--yes")
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("App Store Connect refused to submit for review: "))
  }

  @Test func `archiving is final, and wants the ID typed or given`() throws {
    let site = try MockedService()
    let cave = try site.pack("cave")
    _ = site.run("upload", cave)
    for input in ["", "no\n", "cav\n"] {
      let run = site.run("app-store", "archive", "cave", input: input)
      #expect(run.ending == .status(.failed))
      #expect(run.messages.contains("nothing was archived"))
    }
    let other = site.run("app-store", "archive", "cave", "--confirm", "cage")
    #expect(other.ending == .status(.usage))
    let typed = site.run("app-store", "archive", "cave", input: "cave\n")
    #expect(typed.ending == .status(.done), "\(typed.messages)")
    #expect(site.run("app-store", "list").output.contains("archived"))
    let run = site.run("upload", cave)
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("the pack 'cave' was archived"))
    #expect(run.messages.contains("give the pack another ID"))
  }

  @Test func `a record beside the project is enough where there is no home`() throws {
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

  @Test func `GitHub gets a summary of the step, and no markup from outside in it`() throws {
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

  /// What the mock can do wrong, and how an upload of one pack ends then.
  @Test(arguments: [
    ("POST /v1/backgroundAssets: drop once", true),
    ("POST /v1/backgroundAssets: apply-and-drop once", true),
    ("POST /v1/backgroundAssetVersions: apply-and-drop once", true),
    ("POST /v1/backgroundAssetVersions: drop once", true),
    ("POST /v1/backgroundAssetUploadFiles: apply-and-drop once", true),
    ("PATCH /v1/backgroundAssetUploadFiles/*: apply-and-drop once", true),
    ("PATCH /v1/backgroundAssetUploadFiles/*: drop once", true),
    ("POST *: status 500 once", true), ("GET *: status 502 once", true),
    ("PATCH *: status 503 once", true), ("PUT *: status 503 once", true),
    ("PUT *: reset 5000 once", true), ("PUT *: expired once", true),
    ("POST *: too-many 1s once", true), ("GET *: unauthorized once", true),
    ("POST *: unauthorized once", true), ("GET *: truncate once", false),
    ("POST *: truncate once", true), ("GET *: unauthorized", false),
    ("GET *: slow 1s once", true),
    ("POST /v1/backgroundAssetUploadFiles: operations gap", false),
    ("POST /v1/backgroundAssetUploadFiles: operations overlap", false),
    ("POST /v1/backgroundAssetUploadFiles: operations overrun", false),
    ("POST /v1/backgroundAssetUploadFiles: operations none", false),
    ("POST /v1/backgroundAssetUploadFiles: operations http", false),
    ("POST /v1/backgroundAssetUploadFiles: operations post", false),
    ("GET /v1/backgroundAssetVersions/*: failed-silently", false),
  ])
  func `bad luck is overcome or explained, and no version is burnt`(
    fault: String, isOvercome: Bool
  ) throws {
    let site = try MockedService(faults: [fault])
    let run = site.run("upload", try site.pack("cave"), "--wait", "--verbose")
    #expect(run.ending == .status(isOvercome ? .done : .failed), "\(fault): \(run.messages)")
    if isOvercome {
      let status = site.run("app-store", "status", "cave")
      #expect(status.output.hasPrefix("cave  version 1  ready"), "\(fault): \(status.output)")
    } else {
      #expect(run.messages.contains("Error: "), "\(fault)")
    }
    #expect(site.mock.violations.isEmpty, "\(fault): \(site.mock.violations)")
    // Whatever went wrong, no secret is told.
    var shown = run.messages + run.output
    let state = site.folder.path("state")
    for file in FileManager.default.subpaths(atPath: state) ?? [] where file.hasSuffix(".json") {
      shown += String(decoding: try site.folder.contents("state/\(file)"), as: UTF8.self)
    }
    for secret in [site.secret, "eyJ", "Bearer", "Signature"] {
      #expect(!shown.contains(secret), "\(fault): \(secret)")
    }
  }

  @Test func `a checksum that is refused is left out, and one that is taken is right`() throws {
    for (choice, word) in [("refuse", true), ("compare", false)] {
      let site = try MockedService { $0.md5 = choice }
      let run = site.run("upload", try site.pack("cave"), "--checksum", "md5", "--wait")
      #expect(run.ending == .status(.done), "\(run.messages)")
      #expect(run.messages.contains("the checksum was refused") == word)
    }
  }

  @Test func `a manifest is checked first when that is asked for`() throws {
    let site = try MockedService()
    let run = site.run("upload", try site.pack("cave"), "--manifest-check", "--wait")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(run.messages.contains("cave  its manifest was accepted"))
  }

  @Test(arguments: [true, false]) func `answers of any form are understood`(first: Bool) throws {
    let site = try MockedService { switches in
      if first {
        switches.nullAttributes = "absent"
        switches.dates = "mixed"
        switches.unknownMembers = true
        switches.toOneRelationships = "links"
      } else {
        switches.operationOrder = "shuffled"
        switches.partSizes = "uneven"
        switches.extraHeader = true
        switches.uploadAddresses = "renewed"
        switches.commitState = "COMPLETE"
        switches.platformsBefore = "empty"
        switches.releases = "submission"
        switches.rateLimitHeader = "malformed"
      }
    }
    let run = site.run("upload", try site.pack("cave"), "--wait", "--parallel", "3")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(site.run("app-store", "status").output.hasPrefix("cave  version 1  ready"))
    #expect(site.mock.violations.isEmpty)
  }
}
