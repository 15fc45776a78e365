import FoundationEssentials
import SystemIO
import TLSIdentity
import TerminalText

/// Validates tokens; the reason is only for the log, because the service does not report it.
struct TokenCheck: Sendable {
  let keys: MockKeys

  /// The number of seconds by which 'iat' may be ahead, because clocks differ.
  private static let tolerance: Int64 = 60
  static let longestLife: Int64 = 1200
  static let audience = "appstoreconnect-v1"

  private struct Head: Decodable {
    let alg: String
    let kid: String
    let typ: String?
  }

  private struct Claims: Decodable {
    let iss: String?
    let sub: String?
    let iat: Int64
    let exp: Int64
    let aud: String
    let scope: [String]?
  }

  /// Returns the key ID in a request, without validation: it is used to count requests.
  static func keyID(in field: String?) -> String? {
    guard let part = token(in: field)?.split(separator: ".").first, let bytes = bytes(of: part)
    else { return nil }
    return (try? JSONDecoder().decode(Head.self, from: Data(bytes)))?.kid
  }

  private static func token(in field: String?) -> Substring? {
    guard let field else { return nil }
    let parts = field.split(separator: " ")
    return parts.count == 2 && parts[0].lowercased() == "bearer" ? parts[1] : nil
  }

  /// Returns the reason why a token is invalid; nil if it is valid.
  func problem(with field: String?, for method: String, at now: Moment) -> String? {
    guard let field else { return "'Authorization' is missing" }
    guard let token = Self.token(in: field) else {
      return "'Authorization' is not a 'Bearer' token"
    }
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, !token.contains("=") else {
      return "the token does not have three parts without padding"
    }
    guard let headBytes = Self.bytes(of: parts[0]), let claimBytes = Self.bytes(of: parts[1]),
      let signature = Self.bytes(of: parts[2])
    else { return "a part of the token is not URL-safe Base64" }
    guard let head = try? JSONDecoder().decode(Head.self, from: Data(headBytes)) else {
      return "cannot parse the header of the token"
    }
    guard head.alg == "ES256" else { return "'alg' is '\(head.alg)', not 'ES256'" }
    guard head.typ ?? "JWT" == "JWT" else { return "'typ' is not 'JWT'" }
    guard head.kid == keys.teamKeyID || head.kid == keys.individualKeyID else {
      return "no key has the ID '\(head.kid)'"
    }
    guard signature.count == 64 else {
      return "the signature has \(signature.count) bytes, not 64: it must consist of r and s"
    }
    let message = Array("\(parts[0]).\(parts[1])".utf8)
    guard keys.key.isES256Signature(signature, of: message) else {
      return "the signature does not match the key '\(head.kid)'"
    }
    guard let claims = try? JSONDecoder().decode(Claims.self, from: Data(claimBytes)) else {
      return "cannot parse 'iat', 'exp' and 'aud'"
    }
    return problem(with: claims, of: head.kid, for: method, at: now)
  }

  private func problem(
    with claims: Claims, of key: String, for method: String, at now: Moment
  ) -> String? {
    guard claims.aud == Self.audience else { return "'aud' is not '\(Self.audience)'" }
    guard claims.exp > now.seconds else { return "the token has expired" }
    let (life, overflows) = claims.exp.subtractingReportingOverflow(claims.iat)
    guard !overflows, life > 0, life <= Self.longestLife else {
      return "the token is valid for \(life) seconds; the maximum is \(Self.longestLife)"
    }
    guard Moment(seconds: claims.iat).seconds(since: now) <= Self.tolerance else {
      return "'iat' is in the future"
    }
    if key == keys.teamKeyID {
      guard claims.iss == keys.issuer else { return "'iss' is not the issuer of the key" }
      guard claims.sub == nil else { return "the token of a team key contains 'sub'" }
    } else {
      guard claims.sub == "user" else { return "'sub' of an individual key must be 'user'" }
      guard claims.iss == nil else { return "the token of an individual key contains 'iss'" }
    }
    if claims.scope != nil, method != "GET" { return "a token with a 'scope' allows only GET" }
    return nil
  }

  /// Parses URL-safe Base64 without padding.
  private static func bytes(of text: Substring) -> [UInt8]? {
    guard text.utf8.allSatisfy({ $0.isLetterOrDigit || "-_".utf8.contains($0) }) else {
      return nil
    }
    let usual = text.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - usual.utf8.count % 4) % 4)
    return Data(base64Encoded: usual + padding).map { Array($0) }
  }
}

/// The number of requests of each key in the last hour.
struct Budgets: Sendable {
  private var times: [String: [Moment]] = [:]

  /// Counts a request, and returns the number of remaining requests; nil if the limit is exceeded.
  mutating func count(_ key: String, limit: Int, at now: Moment) -> Int? {
    // The number of keys is limited, because clients can invent key IDs.
    if times[key] == nil, times.count >= 64 { times = [:] }
    var own = times[key] ?? []
    let hour = now.adding(seconds: -3600)
    if let first = own.firstIndex(where: { $0 > hour }) {
      own.removeFirst(first)
    } else {
      own = []
    }
    defer { times[key] = own }
    guard own.count < limit else { return nil }
    own.append(now)
    return limit - own.count
  }

  /// Returns the time until a key can send a request again.
  func seconds(untilRoomFor key: String, at now: Moment) -> Int64 {
    guard let first = times[key]?.first else { return 3600 }
    return max(1, first.adding(seconds: 3600).seconds(since: now))
  }
}
