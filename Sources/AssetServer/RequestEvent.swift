package import BAPackKit
package import HTTPServer
import Synchronization
package import SystemIO

/// What is known about a request: when it begins, while it goes on, and when it is over; and about a
/// client that did not get as far as a request that could be answered.
package struct RequestEvent: Sendable {
  /// What does not change; an event is copied several times.
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

    /// The same, with what a client wrote cut.
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
      [userAgent, path, query, range].contains { $0?.utf8.count ?? 0 > limit }
    }
  }

  /// Tells one request from another.
  package var number: UInt64 { facts.number }
  package var time: Moment { facts.time }
  /// The address of the device.
  package var device: String { facts.device }
  package var userAgent: String? { facts.userAgent }
  /// nil where no request could be read.
  package var method: String? { facts.method }
  package var path: String? { facts.path }
  package var query: String? { facts.query }
  package var range: String? { facts.range }
  /// Why there was nothing to answer; nil for a request.
  package var problem: Problem? { facts.problem }
  package var pack: PackID?
  package var version: Int?
  /// How many bytes the body should have.
  package var size: UInt64?
  package var sent: UInt64 = 0
  /// The fault that happened to it.
  package var fault: String?
  /// Something that a developer should know.
  package var remark: String?
  /// Whether it is for people, and no matter of devices.
  var isForPage = false
  /// How it ended; nil while it has not.
  package private(set) var outcome: Response.Outcome?
  /// Whether it was told before that it began; what ends as soon as it begins is told once.
  package internal(set) var hasBegun = false

  /// Why a client did not get as far as a request that could be answered.
  package enum Problem: String, Sendable, CaseIterable {
    /// It does not trust our certificate.
    case distrust
    /// No encryption could be agreed for another reason.
    case handshake
    /// The request is malformed, too large or too much.
    case refused
  }

  init(_ request: Request) { self.init(request.peerHost, request.head, nil) }

  /// A request that was refused before anybody looked for what it asks for.
  package init(refused fault: RequestFault, from peer: SocketAddress, _ head: RequestHead?) {
    self.init(peer.hostText, head, .refused)
    remark = fault.reason
    outcome = Response.Outcome(status: fault.status, isWhole: true)
  }

  /// A client that ended the connection before it asked; `advice` is for one that does not trust us.
  package init(
    disagreeing why: HTTPServer.Disagreement, from peer: SocketAddress, advice: String
  ) {
    switch why {
    case .distrust:
      self.init(peer.hostText, nil, .distrust)
      remark = "does not trust this server\(advice.isEmpty ? "" : ": \(advice)")"
    case .other(let failure):
      self.init(peer.hostText, nil, .handshake)
      remark = "no encryption could be agreed: \(failure.reason)"
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

  /// Cuts what a client wrote: whoever keeps requests must know how much memory they take.
  mutating func shorten(to limit: Int) {
    if facts.isLonger(than: limit) { facts = Facts(facts, cutTo: limit) }
  }

  private static let count = Atomic<UInt64>(0)
}

extension String {
  /// The text, or as much of it as fits into so many bytes, and a sign that there is more.
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
