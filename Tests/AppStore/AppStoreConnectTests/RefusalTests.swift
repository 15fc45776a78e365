import BAPackKit
import Foundation
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing
import Transfers

@testable import AppStoreConnect

/// The errors and remedies for error responses of the service.
@Suite struct RefusalTests {
  private static func refusal(
    _ status: Int, _ body: String, hiding secrets: [String] = []
  ) -> Refusal {
    var head = ResponseHead()
    head.status = status
    let bytes = Array(body.utf8)
    let json = JSONDocument(parsing: SourceText(bytes, named: "answer"))
    return Refusal(HTTPResponse(head: head, body: bytes), json.root, Secrets(secrets))
  }

  private static func body(_ status: Int, _ code: String, _ place: String) -> String {
    let source = place.isEmpty ? "" : #", "source": {"pointer": "\#(place)"}"#
    return #"""
      {"errors": [{"status": "\#(status)", "code": "\#(code)", "title": "a title",
       "detail": "a detail"\#(source)}]}
      """#
  }

  /// The known errors, each with the start of its remedy.
  private static let rows: [(status: Int, code: String, place: String, help: String)] = [
    (400, "PARAMETER_ERROR.INVALID", "filter[assetPackIdentifier]", "use a pack ID of"),
    (400, "PARAMETER_ERROR", "filter[assetPackIdentifier]", "use a pack ID of letters"),
    (400, "PARAMETER_ERROR.ILLEGAL", "sort", "update this program"),
    (401, "NOT_AUTHORIZED", "", "check that the key ID"),
    (403, "FORBIDDEN_ERROR", "", "assign the role"),
    (404, "NOT_FOUND", "", "check the app's Apple ID"),
    (
      409, "ENTITY_ERROR.ATTRIBUTE.INVALID", "/data/attributes/assetPackIdentifier",
      "use a pack ID of letters"
    ),
    (
      409, "ENTITY_ERROR.ATTRIBUTE.INVALID",
      "/data/attributes/sourceFileChecksums/composite/hash", "omit the checksum"
    ),
    (
      409, "ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE", "/data/attributes/assetPackIdentifier",
      "use another ID"
    ),
    (409, "STATE_ERROR", "", "check the state of the pack"),
    (409, "STATE_ERROR.INVALID_STATE", "", "check the state of the pack"),
    (409, "UNKNOWN.CONTENT_NOT_UPLOADED", "", "run the command again"),
    (409, "ENTITY_ERROR.ATTRIBUTE.REQUIRED", "/data/attributes/x", "update this program"),
    (409, "ENTITY_ERROR.RELATIONSHIP.REQUIRED", "", "update this program"),
    (409, "ENTITY_ERROR.ATTRIBUTE.UNKNOWN", "/data/attributes/x", "update this program"),
    (409, "ENTITY_ERROR.UNEXPECTED_ID", "/data/id", "update this program"),
    (409, "NEVER_SEEN", "", "check the app and its packs"),
    (422, "ENTITY_UNPROCESSABLE", "", "update this program"),
    (429, "RATE_LIMIT_EXCEEDED", "", "wait: the service limits"),
    (500, "UNEXPECTED_ERROR", "", "try again later"), (503, "", "", "try again later"),
  ]

  @Test(arguments: rows)
  func `every known error is reported with a remedy`(
    status: Int, code: String, place: String, help: String
  ) throws {
    let refusal = Self.refusal(status, Self.body(status, code, place))
    let error = refusal.error("create the record of 'cave'")
    let at = place.isEmpty ? "" : " at \(place)"
    #expect(
      error.message
        == "cannot create the record of 'cave': App Store Connect reported: a detail (\(status) "
        + "\(code)\(at))"
    )
    #expect(try #require(error.remedies.first).description.hasPrefix(help))
  }

  @Test func `every remedy applies to a known error`() {
    let refusals = Self.rows.map { row in
      Self.refusal(row.status, Self.body(row.status, row.code, row.place))
    }
    let unused = ServiceAdvice.all.indices.filter { index in
      !refusals.contains { refusal in
        ServiceAdvice.all.firstIndex { $0.fits(refusal) } == index
      }
    }
    // The error is about a search parameter, not about the ID.
    #expect(unused.map { ServiceAdvice.all[$0].code } == ["PARAMETER_ERROR"])
  }

  @Test(arguments: 400...599)
  func `all requests and remedies use one table of transient statuses`(status: Int) {
    let isTransient =
      [408, 425, 429, 500, 502, 503, 504, 509].contains(status) || (520...530).contains(status)
    #expect(Transient.includes(status: status) == isTransient)
    #expect(
      Transient.includes(status: status, forCache: true)
        == (isTransient || [413, 507].contains(status)))
    let refusal = Self.refusal(status, "")
    #expect(ServiceError.refused(refusal).isTransient == isTransient)
    #expect(ServiceError.failed(refusal.error("list")).isTransient == isTransient)
    let remedies = TransferError.status(status).remedies + refusal.remedies
    #expect(
      remedies.count { $0.description.hasPrefix("try again later") }
        == (status == 429 ? 1 : isTransient ? 2 : 0))
  }

  @Test func `associated errors are reported`() {
    let refusal = Self.refusal(
      409,
      #"""
      {"errors": [{"status": "409", "code": "STATE_ERROR.ENTITY_STATE_INVALID", "title": "not \#
      ready",
        "meta": {"associatedErrors": {"/v1/apps/1": [
          {"status": "409", "code": "ENTITY_ERROR.ATTRIBUTE.REQUIRED", "title": "t",
           "detail": "a name is missing", "source": {"pointer": "/data/attributes/name"}}]}}}]}
      """#)
    #expect(
      refusal.phrase
        == "not ready (409 STATE_ERROR.ENTITY_STATE_INVALID); a name is missing "
        + "(409 ENTITY_ERROR.ATTRIBUTE.REQUIRED at /data/attributes/name)")
    #expect(refusal.errors.map(\.isAssociated) == [false, true])
  }

  @Test(arguments: [
    (502, "<html>Bad Gateway</html>", "502 Bad Gateway: <html>Bad Gateway</html>"),
    (504, "", "504 Gateway Timeout"), (409, "{}", "409 Conflict: {}"),
    (409, #"{"errors": "x"}"#, #"409 Conflict: {"errors": "x"}"#),
    (409, #"{"errors": [{}]}"#, "no reason was given (409 )"),
  ])
  func `a response without a list of errors is reported as text`(
    status: Int, body: String, words: String
  ) {
    #expect(Self.refusal(status, body).phrase == words)
  }

  @Test func `secrets are not reported`() {
    let refusal = Self.refusal(
      403,
      #"""
      {"errors": [{"status": "403", "code": "FORBIDDEN_ERROR", "title": "t",
       "detail": "the token ey.J.x may not PUT https://a.example/part?signature=abc today"}]}
      """#, hiding: ["ey.J.x"])
    #expect(
      refusal.phrase
        == "the token … may not PUT https://a.example/part?… today (403 FORBIDDEN_ERROR)")
    #expect(
      Self.refusal(500, "see https://a.example/?key=s#x", hiding: ["s#x"]).phrase
        == "500 Internal Server Error: see https://a.example/?…")
  }

  /// Whether a text has a piece of a secret of 8 or more characters.
  private static func hasPiece(of secret: String, _ text: String) -> Bool {
    let (secret, text) = (Array(secret.utf8), Array(text.utf8))
    guard text.count >= 8 else { return false }
    let pieces = Set((0...secret.count - 8).map { secret[$0..<$0 + 8] })
    return (0...text.count - 8).contains { pieces.contains(text[$0..<$0 + 8]) }
  }

  /// Returns random characters of URL-safe Base64.
  private static func secret(_ count: Int, _ random: inout Seeded) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    return String((0..<count).map { _ in letters[random.next(below: letters.count)] })
  }

  /// Returns a text with cut pieces of a secret, with something before, between and after them.
  private static func echo(of secret: String, _ random: inout Seeded) -> String {
    var text = String(repeating: "x", count: random.next(below: 220))
    for _ in 0...random.next(below: 3) {
      let start = random.next(below: secret.count)
      let count = 1 + random.next(below: secret.count - start)
      text += ["", " ", "Bearer ", "https://a.example/"][random.next(below: 4)]
      text += secret.dropFirst(start).prefix(count)
    }
    return text + String(repeating: "y", count: random.next(below: 3))
  }

  @Test func `no piece of a token is reported, at any place of a response`() {
    var random = Seeded(seed: 53)
    for round in 0..<30 {
      let token = (0..<3).map { _ in Self.secret(20 + random.next(below: 80), &random) }
        .joined(separator: ".")
      let echoes = (0..<4).map { _ in Self.echo(of: token, &random) }
      let texts = [
        echoes[0], "<html>\(echoes[0])</html>", #"{"error": "\#(echoes[0])"}"#,
        #"""
        {"errors": [{"code": "\#(echoes[0])", "title": "\#(echoes[1])", "detail": "\#(echoes[2])",
         "source": {"pointer": "\#(echoes[3])"}}, {"title": "\#(echoes[1])"}]}
        """#,
      ]
      for text in texts {
        var shown = ""
        dump(Self.refusal(403, text, hiding: [token]), to: &shown)
        shown += Self.refusal(403, text, hiding: [token]).error("list").message
        #expect(!Self.hasPiece(of: token, shown), "round \(round): \(shown)")
        #expect(Self.hasPiece(of: "xxxxxxxx", shown) == text.contains("xxxxxxxx"))
      }
    }
  }

  /// A service that repeats the token and the IDs of the key in each text of its responses.
  private final class EchoingTransport: Transport {
    var echo: (String) -> String
    private(set) var token = ""

    init(_ echo: @escaping (String) -> String) { self.echo = echo }

    func exchange(
      _ exchanges: [Exchange], atOnce count: Int, _ work: Work,
      responded: @escaping (Int, HTTPResponse) throws(Failure) -> Void
    ) throws(Failure) {
      token = exchanges[0].fields.first { $0.name == "Authorization" }?.value ?? ""
      let text = echo(token)
      let details = #"[{"code": "\#(text)", "description": "\#(text)"}]"#
      let state = #"{"state": "\#(text)", "errors": \#(details), "warnings": \#(details)}"#
      let body = #"""
        {"data": {"type": "x", "id": "1", "attributes": {
          "name": "\#(text)", "bundleId": "\#(text)", "assetPackIdentifier": "\#(text)",
          "version": "1", "state": "\#(text)", "locale": "\#(text)", "platforms": ["\#(text)"],
          "fileName": "\#(text)", "assetDeliveryState": \#(state),
          "stateDetails": {"errors": \#(details), "warnings": \#(details), "infos": \#(details)}
        }, "relationships": {"assetFile": {"data": {"type": "f", "id": "2"}}}},
        "included": [{"type": "f", "id": "2", "attributes": {"fileName": "\#(text)",
          "assetDeliveryState": \#(state)}}]}
        """#
      var head = ResponseHead()
      head.status = 200
      try responded(0, HTTPResponse(head: head, body: Array(body.utf8)))
    }
  }

  @Test func `no text of a successful response contains a piece of a token or an ID of the key`()
    throws
  {
    var random = Seeded(seed: 55)
    let pem = try APIKeyTests.pem()
    for round in 0..<20 {
      let id = Self.secret(10, &random).replacing("-", with: "A").replacing("_", with: "B")
      let issuer = UUID().uuidString.lowercased()
      let key = try APIKey(id: id, issuer: issuer, pem: pem, origin: "x")
      var seed = random
      _ = random.next(below: 9)
      let transport = EchoingTransport { field in
        let token = String(field.dropFirst("Bearer ".count))
        return "whole \(id) \(issuer) \(token) "
          + [token, id, issuer].map { Self.echo(of: $0, &seed) }.joined(separator: " ")
      }
      let service = AppStoreService(
        try ServiceAddress("https://mock.test"), transport, TokenSource(key), .unstoppable)
      let version = try #require(ResourceID("1"))
      var shown = ""
      dump(try service.version(version), to: &shown)
      dump(try service.file(version), to: &shown)
      dump(try service.makePack("a", of: version), to: &shown)
      #expect(shown.contains("whole …"), "round \(round)")
      for secret in [id, issuer, String(transport.token.dropFirst("Bearer ".count))] {
        #expect(!Self.hasPiece(of: secret, shown), "round \(round): \(shown)")
      }
    }
  }

  @Test func `no piece of a signed address is reported, at any place of a response`() {
    var random = Seeded(seed: 54)
    var head = ResponseHead()
    head.status = 403
    for round in 0..<30 {
      let secrets = (0..<4).map { _ in Self.secret(8 + random.next(below: 80), &random) }
      let part = FilePart(
        range: 0..<1, method: "PUT",
        address: SignedAddress(
          "https://a.example/\(secrets[0])?part=1&Credential=\(secrets[1])%2FQ&sig=\(secrets[2])"),
        fields: [
          HeaderField("Content-Type", "text/plain"), HeaderField("Authorization", secrets[3]),
        ], end: nil)
      for secret in secrets {
        let code = Self.echo(of: secret, &random)
        let body =
          "<Error><Code>\(code)</Code><Message>part 1 of text/plain: "
          + "\(Self.echo(of: secret, &random))</Message></Error>"
        let refusal = PartRefusal(HTTPResponse(head: head, body: Array(body.utf8)), to: part)
        #expect(!Self.hasPiece(of: secret, refusal.reason), "round \(round): \(refusal.reason)")
        #expect(refusal.reason.contains(": part 1 of text/plain: "))
      }
    }
  }

  @Test(arguments: ["91133", "91139", "91140", "91148", "-19247"])
  func `every known number has a remedy, in every form`(number: String) throws {
    let advice = try #require(ProcessingAdvice.remedy(for: number))
    #expect(advice.count > 20)
    #expect(ProcessingAdvice.remedy(for: "ITMS-\(number)") == advice)
    #expect(ProcessingAdvice.remedy(for: "1\(number)") == nil)
  }
}
