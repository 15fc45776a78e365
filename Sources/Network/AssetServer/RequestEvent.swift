package import BAPackKit
package import HTTPServer
import Synchronization
package import SystemIO

/// The state of a request when it begins, while it is in progress, and when it ends.
///
/// An event can also describe a client that fails before it sends a valid request.
package struct RequestEvent: Sendable {
  /// The constant properties, shared by all copies of the event.
  private var facts: Facts

  private final class Facts: Sendable {
    let number: UInt64
    let time: Moment
    let device: String
    let userAgent: String?
    let method: String?
    let path: String?
    let query: String?
    let range: String?
    let problem: Problem?

    init(_ device: String, _ head: RequestHead?, _ problem: Problem?) {
      number = RequestEvent.count.wrappingAdd(1, ordering: .relaxed).newValue
      time = .now
      self.device = device
      userAgent = head?["user-agent"]
      method = head?.method
      path = head?.pathText
      query = head?.query
      range = head?["range"]
      self.problem = problem
    }

    /// Creates a copy in which each text from the client is truncated to `limit`.
    init(_ facts: Facts, cutTo limit: Int) {
      number = facts.number
      time = facts.time
      device = facts.device
      userAgent = facts.userAgent?.cut(to: limit)
      method = facts.method
      path = facts.path?.cut(to: limit)
      query = facts.query?.cut(to: limit)
      range = facts.range?.cut(to: limit)
      problem = facts.problem
    }

    func isLonger(than limit: Int) -> Bool {
      func size(_ text: String?) -> Int { text?.utf8.count ?? 0 }
      return max(max(size(userAgent), size(path)), max(size(query), size(range))) > limit
    }
  }

  /// The unique number of the request.
  package var number: UInt64 { facts.number }
  package var time: Moment { facts.time }
  /// The address of the device.
  package var device: String { facts.device }
  package var userAgent: String? { facts.userAgent }
  /// The method of the request; nil if no request could be read.
  package var method: String? { facts.method }
  package var path: String? { facts.path }
  package var query: String? { facts.query }
  package var range: String? { facts.range }
  /// The reason why the client sent no valid request; nil for a valid request.
  package var problem: Problem? { facts.problem }
  package var pack: PackID?
  package var version: Int?
  /// The size of the response body in bytes.
  package var size: UInt64?
  package var sent: UInt64 = 0
  /// The fault that was applied to the response.
  package var fault: String?
  /// A hint for developers.
  package var remark: String?
  /// Whether the request is for the live page, not from a device.
  var isForPage = false
  /// The result of the request; nil while it is in progress.
  package private(set) var outcome: Response.Outcome?
  /// Whether its start was logged; a request that ends immediately is logged only once.
  package internal(set) var hasBegun = false

  /// The reason why a client sent no valid request.
  package enum Problem: String, Sendable, CaseIterable {
    /// The client does not trust the certificate of this server.
    case distrust
    /// The TLS handshake failed for another reason.
    case handshake
    /// The request is malformed or too large, or exceeds a limit of the server.
    case refused
  }

  init(_ request: Request) { self.init(request.peerHost, request.head, nil) }

  /// Creates the event of a request that was refused before its path was resolved.
  package init(refused fault: RequestError, from peer: SocketAddress, _ head: RequestHead?) {
    self.init(peer.hostText, head, .refused)
    remark = fault.reason
    outcome = Response.Outcome(status: fault.status, isWhole: true)
  }

  /// Creates the event of a client that ended the connection before it sent a request.
  ///
  /// `advice` is the hint for a client that does not trust this server.
  package init(
    handshakeFailure why: HTTPServer.HandshakeFailure, from peer: SocketAddress, advice: String
  ) {
    switch why {
    case .distrust:
      self.init(peer.hostText, nil, .distrust)
      remark = "does not trust this server\(advice.isEmpty ? "" : ": \(advice)")"
    case .other(let failure):
      self.init(peer.hostText, nil, .handshake)
      remark = "the TLS handshake failed: \(failure.reason)"
    }
    outcome = Response.Outcome(status: nil, isWhole: false)
  }

  private init(_ device: String, _ head: RequestHead?, _ problem: Problem?) {
    facts = Facts(device, head, problem)
  }

  mutating func end(_ outcome: Response.Outcome) {
    self.outcome = outcome
    sent = outcome.bodyBytes
  }

  /// Truncates texts from the client, to limit the memory for stored requests.
  mutating func shorten(to limit: Int) {
    if facts.isLonger(than: limit) { facts = Facts(facts, cutTo: limit) }
  }

  private static let count = Atomic<UInt64>(0)
}

extension String {
  /// Returns the text, truncated to `limit` bytes with an ellipsis if it is longer.
  fileprivate func cut(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var size = 0
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      size += UTF8.width(scalar)
      if size > limit { break }
      scalars.append(scalar)
    }
    return String(scalars) + "…"
  }
}
