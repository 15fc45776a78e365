import AppStoreMock
import SystemIO
import TestSupport
import Testing

/// The checks of every request before its resource is found.
@Suite(.mustEnd) struct PipelineTests {
  // MARK: Rate limit

  @Test func `every response contains the remaining requests of a rolling hour`() throws {
    let site = try MockSite { $0.rateLimit = 3 }
    func left() throws -> String? { try site.get("/v1/apps").field("X-Rate-Limit") }
    #expect(try left() == "user-hour-lim:3;user-hour-rem:2;")
    site.clock.advance(seconds: 600)
    #expect(try left() == "user-hour-lim:3;user-hour-rem:1;")
    #expect(
      try site.send("GET", "/nowhere").field("X-Rate-Limit") == "user-hour-lim:3;user-hour-rem:0;")
    let refused = try site.get("/v1/apps")
    #expect(refused.status == 429)
    #expect(refused.code == "RATE_LIMIT_EXCEEDED")
    #expect(refused.field("Retry-After") == nil)
    #expect(refused.field("X-Rate-Limit") == "user-hour-lim:3;user-hour-rem:0;")
    // The first one is an hour old, the others are not.
    site.clock.advance(seconds: 3001)
    #expect(try left() == "user-hour-lim:3;user-hour-rem:0;")
    #expect(try site.get("/v1/apps").status == 429)
  }

  @Test func `each key has a separate budget, and an invalid token counts, too`() throws {
    let site = try MockSite { $0.rateLimit = 1 }
    #expect(try site.get("/v1/apps").status == 200)
    #expect(try site.get("/v1/apps").status == 429)
    let now = site.clock.now.seconds
    let own = try site.token(
      head: #"{"alg":"ES256","kid":"\#(site.keys.individualKeyID)","typ":"JWT"}"#,
      claims: #"{"sub":"user","iat":\#(now),"exp":\#(now + 5),"aud":"appstoreconnect-v1"}"#)
    #expect(try site.send("GET", "/v1/apps", token: "Bearer \(own)").status == 200)
    #expect(try site.send("GET", "/v1/apps", token: .some(nil)).status == 401)
    #expect(try site.send("GET", "/v1/apps", token: .some(nil)).status == 429)
  }

  // MARK: Paths and methods

  @Test(arguments: [
    "/", "/v1", "/v1/", "/v1/builds", "/v2/apps", "/v1/apps/1/builds", "/v1/backgroundAssets/1/app",
    "/v1/betaAppReviewSubmissions", "/v1/backgroundAssets/1/2/3/4", "/v1/backgroundAssets/",
  ])
  func `an unknown path is not found`(path: String) throws {
    let reply = try MockSite().get(path)
    #expect(reply.status == 404)
    #expect(reply.code == "PATH_ERROR")
  }

  @Test(arguments: [
    (
      "DELETE", "/v1/backgroundAssets/1",
      "The resource 'backgroundAssets' does not allow 'DELETE'. Allowed operations are: CREATE, "
        + "GET_INSTANCE, UPDATE"
    ),
    (
      "GET", "/v1/backgroundAssets",
      "The resource 'backgroundAssets' does not allow 'GET_COLLECTION'. Allowed operations are: "
        + "CREATE, GET_INSTANCE, UPDATE"
    ),
    (
      "GET", "/v1/backgroundAssetVersions",
      "The resource 'backgroundAssetVersions' does not allow 'GET_COLLECTION'. Allowed operations "
        + "are: CREATE, GET_INSTANCE"
    ),
    (
      "PATCH", "/v1/backgroundAssetVersions/1",
      "The resource 'backgroundAssetVersions' does not allow 'UPDATE'. Allowed operations are: "
        + "CREATE, GET_INSTANCE"
    ),
    (
      "DELETE", "/v1/backgroundAssetUploadFiles/1",
      "The resource 'backgroundAssetUploadFiles' does not allow 'DELETE'. Allowed operations are: "
        + "CREATE, GET_INSTANCE, UPDATE"
    ),
    (
      "POST", "/v1/backgroundAssetVersionInternalBetaReleases",
      "The resource 'backgroundAssetVersionInternalBetaReleases' does not allow 'CREATE'. Allowed "
        + "operations are: GET_INSTANCE"
    ),
    (
      "DELETE", "/v1/reviewSubmissions/1",
      "The resource 'reviewSubmissions' does not allow 'DELETE'. Allowed operations are: CREATE, "
        + "GET_COLLECTION, GET_INSTANCE, UPDATE"
    ),
  ])
  func `a method that a resource does not support is refused with status 403, not 405`(
    method: String, path: String, detail: String
  ) throws {
    let reply = try MockSite().send(method, path)
    #expect(reply.status == 403)
    #expect(reply.code == "FORBIDDEN_ERROR")
    #expect(reply.string("errors.0.detail") == detail)
  }

  @Test(arguments: [
    ("/v1/backgroundAssets/none", "backgroundAssets"),
    ("/v1/backgroundAssetVersions/none", "backgroundAssetVersions"),
    ("/v1/backgroundAssetUploadFiles/none", "backgroundAssetUploadFiles"),
    ("/v1/apps/none", "apps"), ("/v1/apps/none/backgroundAssets", "apps"),
    ("/v1/backgroundAssets/none/versions", "backgroundAssets"),
    ("/v1/backgroundAssetVersions/none/backgroundAssetUploadFiles", "backgroundAssetVersions"),
    (
      "/v1/backgroundAssetVersionAppStoreReleases/none", "backgroundAssetVersionAppStoreReleases"
    ),
    ("/v1/reviewSubmissions/none/items", "reviewSubmissions"),
  ])
  func `an unknown ID is not found`(path: String, type: String) throws {
    let reply = try MockSite().get(path)
    #expect(reply.status == 404)
    #expect(reply.code == "NOT_FOUND")
    #expect(
      reply.string("errors.0.detail") == "There is no resource of type '\(type)' with id 'none'")
  }

  // MARK: Parameters

  @Test(arguments: [
    ("/v1/apps/A/backgroundAssets?sort=x", "PARAMETER_ERROR.INVALID", "sort"),
    (
      "/v1/apps/A/backgroundAssets?sort=createdDate,assetPackIdentifier",
      "PARAMETER_ERROR.INVALID", "sort"
    ),
    ("/v1/apps/A/backgroundAssets?limit=0", "PARAMETER_ERROR.INVALID", "limit"),
    ("/v1/apps/A/backgroundAssets?limit=201", "PARAMETER_ERROR.INVALID", "limit"),
    ("/v1/apps/A/backgroundAssets?limit=ten", "PARAMETER_ERROR.INVALID", "limit"),
    ("/v1/apps/A/backgroundAssets?limit=5&limit=6", "PARAMETER_ERROR.INVALID", "limit"),
    ("/v1/apps/A/backgroundAssets?include=versions", "PARAMETER_ERROR.INVALID", "include"),
    ("/v1/apps/A/backgroundAssets?include=app&include=app", "PARAMETER_ERROR.INVALID", "include"),
    (
      "/v1/apps/A/backgroundAssets?filter%5Barchived%5D=yes", "PARAMETER_ERROR.INVALID",
      "filter[archived]"
    ),
    (
      "/v1/apps/A/backgroundAssets?filter[assetPackIdentifier]=a.b", "PARAMETER_ERROR.INVALID",
      "filter[assetPackIdentifier]"
    ),
    (
      "/v1/apps/A/backgroundAssets?filter[versions.platforms]=iOS", "PARAMETER_ERROR.INVALID",
      "filter[versions.platforms]"
    ),
    (
      "/v1/apps/A/backgroundAssets?fields[backgroundAssets]=size", "PARAMETER_ERROR.INVALID",
      "fields[backgroundAssets]"
    ),
    ("/v1/apps/A/backgroundAssets?fields[builds]=x", "PARAMETER_ERROR.ILLEGAL", "fields[builds]"),
    ("/v1/apps/A/backgroundAssets?cursor=zzz", "PARAMETER_ERROR.INVALID", "cursor"),
    ("/v1/apps/A/backgroundAssets?x=1", "PARAMETER_ERROR.ILLEGAL", "x"),
    ("/v1/backgroundAssetUploadFiles/1?sort=x", "PARAMETER_ERROR.ILLEGAL", "sort"),
    ("/v1/backgroundAssetUploadFiles/1?include=x", "PARAMETER_ERROR.ILLEGAL", "include"),
    (
      "/v1/backgroundAssets/1/versions?filter[state]=READY", "PARAMETER_ERROR.INVALID",
      "filter[state]"
    ),
    (
      "/v1/backgroundAssets/1/versions?filter[version]=", "PARAMETER_ERROR.INVALID",
      "filter[version]"
    ),
    (
      "/v1/backgroundAssets/1/versions?filter[internalBetaRelease.state]=REJECTED",
      "PARAMETER_ERROR.INVALID", "filter[internalBetaRelease.state]"
    ),
    ("/v1/reviewSubmissions", "PARAMETER_ERROR.REQUIRED", "filter[app]"),
    (
      "/v1/reviewSubmissions?filter[app]=1&limit[items]=51", "PARAMETER_ERROR.INVALID",
      "limit[items]"
    ),
  ])
  func `an unknown parameter is refused with its name`(
    target: String, code: String, parameter: String
  ) throws {
    let site = try MockSite()
    let reply = try site.get(target.replacing("/A/", with: "/\(MockSite.app)/"))
    #expect(reply.status == 400)
    #expect(reply.code == code)
    #expect(reply.parameter == parameter)
    if code == "PARAMETER_ERROR.ILLEGAL" {
      #expect(
        reply.string("errors.0.detail")
          == "The parameter '\(parameter)' can not be used with this request")
    }
  }

  @Test func `all errors of a query are reported together`() throws {
    let reply = try MockSite().get("/v1/apps?x=1&limit=0&y=2")
    #expect(reply.list("errors").count == 3)
  }

  // MARK: Bodies

  @Test func `a body must be JSON with its content type, and only in requests with a document`()
    throws
  {
    let site = try MockSite()
    let body = MockSite.packBody("cave")
    for type in ["text/plain", "application/vnd.api+json", "application/jsonx"] {
      let reply = try site.send(
        "POST", "/v1/backgroundAssets", body, fields: ["Content-Type: \(type)"])
      #expect(reply.status == 415)
    }
    for type in ["application/json; charset=utf-8", "Application/JSON"] {
      let reply = try site.send(
        "POST", "/v1/backgroundAssets", MockSite.packBody("p\(type.utf8.count)"),
        fields: ["Content-Type: \(type)"])
      #expect(reply.status == 201)
    }
    #expect(try site.send("GET", "/v1/apps", "{}").status == 422)
  }

  @Test(arguments: [
    "", "{", "{'data': {}}", "{data: {}}", #"{"data": {},}"#, "{} x", #"{"data": NaN}"#,
    "// a\n{}", #"{"data": {"type": "backgroundAssets", "type": "apps"}}"#,
    #"{"data": {}, "data": {}}"#, #"{"data": "\#u{1}"}"#, #"{"data": 01}"#,
    String(repeating: "[", count: 1000),
  ])
  func `a body that is not strict JSON, or has duplicate keys, is refused`(body: String) throws {
    let reply = try MockSite().send("POST", "/v1/backgroundAssets", body)
    #expect(reply.status == 400, "\(reply.text)")
    #expect(reply.code == "ENTITY_INVALID")
  }

  @Test(arguments: [
    ("1", "/data"), ("[]", "/data"), ("{}", "/data"), (#"{"data": []}"#, "/data"),
    (#"{"data": {}}"#, "/data/type"), (#"{"data": {"type": 1}}"#, "/data/type"),
  ])
  func `JSON that is not a document is unprocessable`(body: String, pointer: String) throws {
    let reply = try MockSite().send("POST", "/v1/backgroundAssets", body)
    #expect(reply.status == 422)
    #expect(reply.code == "ENTITY_UNPROCESSABLE")
    #expect(reply.pointer == pointer)
  }
}
