import AppStoreMock
import SystemIO
import TLSIdentity
import TestSupport
import Testing

/// The form of responses: fields, included resources and addresses.
@Suite(.mustEnd) struct FidelityTests {
  @Test func `a response contains only the requested members and relationships`() throws {
    let site = try MockSite()
    let upload = try site.upload(MockSite.archive())
    let reply = try site.version(
      upload.version,
      "?fields[backgroundAssetVersions]=state,assetFile&include=assetFile,internalBetaRelease"
        + "&fields[backgroundAssetUploadFiles]=fileName")
    #expect((reply["data.attributes"] as? [String: Any])?.keys.sorted() == ["state"])
    #expect((reply["data.relationships"] as? [String: Any])?.keys.sorted() == ["assetFile"])
    #expect((reply["included.0.attributes"] as? [String: Any])?.keys.sorted() == ["fileName"])
    #expect(reply.list("included").count == 2)
    let none = try site.version(upload.version, "?fields[backgroundAssetVersions]=version")
    #expect(none["data.relationships"] == nil)
  }

  @Test func `a resource is included once, even if several relationships lead to it`() throws {
    let site = try MockSite()
    let first = try site.upload(MockSite.archive())
    try site.upload(MockSite.archive(), pack: first.pack)
    let reply = try site.get(
      "/v1/backgroundAssets/\(first.pack)/versions?include=backgroundAsset,internalBetaRelease")
    #expect(reply.list("data").count == 2)
    let types = reply.list("included").compactMap { ($0 as? [String: Any])?["type"] as? String }
    #expect(types.filter { $0 == "backgroundAssets" }.count == 1)
    #expect(types.count == 3)
    #expect(
      reply.string("data.0.relationships.backgroundAsset.data.id") == first.pack)
  }

  @Test func `a response contains its address with a percent-encoded query`() throws {
    let site = try MockSite()
    let pack = try site.makePack()
    let target = "/v1/backgroundAssets/\(pack)?fields[backgroundAssets]=archived,usedBytes"
    let reply = try site.get(target)
    #expect(
      reply.string("links.self")
        == "https://127.0.0.1:8490/v1/backgroundAssets/\(pack)"
        + "?fields%5BbackgroundAssets%5D=archived%2CusedBytes")
    #expect(
      reply.string("data.links.self") == "https://127.0.0.1:8490/v1/backgroundAssets/\(pack)")
    let shown = try site.get("/v1/backgroundAssets/\(pack)")
    #expect(
      shown.string("data.relationships.versions.links.related")
        == "https://127.0.0.1:8490/v1/backgroundAssets/\(pack)/versions")
    #expect(
      shown.string("data.relationships.versions.links.self")
        == "https://127.0.0.1:8490/v1/backgroundAssets/\(pack)/relationships/versions")
  }

  @Test func `addresses have the host of the request, if it is a valid name`() throws {
    let site = try MockSite()
    func address(_ host: String) throws -> String? {
      try site.send("GET", "/v1/apps", host: host).string("links.self")
    }
    #expect(try address("localhost:8490") == "https://localhost:8490/v1/apps")
    for host in ["127.0.0.1:8490", "localhost", "example.com", "localhost:1"] {
      #expect(try address(host) == "https://127.0.0.1:8490/v1/apps")
    }
  }

  @Test func `the log contains the requests in order with bodies and without secrets`() throws {
    let site = try MockSite()
    _ = try site.upload(MockSite.archive())
    // The end of each test searches the data of the mock for secrets; this test does it earlier,
    // too.
    let text = try site.state().text
    site.watch.search(text, in: "the state")
    site.watch.search(dumpOf: site.mock.events, in: "the events")
    #expect(text.contains("Signature=…"))
    let events = try site.state().list("requests").compactMap { $0 as? [String: Any] }
    #expect(events.compactMap { $0["number"] as? Int } == Array(1...events.count))
    let first = try #require(events.first)
    #expect((first["body"] as? String)?.contains(#""assetPackIdentifier":"cave""#) == true)
    let fields = try #require(first["fields"] as? [String: String])
    #expect(fields["content-type"] == "application/json" && fields["authorization"] == "…")
    let part = events.first { $0["to"] as? String == "storage" }
    #expect(part?["body"] == nil && (part?["bytes"] as? Int).map { $0 > 0 } == true)
  }
}
