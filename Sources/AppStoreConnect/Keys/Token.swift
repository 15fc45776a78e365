import FoundationEssentials
package import SystemIO
import TLSIdentity
package import Transfers

/// The tokens that requests carry, signed with a key (ES256, RFC 7519).
///
/// One is used until it is about to end, as Apple asks; no description shows one.
package final class TokenSource: Sendable, CustomStringConvertible, CustomReflectable {
  private let key: APIKey
  /// A thread that makes a token has its turn, so that all threads use the same one.
  private let state = InTurn(State())

  private struct State {
    var last: (text: String, end: Moment)?
    /// How far the clock of this machine is ahead of the service's, in seconds.
    var lead: Int64 = 0
  }

  /// The validity of a new token from now on, in seconds.
  static let life: Int64 = 19 * 60
  /// The number of seconds by which a token is backdated, because the clock may be ahead of the
  /// service's.
  ///
  /// Apple accepts only tokens that are valid for at most 20 minutes in total.
  static let leeway: Int64 = 60
  /// A token is not used when it would end on its way.
  static let reserve: Int64 = 2 * 60
  private static let audience = "appstoreconnect-v1"

  package init(_ key: APIKey) { self.key = key }

  package var description: String { "tokens of \(key)" }
  package var customMirror: Mirror { Mirror(self, children: ["key": key]) }

  /// The field that a request carries.
  package func field(at now: Moment) throws(Failure) -> HeaderField {
    HeaderField("Authorization", "Bearer \(try token(at: now))")
  }

  /// A token that holds for a while.
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

  /// Throws the token away, after a server refused it.
  package func forget() { state.with { $0.last = nil } }

  /// Makes all later tokens with a clock that is behind the clock of this machine by `lead`.
  func follow(behind lead: Duration) {
    state.with { $0 = State(lead: lead.components.seconds) }
  }

  private func make(at now: Moment) throws(Failure) -> String {
    // IDs are letters and digits, and issuers UUIDs: nothing in them has to be escaped.
    let head = #"{"alg":"ES256","kid":"\#(key.id)","typ":"JWT"}"#
    let who = key.issuer.map { #""iss":"\#($0)""# } ?? #""sub":"user""#
    let issued = now.adding(seconds: -Self.leeway).seconds
    let times = #""iat":\#(issued),"exp":\#(now.adding(seconds: Self.life).seconds)"#
    let claims = #"{\#(who),\#(times),"aud":"\#(Self.audience)"}"#
    let message = "\(Self.text(Array(head.utf8))).\(Self.text(Array(claims.utf8)))"
    let signature = try key.key.es256Signature(of: Array(message.utf8))
    return "\(message).\(Self.text(signature))"
  }

  /// Base64 for addresses, without padding.
  static func text(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}
