import AppStoreMock
import Arguments
import Faults
import Foundation
import TestSupport
import Testing

@testable import BAPackCommands

/// The output of `upload` and `app-store wait` when a request fails after a version is created.
@Suite(.mustEnd) struct UploadResultTests {
  private static func object(_ run: Captured) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
  }

  private static func pack(_ run: Captured) throws -> [String: Any] {
    try #require((try object(run)["packs"] as? [[String: Any]])?.first)
  }

  @Test func `a failed last listing loses no result`() throws {
    let site = try MockedService(faults: ["GET /v1/apps/*: status 403 call 2"])
    try site.folder.makeFile("summary.md", "")
    let run = site.run(
      "upload", try site.pack("cave"), "--format", "json",
      changing: ["GITHUB_STEP_SUMMARY": site.folder.path("summary.md")])
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(run.messages.contains("Warning: the space that the app uses is unknown: "))
    #expect(run.messages.contains("1 uploaded, 0 skipped\n"))
    let pack = try Self.pack(run)
    #expect(pack["outcome"] as? String == "uploaded")
    #expect(pack["version"] as? Int == 1)
    let object = try Self.object(run)
    #expect(object["usedBytes"] is NSNull && object["packCount"] is NSNull)
    #expect(object["mostPacks"] as? Int == 200)
    let summary = String(decoding: try site.folder.contents("summary.md"), as: UTF8.self)
    #expect(summary.contains("| cave | 1 | 50.5 KB | uploaded |"), "\(summary)")
  }

  @Test func `a failed wait loses no result`() throws {
    let site = try MockedService(faults: ["GET /v1/backgroundAssetVersions/*: status 403"])
    let run = site.run("upload", try site.pack("cave"), "--wait", "--format", "json")
    #expect(run.ending == .status(.failed), "\(run.messages)")
    let pack = try Self.pack(run)
    #expect(pack["outcome"] as? String == "uploaded")
    #expect(pack["version"] as? Int == 1)
    #expect((try Self.object(run)["error"] as? String)?.contains("403") == true)
    #expect(run.messages.contains("1 uploaded, 0 skipped; "))
    let wait = site.run("app-store", "wait", "--format", "json")
    #expect(wait.ending == .status(.failed))
    #expect((try Self.object(wait)["error"] as? String)?.contains("403") == true)
  }

  @Test(.heavy) func `dropped checks end with status 75 after the timeout`() throws {
    let site = try MockedService(faults: ["GET /v1/backgroundAssetVersions/*: drop"])
    let run = site.run(
      "upload", try site.pack("cave"), "--wait", "--timeout", "10ms", "--format", "json")
    #expect(run.ending == .status(.unfinished), "\(run.messages)")
    #expect(try Self.pack(run)["outcome"] as? String == "uploaded")
  }

  @Test func `an archive that failed in processing is reported, and sent again on request`() throws
  {
    let site = try MockedService(faults: ["GET /v1/backgroundAsset*: failed"]) {
      $0.processingSeconds = 600
    }
    let (cave, isle) = (try site.pack("cave"), try site.pack("isle", 100))
    #expect(site.run("upload", cave, "--wait").ending == .status(.failed))
    for _ in 0..<2 {
      let run = site.run("upload", cave, isle, "--format", "json")
      #expect(run.ending == .status(.failed))
      #expect(
        run.messages.contains("Error: 'cave': the processing of version 1 failed: "),
        "\(run.messages)")
      #expect(run.messages.contains("--retry-failed"))
      let pack = try Self.pack(run)
      #expect(pack["outcome"] as? String == "failed")
      #expect(pack["version"] as? Int == 1)
      #expect((pack["error"] as? String)?.contains("the processing of version 1 failed:") == true)
    }
    // The other pack is sent once.
    #expect(site.heard("POST", "/v1/backgroundAssetVersions").count == 2)
    let dry = site.run("upload", cave, "--retry-failed", "--dry-run")
    #expect(dry.messages.contains("1 would be uploaded"), "\(dry.messages)")
    try site.mock.apply(.removeAll)
  }

  @Test func `with --strict, a version with warnings is a failure in every output`() throws {
    let site = try MockedService(platforms: ["IOS"])
    try site.folder.makeFile("summary.md", "")
    let run = site.run(
      "upload", try site.pack("cave"), "--wait", "--strict", "--format", "json",
      changing: ["GITHUB_STEP_SUMMARY": site.folder.path("summary.md")])
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("0 uploaded, 0 skipped, 1 failed; "), "\(run.messages)")
    #expect(try Self.pack(run)["outcome"] as? String == "failed")
    let summary = String(decoding: try site.folder.contents("summary.md"), as: UTF8.self)
    #expect(summary.contains("failed: warnings, with --strict"), "\(summary)")
    let wait = site.run("app-store", "wait", "--strict", "--format", "json")
    #expect(wait.output.contains(#""outcome": "failed""#))
  }

  @Test func `a dry run without a key lists the uploads, and reports that no requests were sent`()
    throws
  {
    let site = try MockedService()
    let cave = try site.pack("cave")
    let keyless = ["ASC_KEY_ID": "", "ASC_KEY_PATH": ""]
    let run = site.run("upload", cave, "--dry-run", "--format", "json", changing: keyless)
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(
      run.messages.contains(
        "No request was sent to App Store Connect: no App Store Connect API key is specified"))
    #expect(run.messages.contains("cave  would be uploaded: 50.5 KB from '\(cave)'\n"))
    #expect(run.messages.contains("1 would be uploaded; no request was sent to App Store Connect"))
    let object = try Self.object(run)
    #expect(object["asked"] as? Bool == false)
    #expect(object["app"] as? String == MockedService.bundleID)
    #expect(try Self.pack(run)["outcome"] as? String == "planned")
    #expect(site.mock.events.isEmpty)
    // A given key must exist, and a real run requires a key.
    let named = site.run("upload", cave, "--dry-run", "--api-key", "ABSENT", changing: keyless)
    #expect(named.ending == .status(.failed))
    #expect(site.run("upload", cave, changing: keyless).ending == .status(.failed))
    // Packs are verified without a key, too.
    try site.folder.makeFile("broken.aar", "no archive")
    let broken = site.run(
      "upload", site.folder.path("broken.aar"), "--dry-run", changing: keyless)
    #expect(broken.ending == .status(.failed))
  }

  @Test func `a version without an archive does not hide the version in processing`() throws {
    let site = try MockedService(
      faults: ["POST /v1/backgroundAssetUploadFiles: status 403 call 2"]
    ) { $0.processingSeconds = 600 }
    #expect(site.run("upload", try site.pack("cave")).ending == .status(.done))
    // Version 2 is created without a file.
    #expect(site.run("upload", try site.pack("cave", seed: 2)).ending == .status(.failed))
    let wait = site.run(
      "app-store", "wait", "cave", "--timeout", "10ms", "--format", "json")
    #expect(wait.ending == .status(.unfinished), "\(wait.messages)")
    #expect(wait.output.contains(#""version": 1"#) && wait.output.contains(#""processing""#))
    #expect(
      site.run("app-store", "wait", "--timeout", "10ms").ending == .status(.unfinished))
    #expect(
      site.run("app-store", "wait", "cave", "--version", "1", "--timeout", "10ms").ending
        == .status(.unfinished))
    let empty = site.run("app-store", "wait", "cave", "--version", "2")
    #expect(empty.ending == .status(.failed))
    #expect(empty.messages.contains("version 2 of 'cave' waits for its upload"))
    #expect(site.run("app-store", "wait", "--version", "1").ending == .status(.usage))
    try site.control("advance", #"{"seconds": 600}"#)
    #expect(site.run("app-store", "wait", "cave").ending == .status(.done))
  }
}
