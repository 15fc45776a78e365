import AppStoreMock
import SystemIO
import TestSupport
import Testing

/// Packs, versions and files: each transition, and each error.
@Suite(.mustEnd) struct ResourceTests {
  // MARK: Packs

  @Test(arguments: [
    "", "a.b", "a_b", "-a", "a-", "-", "a b", "ä", "a/b", "a\u{0}",
    String(repeating: "a", count: 65), "a--b",
  ])
  func `an invalid identifier is refused`(identifier: String) throws {
    let reply = try MockSite().send(
      409, "POST", "/v1/backgroundAssets",
      MockSite.packBody(identifier.replacing("\u{0}", with: "\\u0000")))
    #expect(reply.code == "ENTITY_ERROR.ATTRIBUTE.INVALID")
    #expect(reply.pointer == "/data/attributes/assetPackIdentifier")
    if identifier.utf8.count < 65, identifier != "a--b" {
      #expect(reply.string("errors.0.detail")?.contains("ITMS-91133") == true)
    }
  }

  @Test func `an identifier is unique in an app regardless of case, even after archiving`()
    throws
  {
    let site = try MockSite()
    let id = try site.makePack("Cave")
    for again in ["Cave", "cave"] {
      let reply = try site.send(409, "POST", "/v1/backgroundAssets", MockSite.packBody(again))
      #expect(reply.code == "ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE")
      #expect(reply.pointer == "/data/attributes/assetPackIdentifier")
    }
    try site.send(200, "PATCH", "/v1/backgroundAssets/\(id)", archive(id, "true"))
    #expect(
      try site.send(409, "POST", "/v1/backgroundAssets", MockSite.packBody("Cave")).code
        == "ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE")
  }

  private func archive(_ id: String, _ value: String) -> String {
    #"{"data":{"type":"backgroundAssets","id":"\#(id)","attributes":{"archived":\#(value)}}}"#
  }

  @Test func `a pack needs an app, and an app has a limit of packs`() throws {
    let site = try MockSite { $0.packLimit = 2 }
    let reply = try site.send(409, "POST", "/v1/backgroundAssets", MockSite.packBody("a", app: "7"))
    #expect(reply.code == "ENTITY_ERROR.RELATIONSHIP.INVALID")
    #expect(reply.pointer == "/data/relationships/app")
    _ = try site.makePack("a")
    _ = try site.makePack("b")
    #expect(
      try site.send(409, "POST", "/v1/backgroundAssets", MockSite.packBody("c")).code
        == "STATE_ERROR")
  }

  @Test func `an archived pack has no available version, and cannot be unarchived`() throws {
    let site = try MockSite()
    let upload = try site.upload(MockSite.archive())
    let path = "/v1/backgroundAssets/\(upload.pack)"
    #expect(
      try site.send(200, "PATCH", path, archive(upload.pack, "null"))["data.attributes.archived"]
        as? Bool == false)
    #expect(
      try site.send(200, "PATCH", path, archive(upload.pack, "false"))["data.attributes.archived"]
        as? Bool == false)
    let reply = try site.send(200, "PATCH", path, archive(upload.pack, "true"))
    #expect(reply["data.attributes.archived"] as? Bool == true)
    #expect(reply.int("data.attributes.usedBytes") == 0)
    let shown = try site.get("\(path)?include=internalBetaVersion")
    #expect(shown.isNull("data.relationships.internalBetaVersion.data"))
    #expect(shown["included"] == nil)
    try site.send(200, "PATCH", path, archive(upload.pack, "true"))
    let refused = try site.send(409, "PATCH", path, archive(upload.pack, "false"))
    #expect(refused.code == "STATE_ERROR")
    #expect(refused.pointer == "/data/attributes/archived")
    #expect(
      try site.send(
        409, "POST", "/v1/backgroundAssetVersions", MockSite.versionBody(upload.pack)
      ).code == "STATE_ERROR")
    try site.send(404, "PATCH", "/v1/backgroundAssets/x", archive("x", "true"))
  }

  @Test func `packs are filtered, sorted, and listed page by page`() throws {
    let site = try MockSite()
    var ids: [String] = []
    for name in ["b", "a", "c"] {
      ids.append(try site.makePack(name))
      site.clock.advance(seconds: 1)
    }
    try site.upload(
      MockSite.archive("c", platforms: #"["macOS"]"#, more: #", "language": "fr""#), pack: ids[2])
    try site.send(200, "PATCH", "/v1/backgroundAssets/\(ids[0])", archive(ids[0], "true"))
    let list = "/v1/apps/\(MockSite.app)/backgroundAssets"
    func names(_ query: String) throws -> [String] {
      let reply = try site.send(200, "GET", list + query)
      return reply.list("data").indices.compactMap {
        reply.string("data.\($0).attributes.assetPackIdentifier")
      }
    }
    #expect(try names("") == ["c", "a", "b"])
    #expect(try names("?sort=createdDate") == ["b", "a", "c"])
    #expect(try names("?sort=assetPackIdentifier") == ["a", "b", "c"])
    #expect(try names("?sort=-assetPackIdentifier") == ["c", "b", "a"])
    #expect(try names("?filter[archived]=true") == ["b"])
    #expect(try names("?filter[archived]=false&sort=createdDate") == ["a", "c"])
    #expect(try names("?filter[archived]=true,false") == ["c", "a", "b"])
    #expect(try names("?filter%5BassetPackIdentifier%5D=a%2Cb") == ["a", "b"])
    #expect(try names("?filter[assetPackIdentifier]=A") == [])
    #expect(try names("?filter[versions.platforms]=MAC_OS,IOS") == ["c"])
    #expect(try names("?filter[versions.platforms]=IOS") == [])
    #expect(try names("?filter[versions.locale]=fr") == ["c"])

    var seen: [String] = []
    var target: String? = list + "?limit=2&sort=createdDate"
    var pages = 0
    while let next = target {
      let reply = try site.send(200, "GET", next)
      #expect(reply.int("meta.paging.total") == 3)
      #expect(reply.int("meta.paging.limit") == 2)
      seen += reply.list("data").indices.compactMap { reply.string("data.\($0).id") }
      pages += 1
      let link = reply.string("links.next")
      #expect((link == nil) == (reply["meta.paging.nextCursor"] == nil))
      #expect(link?.hasPrefix("https://127.0.0.1:8490/v1/apps/") ?? true)
      target = link.map { String($0.dropFirst("https://127.0.0.1:8490".count)) }
    }
    #expect(seen == ids)
    #expect(pages == 2)
    #expect(
      try site.get("\(list.replacing("backgroundAssets", with: "relationships/backgroundAssets"))")
        .list("data").count == 3)
  }

  @Test func `apps are found by their bundle IDs`() throws {
    let site = try MockSite()
    let found = try site.get(
      "/v1/apps?filter[bundleId]=com.example.lantern&fields[apps]=bundleId,name")
    #expect(found.string("data.0.id") == MockSite.app)
    #expect(found.string("data.0.attributes.bundleId") == "com.example.lantern")
    #expect(found["data.0.attributes.sku"] == nil)
    #expect(try site.get("/v1/apps?filter[bundleId]=com.example").list("data").isEmpty)
    #expect(try site.get("/v1/apps/\(MockSite.app)").string("data.attributes.name") == "Lantern")
  }

  // MARK: Versions

  @Test func `version numbers increase, and a failed or abandoned version keeps its number`() throws
  {
    let site = try MockSite()
    let pack = try site.makePack()
    _ = try site.makeVersion(pack)
    try site.upload([1, 2, 3], pack: pack)
    let third = try site.upload(MockSite.archive(), pack: pack)
    let list = "/v1/backgroundAssets/\(pack)/versions"
    func numbers(_ query: String = "") throws -> [String] {
      let reply = try site.send(200, "GET", list + query)
      return reply.list("data").indices.compactMap {
        reply.string("data.\($0).attributes.version")
      }
    }
    #expect(try numbers() == ["3", "2", "1"])
    #expect(try numbers("?sort=version") == ["1", "2", "3"])
    #expect(try numbers("?filter[state]=AWAITING_UPLOAD&sort=-version") == ["1"])
    #expect(try numbers("?filter[state]=FAILED,COMPLETE") == ["3", "2"])
    #expect(try numbers("?filter[version]=2") == ["2"])
    #expect(try numbers("?filter[platforms]=TV_OS") == ["3"])
    #expect(try numbers("?filter[internalBetaRelease.state]=READY_FOR_TESTING") == ["3"])
    #expect(try numbers("?filter[appStoreRelease.state]=IN_REVIEW") == [])
    #expect(try numbers("?limit=1") == ["3"])
    #expect(
      try site.get("/v1/backgroundAssets/\(pack)/relationships/versions").list("data").count == 3)
    #expect(third.version.isEmpty == false)
    let reply = try site.send(
      409, "POST", "/v1/backgroundAssetVersions", MockSite.versionBody("none"))
    #expect(reply.code == "ENTITY_ERROR.RELATIONSHIP.INVALID")
    #expect(reply.pointer == "/data/relationships/backgroundAsset")
  }

  // MARK: Files

  @Test func `a version accepts one file of each type, and none after processing`() throws {
    let site = try MockSite()
    let pack = try site.makePack()
    let version = try site.makeVersion(pack)
    let bytes = MockSite.archive()
    let file = try site.reserve(version, size: bytes.count)
    let again = try site.send(
      409, "POST", "/v1/backgroundAssetUploadFiles", MockSite.fileBody(version, size: 5))
    #expect(again.code == "STATE_ERROR")
    _ = try site.reserve(version, size: 5, type: "MANIFEST", name: "Manifest.json")
    #expect(
      try site.get("/v1/backgroundAssetVersions/\(version)/backgroundAssetUploadFiles")
        .list("data").count == 2)
    #expect(
      try site.get(
        "/v1/backgroundAssetVersions/\(version)/relationships/backgroundAssetUploadFiles"
      ).string("data.0.id") == file.id)
    try site.deliver(bytes, MockSite.parts(file))
    try site.commit(file.id)
    for _ in 0..<2 {
      try site.send(
        409, "POST", "/v1/backgroundAssetUploadFiles",
        MockSite.fileBody(version, size: 5, type: "MANIFEST"))
      site.mock.advance(seconds: 5)
    }
    #expect(
      try site.send(409, "POST", "/v1/backgroundAssetUploadFiles", MockSite.fileBody("x", size: 5))
        .pointer == "/data/relationships/backgroundAssetVersion")
  }

  @Test(arguments: ["", "a/b", "a\\u0000"])
  func `an invalid file name is refused`(name: String) throws {
    let site = try MockSite()
    let version = try site.makeVersion(try site.makePack())
    let reply = try site.send(
      409, "POST", "/v1/backgroundAssetUploadFiles",
      MockSite.fileBody(version, size: 5, name: name))
    #expect(reply.pointer == "/data/attributes/fileName")
  }

  @Test(arguments: ["0", "-1", "9007199254740992", "1.5", "1e3", "\"5\""])
  func `an invalid file size is refused`(size: String) throws {
    let site = try MockSite()
    let version = try site.makeVersion(try site.makePack())
    let body = MockSite.fileBody(version, size: 5).replacing(
      "\"fileSize\":5", with: "\"fileSize\":\(size)")
    let reply = try site.send(409, "POST", "/v1/backgroundAssetUploadFiles", body)
    #expect(reply.pointer == "/data/attributes/fileSize")
  }

  @Test func `parts cover a file of any size without overlaps`() throws {
    let site = try MockSite()
    let pack = try site.makePack()
    for (size, count, last) in [
      (1, 1, 1), (5_242_880, 1, 5_242_880), (5_242_881, 2, 1), (29_993_937 - 937, 6, 3_778_600),
      (1 << 40, 10_000, 0),
    ] {
      let parts = try MockSite.parts(try site.reserve(try site.makeVersion(pack), size: size))
      var place = 0
      for part in parts {
        #expect(part.offset == place)
        place += part.length
      }
      #expect(place == size)
      #expect(parts.count == count)
      if last > 0 { #expect(parts.last?.length == last) }
    }
  }

  @Test func `IDs and addresses are the same for the same requests`() throws {
    let keys = try MockSite().keys
    let sites = try [MockSite(keys: keys), MockSite(keys: keys)]
    let answers = try sites.map { site in
      let reply = try site.reserve(try site.makeVersion(try site.makePack()), size: 10)
      return reply.text.replacing(#/127\.0\.0\.1:\d+/#, with: "host")
    }
    #expect(answers[0] == answers[1])
  }
}
