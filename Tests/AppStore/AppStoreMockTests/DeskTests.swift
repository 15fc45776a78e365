import AppStoreMock
import TestSupport
import Testing

/// Requests that the test interface accepts, and the apps of a mock.
@Suite(.mustEnd) struct DeskTests {
  @Test(
    arguments: [
      ("localhost", nil), ("localhost:1", nil), ("LOCALHOST:65535", nil), ("127.0.0.1:8490", nil),
      ("127.8.9.1", nil), ("[::1]:9000", nil), ("mock.localhost:9000", nil),
      ("localhost:9000", "Origin: https://localhost:9000"),
      ("127.0.0.1:8490", "Sec-Fetch-Site: same-origin"), ("127.0.0.1", "Sec-Fetch-Site: none"),
    ] as [(String, String?)])
  func `local programs and pages may control a mock at any port`(
    host: String, field: String?
  ) throws {
    let site = try MockSite()
    let reply = try site.send(
      "POST", "/__mock/advance", #"{"seconds": 1}"#, token: .some(nil),
      fields: field.map { [$0] } ?? [], host: host)
    #expect(reply.status == 200, "\(reply.text)")
  }

  @Test(
    arguments: [
      ("example.com", nil), ("localhost.example.com:8490", nil), ("127.0.0.1.example.com", nil),
      ("128.0.0.1:8490", nil), ("127.0.0:8490", nil), ("localhost:99999", nil), ("localhost:", nil),
      ("[::2]", nil), ("[::1", nil), ("", nil), ("10.0.0.1:8490", nil),
      ("localhost:8490", "Origin: https://example.com"), ("localhost:8490", "Origin: null"),
      ("localhost:8490", "Origin: https://localhost:9000"),
      ("localhost:8490", "Sec-Fetch-Site: cross-site"),
      ("localhost:8490", "Sec-Fetch-Site: same-site"),
    ] as [(String, String?)])
  func `other hosts and pages of other origins are refused`(host: String, field: String?) throws {
    let site = try MockSite()
    _ = try site.makePack()
    let reply = try site.send(
      "POST", "/__mock/reset", "{}", token: .some(nil), fields: field.map { [$0] } ?? [],
      host: host)
    #expect(reply.status == 403)
    #expect(reply.string("error")?.isEmpty == false)
    #expect(try site.state().list("packs").count == 1)
  }

  @Test func `an app that a client requests exists, unless the apps are restricted`() throws {
    let target = "/v1/apps?filter[bundleId]=com.example.x"
    let restricted = try MockSite()
    #expect(try restricted.get(target).list("data").isEmpty)
    #expect(try restricted.get("/v1/apps/7/backgroundAssets").status == 404)
    let site = try MockSite(hasEveryApp: true)
    let app = try #require(try site.get(target).string("data.0.id"))
    #expect(MockApp.isAppleID(app))
    #expect(try site.get(target).string("data.0.id") == app)
    #expect(try site.get(target).string("data.0.attributes.bundleId") == "com.example.x")
    #expect(try MockSite(hasEveryApp: true).get(target).string("data.0.id") == app)
    try site.send(201, "POST", "/v1/backgroundAssets", MockSite.packBody("cave", app: app))
    #expect(try site.get("/v1/apps/\(app)/backgroundAssets").list("data").count == 1)
    // A request with only an Apple ID also creates an app.
    try site.send(201, "POST", "/v1/backgroundAssets", MockSite.packBody("cave", app: "77"))
    #expect(try site.get("/v1/apps/78/backgroundAssets").list("data").isEmpty)
    #expect(try site.get("/v1/reviewSubmissions?filter[app]=79").list("data").isEmpty)
    #expect(try site.state().list("apps").count == 5)
    for wrong in ["x", "com..x", "a b.c", "com.example."] {
      let text = wrong.replacing(" ", with: "%20")
      #expect(try site.get("/v1/apps?filter[bundleId]=\(text)").list("data").isEmpty)
    }
    #expect(try site.get("/v1/apps/none").status == 404)
  }

  @Test func `an app that a client requested exists in the next run`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("state.json")
    let first = try MockSite(state: path, hasEveryApp: true)
    _ = try first.get("/v1/apps?filter[bundleId]=com.example.x")
    first.mock.end()
    #expect(try MockSite(state: path).state().list("apps").count == 2)
  }
}
