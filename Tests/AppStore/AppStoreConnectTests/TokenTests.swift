import AppStoreConnect
import Foundation
import SystemIO
import TestSupport
import Testing
import Transfers

/// Tokens, verified with OpenSSL.
@Suite(.mustEnd) struct TokenTests {
  private struct Parts {
    let head: [String: String]
    let claims: [String: Any]
    let message: String
    let signature: [UInt8]
  }

  private static func decode(_ text: Substring) -> [UInt8] {
    var base = String(text).replacing("-", with: "+").replacing("_", with: "/")
    base += String(repeating: "=", count: (4 - base.count % 4) % 4)
    return Data(base64Encoded: base).map { Array($0) } ?? []
  }

  private static func parts(_ field: String) throws -> Parts {
    #expect(field.hasPrefix("Bearer "))
    let words = field.dropFirst(7).split(separator: ".", omittingEmptySubsequences: false)
    #expect(words.count == 3)
    #expect(!field.contains("="))
    let head = try JSONSerialization.jsonObject(with: Data(decode(words[0])))
    let claims = try JSONSerialization.jsonObject(with: Data(decode(words[1])))
    return Parts(
      head: try #require(head as? [String: String]),
      claims: try #require(claims as? [String: Any]), message: "\(words[0]).\(words[1])",
      signature: decode(words[2]))
  }

  /// Returns the signature in ASN.1 format, as OpenSSL requires it.
  private static func der(_ signature: [UInt8]) -> [UInt8] {
    func number(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
      var digits = Array(bytes.drop { $0 == 0 })
      if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
      return [0x02, UInt8(digits.count)] + digits
    }
    let body = number(signature[..<32]) + number(signature[32...])
    return [0x30, UInt8(body.count)] + body
  }

  @Test func `a token contains the issuer and the times in Apple's format`() throws {
    let now = Moment(seconds: 1_790_000_000)
    let pem = try APIKeyTests.pem()
    let team = try APIKey(id: "A1", issuer: APIKeyTests.issuer, pem: pem, origin: "x")
    let parts = try Self.parts(TokenSource(team).field(at: now).value)
    #expect(parts.head == ["alg": "ES256", "kid": "A1", "typ": "JWT"])
    #expect(parts.claims["iss"] as? String == APIKeyTests.issuer)
    #expect(parts.claims["aud"] as? String == "appstoreconnect-v1")
    // Issued 60 seconds in the past, for a clock that is ahead. Valid for 20 minutes in total.
    #expect(parts.claims["iat"] as? Int == 1_790_000_000 - 60)
    #expect(parts.claims["exp"] as? Int == 1_790_000_000 + 19 * 60)
    #expect(parts.claims["sub"] == nil)
    let own = try APIKey(id: "A1", issuer: nil, pem: pem, origin: "x")
    let other = try Self.parts(TokenSource(own).field(at: now).value)
    #expect(other.claims["sub"] as? String == "user")
    #expect(other.claims["iss"] == nil)
  }

  @Test(.needs("openssl"))
  func `OpenSSL accepts each signature, including those of small numbers`() throws {
    let folder = try TemporaryFolder()
    let pem = try APIKeyTests.pem()
    try folder.makeFile("key.pem", pem)
    _ = try Peer.run("openssl pkey -in key.pem -pubout -out public.pem", in: folder.path)
    let key = try APIKey(id: "A1", issuer: nil, pem: pem, origin: "x")
    var shortest = 72
    for second in 0..<12 {
      let field = try TokenSource(key).field(at: Moment(seconds: Int64(second)))
      let parts = try Self.parts(field.value)
      #expect(parts.signature.count == 64)
      let der = Self.der(parts.signature)
      shortest = min(shortest, der.count)
      try folder.makeFile("message", Array(parts.message.utf8))
      try folder.makeFile("signature", der)
      let status = try Peer.run(
        "openssl dgst -sha256 -verify public.pem -signature signature message", in: folder.path)
      #expect(status == 0)
    }
    #expect(shortest < 72)
  }

  @Test func `a token is reused until shortly before its end, or until it is refused`() throws {
    let key = try APIKey(id: "A1", issuer: nil, pem: try APIKeyTests.pem(), origin: "x")
    let tokens = TokenSource(key)
    func value(_ seconds: Int64) throws -> String {
      try tokens.field(at: Moment(seconds: seconds)).value
    }
    let first = try value(1000)
    #expect(try value(1000 + 17 * 60 - 1) == first)
    let second = try value(1000 + 17 * 60)
    #expect(second != first)
    // If the clock was set back, an older token would be from the future.
    let third = try value(500)
    #expect(third != second)
    tokens.discard()
    #expect(try value(500) != third)
  }
}
