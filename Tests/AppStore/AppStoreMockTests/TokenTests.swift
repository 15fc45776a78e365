import AppStoreMock
import SystemIO
import TLSIdentity
import TestSupport
import Testing

/// The validation of tokens; a client does not get the reason of a refusal.
@Suite(.mustEnd) struct TokenTests {
  private let site: MockSite
  private let now: Int64

  init() throws {
    site = try MockSite()
    now = site.clock.now.seconds
  }

  private var issuer: String { site.keys.issuer }

  private func claims(
    _ who: String? = nil, iat: Int64 = 0, exp: Int64 = 600,
    aud: String = #""appstoreconnect-v1""#, more: String = ""
  ) -> String {
    "{\(who ?? #""iss":"\#(issuer)""#),\"iat\":\(now + iat),\"exp\":\(now + exp),"
      + "\"aud\":\(aud)\(more)}"
  }

  private func head(_ kid: String? = nil, alg: String = "ES256", typ: String = "JWT") -> String {
    #"{"alg":"\#(alg)","kid":"\#(kid ?? site.keys.teamKeyID)","typ":"\#(typ)"}"#
  }

  private func status(_ token: String, _ method: String = "GET") throws -> Int {
    try site.send(
      method, method == "GET" ? "/v1/apps" : "/v1/backgroundAssets",
      method == "GET" ? nil : MockSite.packBody("cave"), token: "Bearer \(token)"
    ).status
  }

  private func refusal(of token: String?) throws -> String? {
    let reply = try site.send("GET", "/v1/apps", token: .some(token))
    #expect(reply.status == 401)
    #expect(reply.code == "NOT_AUTHORIZED")
    #expect(reply.string("errors.0.status") == "401")
    #expect(
      reply.string("errors.0.title") == "Authentication credentials are missing or invalid.")
    let remark = site.mock.events.last?.remark
    if let remark { #expect(!reply.text.contains(remark)) }
    return remark
  }

  @Test func `a team key has an issuer, and an individual key the subject 'user'`() throws {
    #expect(try status(try site.token(claims: claims())) == 200)
    let own = head(site.keys.individualKeyID)
    #expect(try status(try site.token(head: own, claims: claims(#""sub":"user""#))) == 200)
    for wrong in [#""sub":"somebody""#, #""iss":"x""#, #""iss":"\#(issuer)","sub":"user""#] {
      #expect(try status(try site.token(head: own, claims: claims(wrong))) == 401)
      #expect(try status(try site.token(claims: claims(wrong))) == 401)
    }
  }

  @Test func `a token is valid for at most twenty minutes, and not before its creation`() throws {
    #expect(try status(try site.token(claims: claims(exp: 1200))) == 200)
    #expect(try status(try site.token(claims: claims(exp: 1201))) == 401)
    #expect(try status(try site.token(claims: claims(iat: 60, exp: 700))) == 200)
    #expect(try status(try site.token(claims: claims(iat: 61, exp: 700))) == 401)
    #expect(try status(try site.token(claims: claims(iat: -600, exp: 0))) == 401)
    #expect(try status(try site.token(claims: claims(iat: -600, exp: 1))) == 200)
    #expect(try status(try site.token(claims: claims(iat: 10, exp: 10))) == 401)
    let token = try site.token(claims: claims(exp: 1200))
    site.clock.advance(seconds: 1199)
    #expect(try status(token) == 200)
    site.clock.advance(seconds: 1)
    #expect(try status(token) == 401)
  }

  @Test func `a signature consists of r and s, and matches the key`() throws {
    #expect(
      try refusal(of: "Bearer \(try site.token(key: PrivateKey.make()))")
        == "the signature does not match the key 'BAMOCKTEAM'")
    #expect(
      try refusal(of: "Bearer \(try site.token { $0[63] ^= 1 })")
        == "the signature does not match the key 'BAMOCKTEAM'")
    #expect(
      try refusal(of: "Bearer \(try site.token { $0 = [0x30, 0x44] + $0 })")?
        .hasPrefix("the signature has 66 bytes") == true)
    #expect(
      try refusal(of: "Bearer \(try site.token { $0 = Array(repeating: 0, count: 64) })") != nil)
  }

  @Test func `a token has a known algorithm, key and audience, and three parts without padding`()
    throws
  {
    for text in [head("OTHER"), head(alg: "HS256"), head(alg: "none"), head(typ: "X"), "{}", "[]"] {
      #expect(try status(try site.token(head: text)) == 401)
    }
    for aud in [#""x""#, #"["appstoreconnect-v1"]"#, "1"] {
      #expect(try status(try site.token(claims: claims(aud: aud))) == 401)
    }
    let token = try site.token()
    for text in [
      nil, "", "Bearer", "Basic \(token)", "Bearer \(token) x", "Bearer \(token)=",
      "Bearer \(token).", "Bearer a.b", "Bearer ..", "Bearer \(token.replacing(".", with: "+."))",
      token,
    ] as [String?] {
      #expect(try refusal(of: text) != nil)
    }
    #expect(try refusal(of: nil) == "'Authorization' is missing")
    #expect(try refusal(of: "bearer \(token)x") != nil)
    #expect(try site.send("GET", "/v1/apps", token: "bearer \(token)").status == 200)
  }

  @Test func `a token with a scope allows only reading`() throws {
    let token = try site.token(claims: claims(more: #","scope":["GET /v1/apps"]"#))
    #expect(try status(token) == 200)
    #expect(try status(token, "POST") == 401)
    #expect(try status(try site.token(claims: claims()), "POST") == 201)
  }

  @Test func `tokens are checked against the clock, even after the mock advances`() throws {
    site.mock.advance(seconds: 90 * 86_400)
    #expect(try status(try site.token(claims: claims())) == 200)
    #expect(try status(try site.token(claims: claims(iat: -1200, exp: 0))) == 401)
    #expect(try site.state().string("now")?.hasPrefix("2026-04-30T09:31:03") == true)
  }

  @Test func `OpenSSL and the mock accept the same signatures`()
    throws
  {
    let key = try PrivateKey.make()
    let message = Array("a.b".utf8)
    for _ in 0..<300 {
      let signature = try key.es256Signature(of: message)
      #expect(key.isES256Signature(signature, of: message))
      #expect(!key.isES256Signature(signature, of: message + [0]))
      #expect(!key.isES256Signature(Array(signature.reversed()), of: message))
    }
    #expect(!key.isES256Signature([], of: message))
    #expect(!key.isES256Signature([UInt8](repeating: 255, count: 64), of: message))
  }
}
