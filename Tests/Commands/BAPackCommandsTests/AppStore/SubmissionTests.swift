import AppStoreMock
import Arguments
import Foundation
import TestSupport
import Testing

@testable import BAPackCommands

/// `app-store submit` and `app-store submissions`: a failed submission does not block the next one.
@Suite(.mustEnd) struct SubmissionTests {
  private static func site(
    _ packs: String..., faults: [String] = [], approved: Bool = true
  ) throws -> MockedService {
    let site = try MockedService(faults: faults) { $0.hasApprovedAppVersion = approved }
    for pack in packs {
      let run = site.run("upload", try site.pack(pack, 100), "--wait")
      guard run.ending == .status(.done) else {
        throw MockedService.Refused(messages: run.messages)
      }
    }
    return site
  }

  private static func made(_ site: MockedService) -> Int {
    site.heard("POST", "/v1/reviewSubmissions").count
  }

  private static func submissions(_ site: MockedService) throws -> [[String: Any]] {
    let run = site.run("app-store", "submissions", "list", "--all", "--format", "json")
    #expect(run.ending == .status(.done), "\(run.messages)")
    let object = try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any]
    return try #require(object?["submissions"] as? [[String: Any]])
  }

  private static func states(_ site: MockedService) throws -> [String] {
    try submissions(site).map { $0["state"] as? String ?? "" }
  }

  @Test func `a refused submission is emptied and reused by the next attempts`() throws {
    let site = try Self.site(
      "cave", "isle", faults: ["PATCH /v1/reviewSubmissions/*: status 409 3 times"])
    for _ in 0..<3 {
      let run = site.run("app-store", "submit", "cave", "isle", "--yes", "--format", "json")
      #expect(run.ending == .status(.failed))
      #expect(run.messages.contains("app-store submissions list"), "\(run.messages)")
      #expect(run.output.contains(#""outcome": "failed""#), "\(run.output)")
      let list = site.run("app-store", "submissions", "list")
      #expect(list.output.contains("ready for review  not submitted  no items"))
    }
    let run = site.run("app-store", "submit", "isle", "--yes")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(Self.made(site) == 1)
    let list = site.run("app-store", "submissions", "list")
    #expect(list.output.contains("  waiting for review  submitted "), "\(list.output)")
    #expect(list.output.contains("isle version 1 (ready for review)\n"), "\(list.output)")
  }

  @Test func `submission items of an interrupted attempt are shown and removed`() throws {
    // The item of 'cave' is created. The next request fails, and the removal of the item fails.
    let site = try Self.site(
      "cave", "isle",
      faults: [
        "PATCH /v1/reviewSubmissions/*: status 409 once",
        "GET /v1/reviewSubmissions/*: status 403 once",
      ])
    let failed = site.run("app-store", "submit", "cave", "--yes")
    #expect(failed.ending == .status(.failed))
    #expect(failed.messages.contains("keeps the versions"), "\(failed.messages)")
    let planned = site.run("app-store", "submit", "isle")
    #expect(planned.messages.contains("of an earlier attempt is removed"), "\(planned.messages)")
    #expect(site.heard("DELETE").isEmpty)
    #expect(site.run("app-store", "submit", "isle", "--yes").ending == .status(.done))
    #expect(Self.made(site) == 1)
    let items = try #require(try Self.submissions(site).first?["items"] as? [[String: Any]])
    #expect(items.map { $0["pack"] as? String } == ["isle"])
    // The removed version can be submitted later.
    #expect(site.run("app-store", "submit", "cave", "--yes").ending == .status(.done))
  }

  @Test func `a live or submitted version is refused before a submission is created`() throws {
    let site = try Self.site("cave")
    #expect(site.run("app-store", "submit", "cave", "--yes").ending == .status(.done))
    let twice = site.run("app-store", "submit", "cave", "--yes")
    #expect(twice.ending == .status(.failed))
    #expect(
      twice.messages.contains("version 1 of 'cave' was already submitted: waiting for review"))
    let id = try #require(try Self.submissions(site).first?["id"] as? String)
    try site.control("review", #"{"submission": "\#(id)", "decision": "accept"}"#)
    try site.control("advance", #"{"seconds": 60}"#)
    let live = site.run("app-store", "submit", "cave", "--yes")
    #expect(live.ending == .status(.failed))
    #expect(live.messages.contains("version 1 of 'cave' is already live"), "\(live.messages)")
    #expect(Self.made(site) == 1)
    #expect(try Self.states(site) == ["COMPLETE"])
    let list = site.run("app-store", "submissions", "list")
    #expect(list.messages.contains("The app has no incomplete submission."))
  }

  @Test func `versions of a canceled submission can be submitted again`() throws {
    let site = try Self.site("cave")
    #expect(site.run("app-store", "submit", "cave", "--yes").ending == .status(.done))
    let id = try #require(try Self.submissions(site).first?["id"] as? String)
    let canceled = site.run("app-store", "submissions", "cancel", id, "--format", "json")
    #expect(canceled.ending == .status(.done), "\(canceled.messages)")
    #expect(canceled.output.contains(#""outcome": "canceled""#))
    #expect(canceled.messages.contains("Canceled the submission \(id): cave version 1"))
    #expect(site.run("app-store", "submit", "cave", "--yes").ending == .status(.done))
    #expect(try Self.states(site) == ["COMPLETE", "WAITING_FOR_REVIEW"])
    let absent = site.run("app-store", "submissions", "cancel", "absent")
    #expect(absent.ending == .status(.failed))
    #expect(absent.messages.contains("the app has no submission 'absent'"))
    let over = site.run("app-store", "submissions", "cancel", id)
    #expect(over.messages.contains(": complete"), "\(over.messages)")
  }

  @Test func `canceling a submission that was not sent removes its items`() throws {
    let site = try Self.site(
      "cave",
      faults: [
        "PATCH /v1/reviewSubmissions/*: status 409 once",
        "GET /v1/reviewSubmissions/*: status 403 once",
      ])
    #expect(site.run("app-store", "submit", "cave", "--yes").ending == .status(.failed))
    let id = try #require(try Self.submissions(site).first?["id"] as? String)
    let canceled = site.run("app-store", "submissions", "cancel", id)
    #expect(canceled.ending == .status(.done))
    #expect(canceled.messages.contains("Removed the items of the submission"))
    let again = site.run("app-store", "submissions", "cancel", id)
    #expect(again.ending == .status(.done))
    #expect(again.messages.contains("has no items"), "\(again.messages)")
  }

  @Test(
    .heavy,
    arguments: [
      "POST /v1/reviewSubmissions: apply-and-drop once", "POST /v1/reviewSubmissions: drop once",
      "POST /v1/reviewSubmissionItems: apply-and-drop once",
      "POST /v1/reviewSubmissionItems: status 500 once",
      "PATCH /v1/reviewSubmissions/*: apply-and-drop once",
      "PATCH /v1/reviewSubmissions/*: status 503 once",
    ])
  func `a lost response causes a lookup, and no version is submitted twice`(fault: String) throws {
    let site = try Self.site("cave", faults: [fault])
    let run = site.run("app-store", "submit", "cave", "--yes")
    #expect(run.ending == .status(.done), "\(fault): \(run.messages)")
    #expect(run.messages.contains("checking in "), "\(run.messages)")
    let found = try Self.submissions(site)
    #expect(found.count == 1, "\(fault)")
    #expect((found.first?["items"] as? [Any])?.count == 1, "\(fault)")
    #expect(try Self.states(site) == ["WAITING_FOR_REVIEW"], "\(fault)")
  }
}
