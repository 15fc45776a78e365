import AppStoreMock
import SystemIO
import TestSupport
import Testing

/// Review: submissions, their items, and the decisions of reviewers.
@Suite(.mustEnd) struct ReviewTests {
  private func submission(_ site: MockSite, platform: String = "IOS") throws -> String {
    try site.send(
      201, "POST", "/v1/reviewSubmissions",
      """
      {"data":{"type":"reviewSubmissions","attributes":{"platform":"\(platform)"},
       "relationships":{"app":{"data":{"type":"apps","id":"\(MockSite.app)"}}}}}
      """
    ).id
  }

  private func itemBody(_ submission: String, _ relationships: String) -> String {
    """
    {"data":{"type":"reviewSubmissionItems","relationships":{
     "reviewSubmission":{"data":{"type":"reviewSubmissions",\
     "id":"\(submission)"}}\(relationships)}}}
    """
  }

  private func version(_ id: String) -> String {
    #", "backgroundAssetVersion":{"data":{"type":"backgroundAssetVersions","id":"\#(id)"}}"#
  }

  private func appVersion(_ site: MockSite) throws -> String {
    let id = try #require(try site.state().string("apps.0.appStoreVersion"))
    return #", "appStoreVersion":{"data":{"type":"appStoreVersions","id":"\#(id)"}}"#
  }

  private func add(
    _ site: MockSite, _ submission: String, _ relationships: String, _ status: Int = 201
  ) throws -> MockSite.Reply {
    try site.send(status, "POST", "/v1/reviewSubmissionItems", itemBody(submission, relationships))
  }

  private func change(
    _ site: MockSite, _ id: String, _ attributes: String, _ status: Int = 200,
    type: String = "reviewSubmissions"
  ) throws -> MockSite.Reply {
    try site.send(
      status, "PATCH", "/v1/\(type)/\(id)",
      #"{"data":{"type":"\#(type)","id":"\#(id)","attributes":{\#(attributes)}}}"#)
  }

  private func release(_ site: MockSite, _ version: String, _ kind: String = "appStoreRelease")
    throws -> String?
  {
    try site.version(version, "?include=\(kind)").string("included.0.attributes.state")
  }

  @Test
  func `an approved submission is distributed, and a second version replaces the first`()
    throws
  {
    let site = try MockSite { $0.hasApprovedAppVersion = true }
    let first = try site.upload(MockSite.archive())
    #expect(try release(site, first.version) == "PREPARE_FOR_SUBMISSION")
    let one = try submission(site)
    _ = try add(site, one, version(first.version))
    #expect(try release(site, first.version) == "READY_FOR_REVIEW")
    let submitted = try change(site, one, #""submitted":true"#)
    #expect(submitted.string("data.attributes.state") == "WAITING_FOR_REVIEW")
    #expect(submitted.string("data.attributes.submittedDate") != nil)
    #expect(try release(site, first.version) == "WAITING_FOR_REVIEW")
    _ = try site.control("review", #"{"submission": "\#(one)", "decision": "begin"}"#)
    #expect(try release(site, first.version) == "IN_REVIEW")
    _ = try site.control("review", #"{"submission": "\#(one)", "decision": "accept"}"#)
    #expect(try release(site, first.version) == "PROCESSING_FOR_DISTRIBUTION")
    #expect(
      try site.get("/v1/reviewSubmissions/\(one)").string("data.attributes.state") == "COMPLETING")
    site.mock.advance(seconds: 5)
    #expect(try release(site, first.version) == "READY_FOR_DISTRIBUTION")
    #expect(
      try site.get("/v1/reviewSubmissions/\(one)").string("data.attributes.state") == "COMPLETE")
    let pack = "/v1/backgroundAssets/\(first.pack)?include=appStoreVersion"
    #expect(try site.get(pack).string("included.0.id") == first.version)

    let second = try site.upload(MockSite.archive(), pack: first.pack)
    // The first version remains available until the second one is approved.
    #expect(try release(site, first.version) == "READY_FOR_DISTRIBUTION")
    let two = try submission(site)
    _ = try add(site, two, version(second.version))
    _ = try change(site, two, #""submitted":true"#)
    _ = try site.control("review", #"{"submission": "\#(two)", "decision": "accept"}"#)
    site.mock.advance(seconds: 5)
    #expect(try release(site, first.version) == "SUPERSEDED")
    #expect(try release(site, second.version) == "READY_FOR_DISTRIBUTION")
    #expect(try site.get(pack).string("included.0.id") == second.version)
  }

  @Test func `the first packs require a version of the app`() throws {
    let site = try MockSite()
    let upload = try site.upload(MockSite.archive())
    let id = try submission(site)
    _ = try add(site, id, version(upload.version))
    let refused = try change(site, id, #""submitted":true"#, 409)
    #expect(
      refused.string("errors.0.detail")
        == "App must have an approved appStoreVersions, or an appStoreVersions must be included in "
        + "this review submission.")
    _ = try add(site, id, try appVersion(site))
    _ = try add(site, id, try appVersion(site), 409)
    _ = try change(site, id, #""submitted":true"#)
  }

  @Test func `an item has exactly one version that can be reviewed`() throws {
    let site = try MockSite()
    let upload = try site.upload(MockSite.archive())
    let id = try submission(site)
    #expect(try add(site, id, "", 409).code == "ENTITY_ERROR.RELATIONSHIP.REQUIRED")
    #expect(
      try add(site, id, version(upload.version) + (try appVersion(site)), 409).code
        == "ENTITY_ERROR.RELATIONSHIP.INVALID")
    #expect(
      try add(site, id, version("none"), 409).pointer
        == "/data/relationships/backgroundAssetVersion")
    #expect(
      try add(site, "none", version(upload.version), 409).pointer
        == "/data/relationships/reviewSubmission")
    let waiting = try site.makeVersion(upload.pack)
    let refused = try add(site, id, version(waiting), 409)
    #expect(refused.code == "STATE_ERROR.INVALID_STATE")
    let associated = refused["errors.0.meta.associatedErrors"] as? [String: [[String: Any]]]
    #expect(
      associated?["/v1/backgroundAssetVersions/\(waiting)"]?.first?["detail"] as? String
        == "The version is in the state AWAITING_UPLOAD, not COMPLETE.")
    _ = try add(site, id, version(upload.version))
    #expect(try add(site, id, version(upload.version), 409).code?.hasPrefix("STATE_ERROR") == true)
    let other = try site.upload(MockSite.archive(), pack: upload.pack)
    #expect(try add(site, id, version(other.version), 409).code == "STATE_ERROR")
  }

  @Test func `a submission has at most ten packs, and an app two submissions`() throws {
    let site = try MockSite()
    let id = try submission(site)
    for number in 0...10 {
      let pack = try site.makePack("p\(number)")
      let upload = try site.upload(MockSite.archive("p\(number)"), pack: pack)
      _ = try add(site, id, version(upload.version), number < 10 ? 201 : 409)
    }
    _ = try submission(site)
    try site.send(
      409, "POST", "/v1/reviewSubmissions",
      """
      {"data":{"type":"reviewSubmissions","attributes":{"platform":"IOS"},
       "relationships":{"app":{"data":{"type":"apps","id":"\(MockSite.app)"}}}}}
      """)
    _ = try submission(site, platform: "MAC_OS")
    let list = try site.get(
      "/v1/reviewSubmissions?filter[app]=\(MockSite.app)&filter[platform]=IOS")
    #expect(list.list("data").count == 2)
    let items = try site.get("/v1/reviewSubmissions/\(id)/items?include=backgroundAssetVersion")
    #expect(items.list("data").count == 10)
    #expect(items.list("included").count == 10)
    #expect(items.string("data.0.relationships.backgroundAssetVersion.data.id") != nil)
    let shown = try site.get("/v1/reviewSubmissions/\(id)?include=items,app&limit[items]=3")
    #expect(shown.list("data.relationships.items.data").count == 3)
    #expect(shown.list("included").count == 4)
  }

  @Test func `only a submitted submission can be cancelled`() throws {
    let site = try MockSite { $0.hasApprovedAppVersion = true }
    let upload = try site.upload(MockSite.archive())
    let id = try submission(site)
    #expect(
      try change(site, id, #""canceled":true"#, 409).string("errors.0.detail")
        == "Resource is not in cancellable state")
    #expect(try change(site, id, #""submitted":true"#, 409).code == "STATE_ERROR")
    _ = try add(site, id, version(upload.version))
    for wrong in [
      #""submitted":false"#, #""canceled":false"#, #""submitted":true,"canceled":true"#,
      #""platform":"MAC_OS""#,
    ] {
      #expect(
        try change(site, id, wrong, 409).code == "ENTITY_ERROR.ATTRIBUTE.INVALID")
    }
    _ = try change(site, id, #""submitted":true"#)
    #expect(
      try change(site, id, #""submitted":true"#, 409).code == "STATE_ERROR.INVALID_STATE")
    _ = try add(site, id, version(upload.version), 409)
    #expect(
      try change(site, id, #""canceled":true"#).string("data.attributes.state") == "CANCELING")
    #expect(try release(site, upload.version) == "PREPARE_FOR_SUBMISSION")
    site.mock.advance(seconds: 5)
    #expect(
      try site.get("/v1/reviewSubmissions/\(id)").string("data.attributes.state") == "COMPLETE")
  }

  @Test func `a rejected item is resolved or removed, but not during the review`() throws {
    let site = try MockSite { $0.hasApprovedAppVersion = true }
    let upload = try site.upload(MockSite.archive())
    let id = try submission(site)
    let item = try add(site, id, version(upload.version)).id
    try site.send(204, "DELETE", "/v1/reviewSubmissionItems/\(item)")
    #expect(try release(site, upload.version) == "PREPARE_FOR_SUBMISSION")
    try site.send(404, "DELETE", "/v1/reviewSubmissionItems/\(item)")
    let again = try add(site, id, version(upload.version)).id
    _ = try change(site, id, #""submitted":true"#)
    try site.send(409, "DELETE", "/v1/reviewSubmissionItems/\(again)")
    _ = try change(site, again, #""removed":true"#, 409, type: "reviewSubmissionItems")
    _ = try site.control("review", #"{"submission": "\#(id)", "decision": "reject"}"#)
    #expect(try release(site, upload.version) == "REJECTED")
    #expect(
      try site.get("/v1/reviewSubmissions/\(id)").string("data.attributes.state")
        == "UNRESOLVED_ISSUES")
    _ = try change(site, id, #""submitted":true"#, 409)
    #expect(
      try change(site, again, #""resolved":true"#, type: "reviewSubmissionItems")
        .string("data.attributes.state") == "READY_FOR_REVIEW")
    _ = try change(site, again, #""resolved":true"#, 409, type: "reviewSubmissionItems")
    _ = try change(site, id, #""submitted":true"#)
    _ = try change(site, id, #""canceled":true"#)
    let other = try submission(site)
    let last = try add(site, other, version(upload.version)).id
    #expect(
      try change(site, last, #""removed":true"#, type: "reviewSubmissionItems")
        .string("data.attributes.state") == "REMOVED")
    _ = try change(site, last, #""removed":true"#, 409, type: "reviewSubmissionItems")
    _ = try change(site, "x", #""removed":true"#, 404, type: "reviewSubmissionItems")
  }

  @Test func `external testers get a version after a review by the control interface`() throws {
    let site = try MockSite()
    let upload = try site.upload(MockSite.archive())
    func step(_ name: String, _ status: Int = 200) throws {
      _ = try site.control(
        "review", #"{"version": "\#(upload.version)", "beta": "\#(name)"}"#, status)
    }
    func state() throws -> String? { try release(site, upload.version, "externalBetaRelease") }
    #expect(try state() == "READY_FOR_BETA_SUBMISSION")
    try step("accept", 409)
    try step("submit")
    #expect(try state() == "WAITING_FOR_REVIEW")
    try step("begin")
    #expect(try state() == "IN_REVIEW")
    try step("reject")
    #expect(try state() == "REJECTED")
    try step("submit")
    try step("accept")
    #expect(try state() == "PROCESSING_FOR_TESTING")
    site.mock.advance(seconds: 5)
    #expect(try state() == "READY_FOR_TESTING")
    #expect(
      try site.get("/v1/backgroundAssets/\(upload.pack)?include=externalBetaVersion").string(
        "included.0.id") == upload.version)
    for wrong in [
      "{}", #"{"version": "x"}"#, #"{"version": "x", "beta": "y"}"#, #"{"submission": "x"}"#, "[]",
    ] {
      _ = try site.control("review", wrong, 400)
    }
    _ = try site.control("review", #"{"submission": "x", "decision": "accept"}"#, 409)
  }
}
