import AppStoreMock
import SystemIO
import TestSupport
import Testing
import Transfers

/// The processing of uploads.
@Suite(.mustEnd) struct ProcessingTests {
  private func codes(_ reply: MockSite.Reply, _ kind: String) -> [String] {
    reply.list("data.attributes.stateDetails.\(kind)").compactMap {
      ($0 as? [String: Any])?["code"] as? String
    }
  }

  private func outcome(
    _ bytes: [UInt8], platforms: [String] = Platforms.all
  ) throws -> MockSite.Reply {
    let site = try MockSite(platforms: platforms)
    return try site.version(try site.upload(bytes).version)
  }

  @Test func `processing takes time, and a version shows the values of its manifest`() throws {
    let site = try MockSite()
    let upload = try site.upload(
      MockSite.archive(platforms: #"["macOS", "iOS"]"#, more: #", "language": "pt-BR""#),
      isProcessed: false)
    site.clock.advance(seconds: 1)
    let before = try site.version(upload.version)
    #expect(before.string("data.attributes.state") == "PROCESSING")
    #expect(before.isNull("data.attributes.platforms"))
    site.clock.advance(seconds: 1)
    let after = try site.version(upload.version)
    #expect(after.string("data.attributes.state") == "COMPLETE")
    #expect(after["data.attributes.platforms"] as? [String] == ["IOS", "MAC_OS"])
    #expect(after.string("data.attributes.locale") == "pt-BR")
    #expect(codes(after, "errors") == [] && codes(after, "warnings") == [])
    #expect(after.list("data.attributes.stateDetails.infos").isEmpty)
    let file = try site.get("/v1/backgroundAssetUploadFiles/\(upload.file)")
    #expect(file.string("data.attributes.assetDeliveryState.state") == "COMPLETE")
  }

  @Test(arguments: [
    ([1, 2, 3] as [UInt8], "MOCK-ARCHIVE"),
    (Array(MockSite.archive().dropLast(20)), "MOCK-ARCHIVE"),
    (PackBytes.beginning.stream, "MOCK-MANIFEST"),
  ])
  func `an invalid archive fails as a file and as a version`(bytes: [UInt8], code: String) throws {
    let site = try MockSite()
    let upload = try site.upload(bytes)
    let reply = try site.version(upload.version, "?include=internalBetaRelease")
    #expect(reply.string("data.attributes.state") == "FAILED")
    #expect(codes(reply, "errors") == [code])
    #expect(reply["included"] == nil)
    let file = try site.get("/v1/backgroundAssetUploadFiles/\(upload.file)")
    #expect(file.string("data.attributes.assetDeliveryState.state") == "FAILED")
    #expect(file.string("data.attributes.assetDeliveryState.errors.0.code") == code)
  }

  @Test func `a null policy is an error with a number`() throws {
    let reply = try outcome(MockSite.archive(policy: #"{"onDemand": null}"#))
    #expect(reply.string("data.attributes.state") == "FAILED")
    #expect(codes(reply, "errors").first == "91140")
  }

  @Test func `'userInfo', an unknown platform and a missing file are errors`() throws {
    for bytes in [
      MockSite.archive(more: #", "userInfo": {}"#), MockSite.archive(platforms: #"["iPadOS"]"#),
    ] {
      let reply = try outcome(bytes)
      #expect(reply.string("data.attributes.state") == "FAILED")
      #expect(codes(reply, "errors").allSatisfy { $0.hasPrefix("MOCK-") })
    }
    let selectors = #"[{"file": "one.txt"}, {"fileSource": "x", "fileDestination": "two.txt"}]"#
    let missing = try outcome(MockSite.archive(selectors: selectors))
    #expect(codes(missing, "errors") == ["MOCK-FILE"])
    #expect(
      missing.string("data.attributes.stateDetails.errors.0.description")?.contains("two.txt")
        == true)
    let there = try outcome(
      MockSite.archive(files: ["one.txt", "two.txt"], selectors: selectors))
    #expect(there.string("data.attributes.state") == "COMPLETE")
  }

  @Test func `an error of a manifest has the ID of its finding`() throws {
    let reply = try outcome(MockSite.archive(more: #", "platforms": []"#))
    #expect(codes(reply, "errors").contains("MOCK-json.duplicate-key"))
  }

  @Test func `an archive with another ID than the record is an error`() throws {
    let reply = try outcome(MockSite.archive("other"))
    #expect(reply.string("data.attributes.state") == "FAILED")
    #expect(codes(reply, "errors") == ["MOCK-ID"])
  }

  @Test func `an unsupported platform and a removed platform are warnings`() throws {
    let site = try MockSite(platforms: ["IOS", "MAC_OS"])
    let first = try site.upload(MockSite.archive(platforms: #"["iOS", "tvOS"]"#))
    #expect(codes(try site.version(first.version), "warnings") == ["91139"])
    let second = try site.upload(
      MockSite.archive(platforms: #"["macOS"]"#), pack: first.pack)
    let reply = try site.version(second.version)
    #expect(reply.string("data.attributes.state") == "COMPLETE")
    #expect(codes(reply, "warnings") == ["91148", "91148"])
    let all = try site.upload(MockSite.archive(), pack: first.pack)
    #expect(
      try site.version(all.version)["data.attributes.platforms"] as? [String] == ["IOS", "MAC_OS"])
    #expect(codes(try site.version(all.version), "warnings") == [])
  }

  @Test func `a newer version replaces the older one for internal testers`() throws {
    let site = try MockSite()
    let first = try site.upload(MockSite.archive())
    let second = try site.upload(MockSite.archive(files: ["one.txt", "more"]), pack: first.pack)
    func state(_ version: String) throws -> String? {
      try site.version(version, "?include=internalBetaRelease").string(
        "included.0.attributes.state")
    }
    #expect(try state(first.version) == "SUPERSEDED")
    #expect(try state(second.version) == "READY_FOR_TESTING")
    let pack = try site.get(
      "/v1/backgroundAssets/\(first.pack)?include=internalBetaVersion,appStoreVersion")
    #expect(pack.string("data.relationships.internalBetaVersion.data.id") == second.version)
    #expect(pack.isNull("data.relationships.appStoreVersion.data"))
    // The first version is no longer available, so it uses no storage.
    #expect(
      pack.int("data.attributes.usedBytes")
        == MockSite.archive(files: ["one.txt", "more"]).count)
    let release = try #require(
      try site.version(second.version, "?include=internalBetaRelease").string("included.0.id"))
    let shown = try site.get(
      "/v1/backgroundAssetVersionInternalBetaReleases/\(release)?include=backgroundAssetVersion")
    #expect(shown.string("data.attributes.state") == "READY_FOR_TESTING")
    #expect(shown.string("included.0.id") == second.version)
    #expect(
      try site.get("/v1/backgroundAssetVersionAppStoreReleases/\(release)").status == 404)
  }

  @Test func `a version that is processed after a later one replaces no version`() throws {
    let site = try MockSite()
    let pack = try site.makePack()
    let early = try site.makeVersion(pack)
    let late = try site.upload(MockSite.archive(), pack: pack)
    let bytes = MockSite.archive()
    let file = try site.reserve(early, size: bytes.count)
    try site.deliver(bytes, MockSite.parts(file))
    try site.commit(file.id)
    site.mock.advance(seconds: 5)
    #expect(
      try site.version(early, "?include=internalBetaRelease").string("included.0.attributes.state")
        == "SUPERSEDED")
    #expect(
      try site.get("/v1/backgroundAssets/\(pack)?include=internalBetaVersion").string(
        "included.0.id") == late.version)
  }

  @Test func `advancing completes due events, and addresses expire by the clock of clients`() throws
  {
    let site = try MockSite { $0.processingSeconds = 3600 }
    let upload = try site.upload(MockSite.archive(), isProcessed: false)
    let waiting = try site.makeVersion(upload.pack)
    let part = try MockSite.parts(try site.reserve(waiting, size: 1))[0]
    site.mock.advance(seconds: 3600)
    #expect(try site.version(upload.version).string("data.attributes.state") == "COMPLETE")
    site.mock.advance(seconds: 8 * 86_400)
    #expect(try site.put(part.url, [1], part.fields).status == 403)
    // A client compares the expiration date of an address with its own clock, 2026-01-30.
    let file = try #require(try site.state().string("packs.0.versions.1.files.0.id"))
    #expect(
      try site.get("/v1/backgroundAssetUploadFiles/\(file)").string(
        "data.attributes.uploadOperations.0.expiration") == "2026-01-29T00:31:03.007-08:00")
  }

  @Test func `external releases are created with a submission if a switch enables it`() throws {
    let site = try MockSite { $0.releases = .submission }
    let upload = try site.upload(MockSite.archive())
    let query = "?include=externalBetaRelease,appStoreRelease"
    #expect(try site.version(upload.version, query)["included"] == nil)
    _ = try site.control("review", #"{"version": "\#(upload.version)", "beta": "submit"}"#)
    #expect(
      try site.version(upload.version, query).string("included.0.attributes.state")
        == "WAITING_FOR_REVIEW")
  }
}
