import AppStoreMock
import Arguments
import Foundation
import TestSupport
import Testing

@testable import BAPackCommands

/// All steps of a pack in App Store Connect, from upload to archiving.
///
/// Each request fails once.
@Suite(.mustEnd) struct FailedRequestWorldTests {
  /// The requests of all commands, with the number of the call that fails.
  private static let requests = [
    ("GET /v1/apps", 1), ("GET /v1/apps/*", 1), ("POST /v1/backgroundAssets", 1),
    ("GET /v1/backgroundAssets/*", 1), ("POST /v1/backgroundAssetVersions", 1),
    ("POST /v1/backgroundAssetUploadFiles", 1), ("PUT /upload/*", 1),
    ("PATCH /v1/backgroundAssetUploadFiles/*", 1), ("GET /v1/backgroundAssetVersions/*", 1),
    ("GET /v1/apps/*", 2), ("GET /v1/reviewSubmissions", 1), ("POST /v1/reviewSubmissions", 1),
    ("POST /v1/reviewSubmissionItems", 1), ("GET /v1/reviewSubmissions/*", 1),
    ("DELETE /v1/reviewSubmissionItems/*", 1), ("POST /v1/reviewSubmissionItems", 2),
    ("PATCH /v1/reviewSubmissions/*", 2), ("GET /v1/reviewSubmissions/*", 3),
    ("PATCH /v1/reviewSubmissions/*", 3), ("PATCH /v1/backgroundAssets/*", 1),
  ]
  private static let kinds = ["status 500", "too-many 1s", "drop", "apply-and-drop"]

  private static func object(_ run: Captured) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
  }

  @Test(.world, arguments: requests, kinds)
  func `every command reports correct results and creates nothing twice`(
    request: (path: String, call: Int), kind: String
  ) throws {
    let fault = "\(request.path): \(kind) call \(request.call)"
    // The first submission is refused.
    let site = try MockedService(
      faults: ["PATCH /v1/reviewSubmissions/*: status 409 call 1", fault]
    ) { $0.hasApprovedAppVersion = true }
    func run(_ arguments: String...) throws -> [String: Any] {
      let run = site.run(arguments + ["--format", "json"])
      #expect(run.ending == .status(.done), "\(fault): \(arguments): \(run.messages)")
      return try Self.object(run)
    }
    let uploaded = try run("upload", try site.pack("cave", 100), "--wait")
    let pack = try #require((uploaded["packs"] as? [[String: Any]])?.first)
    #expect(pack["outcome"] as? String == "uploaded", "\(fault)")
    #expect(pack["version"] as? Int == 1, "\(fault)")
    let refused = site.run("app-store", "submit", "cave", "--yes", "--format", "json")
    #expect(refused.ending == .status(.failed), "\(fault)")
    #expect(try Self.object(refused)["outcome"] as? String == "failed", "\(fault)")
    let submitted = try run("app-store", "submit", "cave", "--yes")
    #expect(submitted["state"] as? String == "WAITING_FOR_REVIEW", "\(fault)")
    let id = try #require(submitted["submission"] as? String)
    let listed = try run("app-store", "submissions", "list", "--all")
    let submissions = try #require(listed["submissions"] as? [[String: Any]])
    #expect(submissions.map { $0["id"] as? String } == [id], "\(fault)")
    #expect((submissions.first?["items"] as? [Any])?.count == 1, "\(fault)")
    let canceled = try run("app-store", "submissions", "cancel", id)
    #expect(canceled["outcome"] as? String == "canceled", "\(fault)")
    let versions = try run("app-store", "status", "cave")["versions"] as? [[String: Any]]
    #expect(versions?.map { $0["version"] as? Int } == [1], "\(fault)")
    let archived = site.run("app-store", "archive", "cave", "--confirm", "cave")
    #expect(archived.ending == .status(.done), "\(fault): \(archived.messages)")
    #expect(site.run("app-store", "list").output.hasSuffix("  archived\n"), "\(fault)")
    #expect(site.mock.violations.isEmpty, "\(fault): \(site.mock.violations)")
  }
}
