import BlockCodecs
import Foundation
import SystemIO
import TerminalText
import TestSupport
import Testing

@testable import AppStoreMock

/// The requests of the mock to webhooks.
@Suite(.mustEnd) struct WebhookTests {
  private static let secret = "webhook secret of the tests"
  static let types = WebhookEvent.Kind.allCases.map { "\"\($0.rawValue)\"" }

  /// The document of a webhook.
  static func body(
    url: String = "http://127.0.0.1:1/hook", types: [String] = types, enabled: Bool = true
  ) -> String {
    """
    {"data":{"type":"webhooks","attributes":{"enabled":\(enabled),"name":"CI","url":"\(url)",
     "secret":"\(secret)","eventTypes":[\(types.joined(separator: ","))]},
     "relationships":{"app":{"data":{"type":"apps","id":"\(MockSite.app)"}}}}}
    """
  }

  @discardableResult private func webhook(
    _ site: MockSite, _ status: Int = 201, url: String = "http://127.0.0.1:1/hook",
    types: [String] = types, enabled: Bool = true
  ) throws -> MockSite.Reply {
    try site.send(
      status, "POST", "/v1/webhooks", Self.body(url: url, types: types, enabled: enabled))
  }

  private func take(_ site: MockSite) -> [WebhookRequest] {
    site.sent.with { sent in
      defer { sent = [] }
      return sent
    }
  }

  private func object(_ request: WebhookRequest) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
    return try #require(object?["data"] as? [String: Any])
  }

  @Test(arguments: [MockSettings.WebhookSignature.prefixed, .digits])
  func `a processed version is sent with a signature`(
    form: MockSettings.WebhookSignature
  ) throws {
    let site = try MockSite { $0.webhookSignature = form }
    let made = try webhook(site)
    #expect(!made.text.contains(Self.secret))
    let upload = try site.upload(MockSite.archive())
    let request = try #require(take(site).first)
    let data = try object(request)
    #expect(data["type"] as? String == "backgroundAssetVersionInternalBetaReleaseCreated")
    let relationships = try #require(data["relationships"] as? [String: Any])
    let instance = try #require(relationships["instance"] as? [String: Any])
    #expect(instance["data"] == nil)
    #expect(instance["type"] as? String == "backgroundAssetVersionInternalBetaReleases")
    let release = try site.version(upload.version, "?include=internalBetaRelease")
    #expect(instance["id"] as? String == release.string("included.0.id"))
    let code = hexadecimal(try authenticationCode(of: request.body, key: Array(Self.secret.utf8)))
    let signature = request.fields.first { $0.name == "x-apple-signature" }?.value
    #expect(signature == (form == .prefixed ? "hmacsha256=\(code)" : code))
    // The secret is not in the log.
    #expect(!site.mock.events.contains { $0.body?.contains(Self.secret) ?? false })
  }

  @Test func `a failed version and the ends of reviews are sent`() throws {
    let site = try MockSite()
    _ = try webhook(site)
    let broken = try site.upload(Array("no archive".utf8))
    let failed = try object(try #require(take(site).first))
    #expect(failed["type"] as? String == "backgroundAssetVersionStateUpdated")
    #expect((failed["attributes"] as? [String: Any])?["newState"] as? String == "FAILED")
    let first = try site.upload(MockSite.archive(), pack: broken.pack)
    _ = take(site)
    _ = try site.control("review", #"{"version": "\#(first.version)", "beta": "submit"}"#)
    #expect(take(site).isEmpty)
    _ = try site.control("review", #"{"version": "\#(first.version)", "beta": "accept"}"#)
    site.mock.advance(seconds: 5)
    let external = try object(try #require(take(site).first))
    #expect(external["type"] as? String == "backgroundAssetVersionExternalBetaReleaseStateUpdated")
    let attributes = try #require(external["attributes"] as? [String: Any])
    #expect(attributes["oldState"] as? String == "PROCESSING_FOR_TESTING")
    #expect(attributes["newState"] as? String == "READY_FOR_TESTING")
  }

  @Test func `only enabled webhooks with the type receive an event`() throws {
    let site = try MockSite()
    _ = try webhook(site, types: ["\"BACKGROUND_ASSET_VERSION_STATE_UPDATED\""])
    _ = try webhook(site, enabled: false)
    _ = try site.upload(MockSite.archive())
    #expect(take(site).isEmpty)
    let list = try site.get("/v1/apps/\(MockSite.app)/webhooks")
    #expect(list.list("data").count == 2)
    let id = try #require(list.string("data.0.id"))
    try site.send(204, "DELETE", "/v1/webhooks/\(id)")
    try site.send(404, "DELETE", "/v1/webhooks/\(id)")
  }

  @Test func `webhooks of other machines, of other types and more than ten are refused`() throws {
    let site = try MockSite()
    for url in ["https://example.com/hook", "ftp://127.0.0.1/", "http://127.0.0.1.example.com/"] {
      #expect(try webhook(site, 409, url: url).pointer == "/data/attributes/url")
    }
    let other = try webhook(site, 409, types: ["\"BUILD_UPLOAD_STATE_UPDATED\""])
    #expect(other.pointer == "/data/attributes/eventTypes")
    for _ in 0..<10 { _ = try webhook(site) }
    _ = try webhook(site, 409)
  }
}
