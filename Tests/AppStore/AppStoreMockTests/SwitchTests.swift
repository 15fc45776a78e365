// Long, because one table contains a test of each switch.
import AppStoreMock
import Foundation
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// Each switch with each of its values; a test detects missing switches.
@Suite(.mustEnd) struct SwitchTests {
  private typealias Trial = @Sendable (String) throws -> Void

  private static func reservation(_ change: @escaping (inout MockSettings) -> Void, size: Int = 100)
    throws -> (MockSite, MockSite.Reply)
  {
    let site = try MockSite(change)
    return (site, try site.reserve(try site.makeVersion(try site.makePack()), size: size))
  }

  private static func choose<Choice: RawRepresentable<String>>(
    _ value: String, _ choice: inout Choice
  ) {
    choice = Choice(rawValue: value) ?? choice
  }

  /// The test of each switch, for each value in the table; for numbers, a value other than the
  /// default.
  private static let trials: [String: Trial] = [
    "rateLimit": { value in
      let site = try MockSite { $0.rateLimit = Int(value) ?? 0 }
      #expect(try site.get("/v1/apps").field("X-Rate-Limit") == "user-hour-lim:7;user-hour-rem:6;")
    },
    "rateLimitHeader": { value in
      let field = try MockSite { choose(value, &$0.rateLimitHeader) }.get("/v1/apps").field(
        "X-Rate-Limit")
      #expect((field == nil) == (value == "absent"))
      #expect((field == "user-hour-lim:;user-hour-rem=many") == (value == "malformed"))
    },
    "retryAfter": { value in
      let site = try MockSite {
        $0.rateLimit = 1
        choose(value, &$0.retryAfter)
      }
      _ = try site.get("/v1/apps")
      site.clock.advance(seconds: 100)
      let field = try site.get("/v1/apps").field("Retry-After")
      #expect(
        field == ["none": nil, "seconds": "3500", "date": "Fri, 30 Jan 2026 10:31:03 GMT"][value])
    },
    "packLimit": { value in
      let site = try MockSite { $0.packLimit = Int(value) ?? 0 }
      for number in 0..<7 { _ = try site.makePack("p\(number)") }
      try site.send(409, "POST", "/v1/backgroundAssets", MockSite.packBody("p7"))
    },
    "releases": { value in
      let site = try MockSite { choose(value, &$0.releases) }
      let upload = try site.upload(MockSite.archive())
      #expect(
        try site.version(upload.version, "?include=appStoreRelease").list("included").count
          == (value == "complete" ? 1 : 0))
    },
    "platformsBefore": { value in
      let site = try MockSite { choose(value, &$0.platformsBefore) }
      let version = try site.version(try site.makeVersion(try site.makePack()))
      #expect(version.isNull("data.attributes.platforms") == (value == "null"))
      #expect((version["data.attributes.platforms"] as? [String] == []) == (value == "empty"))
    },
    "processingSeconds": { value in
      let site = try MockSite { $0.processingSeconds = Int(value) ?? 0 }
      let upload = try site.upload(MockSite.archive(), isProcessed: false)
      site.clock.advance(seconds: 6)
      #expect(try site.version(upload.version).string("data.attributes.state") == "PROCESSING")
      site.clock.advance(seconds: 1)
      #expect(try site.version(upload.version).string("data.attributes.state") == "COMPLETE")
    },
    "partSize": { value in
      let (_, file) = try reservation { $0.partSize = Int(value) ?? 0 }
      #expect(try MockSite.parts(file).map(\.length) == Array(repeating: 7, count: 14) + [2])
    },
    "partSizes": { value in
      let (_, file) = try reservation {
        $0.partSize = 20
        choose(value, &$0.partSizes)
      }
      #expect(
        try MockSite.parts(file).map(\.length)
          == (value == "equal" ? [20, 20, 20, 20, 20] : [10, 20, 30, 10, 20, 10]))
    },
    "operationOrder": { value in
      let (_, file) = try reservation {
        $0.partSize = 10
        choose(value, &$0.operationOrder)
      }
      let offsets = try MockSite.parts(file).map(\.offset)
      #expect(offsets.sorted() == Array(stride(from: 0, to: 100, by: 10)))
      #expect((offsets == offsets.sorted()) == (value == "ascending"))
    },
    "extraHeader": { value in
      let (_, file) = try reservation { $0.extraHeader = value == "true" }
      #expect(try MockSite.parts(file)[0].fields.count == (value == "true" ? 2 : 1))
    },
    "uploadAddresses": { value in
      let (site, file) = try reservation { choose(value, &$0.uploadAddresses) }
      site.clock.advance(seconds: 86_400)
      let again = try site.get("/v1/backgroundAssetUploadFiles/\(file.id)")
      let urls = try [file, again].map { try MockSite.parts($0)[0].url }
      #expect((urls[0] == urls[1]) == (value == "kept"))
      #expect(
        again.string("data.attributes.uploadOperations.0.expiration")
          == (value == "kept" ? "2026-02-06T01:31:03.007-08:00" : "2026-02-07T01:31:03.007-08:00"))
    },
    "md5": { value in
      let (site, file) = try reservation { choose(value, &$0.md5) }
      let reply = try site.send(
        409, "PATCH", "/v1/backgroundAssetUploadFiles/\(file.id)",
        MockSite.commitBody(
          file.id, #""uploaded":true,"sourceFileChecksums":{"file":{"hash":"a","algorithm":"MD5"}}"#
        ))
      #expect(
        reply.code
          == (value == "refuse"
            ? "ENTITY_ERROR.ATTRIBUTE.INVALID" : "ENTITY_ERROR.CONTENT_NOT_UPLOADED"))
    },
    "commitState": { value in
      let (site, file) = try reservation { choose(value, &$0.commitState) }
      try site.deliver([UInt8](repeating: 0, count: 100), MockSite.parts(file))
      #expect(
        try site.commit(file.id).string("data.attributes.assetDeliveryState.state") == value)
    },
    "hasApprovedAppVersion": { value in
      let site = try MockSite { $0.hasApprovedAppVersion = value == "true" }
      try submit(site, value == "true" ? 200 : 409)
    },
    "betaReviewSubmissions": { value in
      let site = try MockSite { choose(value, &$0.betaReviewSubmissions) }
      let upload = try site.upload(MockSite.archive())
      try site.send(
        value == "present" ? 201 : 404, "POST", "/v1/betaBackgroundAssetReviewSubmissions",
        """
        {"data":{"type":"betaBackgroundAssetReviewSubmissions","relationships":{
         "backgroundAssetVersion":{"data":{"type":"backgroundAssetVersions",\
         "id":"\(upload.version)"}}}}}
        """)
    },
    "webhookSignature": { value in
      let site = try MockSite { choose(value, &$0.webhookSignature) }
      try site.send(201, "POST", "/v1/webhooks", WebhookTests.body())
      try site.upload(MockSite.archive())
      let fields = site.sent.with { $0.first?.fields } ?? []
      let signature = fields.first { $0.name == "x-apple-signature" }?.value ?? ""
      #expect(signature.hasPrefix("hmacsha256=") == (value == "prefixed"))
    },
    "nullAttributes": { value in
      let (site, file) = try reservation { choose(value, &$0.nullAttributes) }
      #expect(file.isNull("data.attributes.sourceFileChecksum") == (value == "null"))
      #expect((file["data.attributes.sourceFileChecksum"] == nil) == (value == "absent"))
      let pack = try site.get(
        "/v1/apps/\(MockSite.app)/backgroundAssets?include=internalBetaVersion")
      #expect(
        pack.isNull("data.0.relationships.internalBetaVersion.data") == (value == "null"))
    },
    "toOneRelationships": { value in
      let site = try MockSite { choose(value, &$0.toOneRelationships) }
      let pack = try site.get("/v1/backgroundAssets/\(try site.makePack())")
      #expect((pack["data.relationships.app"] == nil) == (value == "absent"))
      #expect(pack["data.relationships.app.data"] == nil)
      #expect((pack["data.relationships.app.links.related"] == nil) == (value == "absent"))
    },
    "dates": { value in
      let (site, file) = try reservation { choose(value, &$0.dates) }
      let pack = try site.get("/v1/apps/\(MockSite.app)/backgroundAssets")
      let dates = [
        pack.string("data.0.attributes.createdDate"),
        try site.version(try #require(try site.state().string("packs.0.versions.0.id"))).string(
          "data.attributes.createdDate"),
        file.string("data.attributes.uploadOperations.0.expiration"),
      ]
      let ends = dates.map { String(($0 ?? "").dropFirst("2026-01-30T09:31:03.007".count)) }
      #expect(
        ends
          == [
            "offset": ["-08:00", "-08:00", "-08:00"], "letter": ["Z", "Z", "Z"],
            "zero": ["+00:00", "+00:00", "+00:00"], "mixed": ["-08:00", "Z", "+00:00"],
          ][value])
    },
    "unknownMembers": { value in
      let (_, file) = try reservation { $0.unknownMembers = value == "true" }
      #expect((file["data.attributes.futureField"] != nil) == (value == "true"))
    },
    "unknownStates": { value in
      let site = try MockSite { $0.unknownStates = value == "true" }
      let upload = try site.upload(MockSite.archive(), isProcessed: false)
      #expect(
        try site.version(upload.version).string("data.attributes.state")
          == (value == "true" ? "NEW_STATE" : "PROCESSING"))
      site.mock.advance(seconds: 5)
      #expect(try site.version(upload.version).string("data.attributes.state") == "COMPLETE")
    },
  ]

  @discardableResult private static func submit(
    _ site: MockSite, _ status: Int
  ) throws -> (version: String, submission: String) {
    let upload = try site.upload(MockSite.archive())
    let submission = try site.send(
      201, "POST", "/v1/reviewSubmissions",
      #"{"data":{"type":"reviewSubmissions","relationships":{"app":{"data":{"type":"apps","#
        + #""id":"\#(MockSite.app)"}}}}}"#
    ).id
    try site.send(
      201, "POST", "/v1/reviewSubmissionItems",
      """
      {"data":{"type":"reviewSubmissionItems","relationships":{
       "reviewSubmission":{"data":{"type":"reviewSubmissions","id":"\(submission)"}},
       "backgroundAssetVersion":{"data":{"type":"backgroundAssetVersions",\
       "id":"\(upload.version)"}}}}}
      """)
    try site.send(
      status, "PATCH", "/v1/reviewSubmissions/\(submission)",
      #"{"data":{"type":"reviewSubmissions","id":"\#(submission)","#
        + #""attributes":{"submitted":true}}}"#
    )
    return (upload.version, submission)
  }

  private static let names = MockSettings.table.record.names

  private static let values: [(name: String, value: String)] = MockSettings.table.record.keys
    .flatMap {
      key in
      switch key.shape {
      case .bool: ["false", "true"].map { (key.name, $0) }
      case .word(let words): words.map { (key.name, $0) }
      default: [(key.name, "7")]
      }
    }

  @Test(arguments: values)
  func `a switch has the effect of each of its values`(
    name: String, value: String
  ) throws {
    let trial = try #require(Self.trials[name], "'\(name)' has no test")
    try trial(value)
  }

  @Test func `every switch is tested`() {
    #expect(Set(Self.trials.keys) == Set(Self.names))
    #expect(Set(Self.names).count == Self.names.count)
  }

  @Test func `every switch is set by a test of the client`() throws {
    let folders = ["Commands/BAPackCommandsTests", "AppStore/AppStoreConnectTests"]
    let texts = try folders.map { Checkout.file("Tests/\($0)") }.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".swift") }
        .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    }
    for name in Self.names {
      let setting = ".\(name) = "
      #expect(texts.contains { $0.contains(setting) }, "no test of the client sets '\(name)'")
    }
  }

  // MARK: The file

  private func read(_ text: String) -> MockSettings.Document {
    MockSettings.read(SourceText(Array(text.utf8), named: "switches.json"))
  }

  @Test func `a file sets its switches, and can contain comments`() throws {
    var expected = MockSettings()
    expected.partSize = 64
    expected.extraHeader = true
    expected.dates = .mixed
    let document = read("// for CI\n{partSize: 64, 'extraHeader': true, \"dates\": \"mixed\",}")
    #expect(document.findings.isEmpty)
    #expect(document.switches == expected)
    #expect(read("{}").switches == MockSettings())
    #expect(read("\(MockSettings.table.value(of: expected))").switches == expected)
  }

  @Test func `the printed file sets the defaults`() {
    let document = read(MockSettings.template)
    #expect(document.findings.isEmpty)
    #expect(document.switches == MockSettings())
    #expect(Self.names.allSatisfy { MockSettings.template.contains("\"\($0)\": ") })
  }

  @Test(arguments: [
    (#"{"partsize": 1}"#, "partSize"), (#"{"partSize": 0}"#, "a whole number from 1"),
    (#"{"partSize": "5"}"#, "a whole number"),
    (#"{"rateLimit": 1.5}"#, "a whole number from 0 to 1000000"),
    (#"{"extraHeader": 1}"#, "true or false"),
    (#"{"dates": "utc"}"#, "'offset', 'letter', 'zero' or 'mixed'"), ("[]", "object"), ("{", "}"),
  ])
  func `an error in a file is reported with valid values`(text: String, expected: String) {
    let document = read(text)
    #expect(document.findings.hasErrors)
    let texts = document.findings.map { "\($0.message) \($0.notes) \($0.fixes)" }.joined()
    #expect(texts.contains(expected), "\(texts)")
  }
}
