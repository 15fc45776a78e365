import FoundationEssentials
package import SystemIO
import TLSIdentity
package import Transfers

/// The tokens of requests, signed with a key (ES256, RFC 7519).
///
/// A token is reused until shortly before its end, as Apple requires. Descriptions omit it.
package final class TokenSource: Sendable, CustomStringConvertible, CustomReflectable {
  private let key: APIKey
  /// The state; threads take turns, so that all of them use the same token.
  private let state = InTurn(State())

  private struct State {
    var last: (text: String, end: Moment)?
    /// The time by which the clock of this computer is ahead of the service's, in seconds.
    var lead: Int64 = 0
  }

  /// The validity of a new token in seconds, without the leeway.
  static let life: Int64 = 19 * 60
  /// The number of seconds by which a token is backdated, because the clock may be ahead of the
  /// service's.
  ///
  /// Apple accepts only tokens that are valid for at most 20 minutes in total.
  static let leeway: Int64 = 60
  /// The minimum remaining validity of a used token, in seconds.
  static let reserve: Int64 = 2 * 60
  private static let audience = "appstoreconnect-v1"

  package init(_ key: APIKey) { self.key = key }

  package var description: String { "tokens of \(key)" }
  package var customMirror: Mirror { Mirror(self, children: ["key": key]) }

  /// Returns the header field of a request.
  package func field(at now: Moment) throws(Failure) -> HeaderField {
    HeaderField("Authorization", "Bearer \(try token(at: now))")
  }

  /// Returns the texts of a request that no message contains: its token, and the IDs of the key.
  func secrets(with field: HeaderField) -> Secrets {
    // Shorter IDs are no IDs of Apple, and can be in other words.
    let ids = [key.id, key.issuer].compactMap { $0 }
      .filter { $0.utf8.count >= Secrets.smallestPiece }
    return Secrets([String(field.value.dropFirst("Bearer ".count))] + ids)
  }

  /// Returns a valid token.
  func token(at now: Moment) throws(Failure) -> String {
    try state.with { state throws(Failure) in
      let now = now.adding(seconds: -state.lead)
      if let last = state.last, now.adding(seconds: Self.reserve) < last.end,
        last.end.adding(seconds: -Self.life) <= now
      {
        return last.text
      }
      let made = try make(at: now)
      state.last = (made, now.adding(seconds: Self.life))
      return made
    }
  }

  /// Discards the token, after the service refused it.
  package func discard() { state.with { $0.last = nil } }

  /// Creates all later tokens with the system clock minus `lead`.
  func follow(behind lead: Duration) {
    state.with { $0 = State(lead: lead.components.seconds) }
  }

  private func make(at now: Moment) throws(Failure) -> String {
    // IDs are letters and digits, and issuers are UUIDs: they require no escaping.
    let head = #"{"alg":"ES256","kid":"\#(key.id)","typ":"JWT"}"#
    let subject = key.issuer.map { #""iss":"\#($0)""# } ?? #""sub":"user""#
    let issued = now.adding(seconds: -Self.leeway).seconds
    let times = #""iat":\#(issued),"exp":\#(now.adding(seconds: Self.life).seconds)"#
    let claims = #"{\#(subject),\#(times),"aud":"\#(Self.audience)"}"#
    let message = "\(Self.text(Array(head.utf8))).\(Self.text(Array(claims.utf8)))"
    let signature = try key.key.es256Signature(of: Array(message.utf8))
    return "\(message).\(Self.text(signature))"
  }

  /// Returns URL-safe Base64 without padding.
  static func text(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}
