package import BAPackKit
package import HTTPServer
import Synchronization
package import SystemIO

/// What is known about a request: when it begins, while it goes on, and when it is over.
package struct RequestEvent: Sendable {
  /// Tells one request from another.
  package let number: UInt64
  package let time: Moment
  /// The address of the device.
  package let device: String
  package private(set) var userAgent: String?
  package let method: String
  package private(set) var path: String
  package private(set) var query: String?
  package private(set) var range: String?
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

  init(_ request: Request) {
    number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    time = .now
    device = request.peer.hostText
    userAgent = request.head["user-agent"]
    method = request.head.method
    path = request.head.pathText
    query = request.head.query
    range = request.head["range"]
  }

  mutating func end(_ outcome: Response.Outcome) {
    self.outcome = outcome
    sent = outcome.bodyBytes
  }

  /// Cuts what a client wrote: whoever keeps requests must know how much memory they take.
  mutating func shorten(to limit: Int) {
    path = path.cut(to: limit)
    userAgent = userAgent?.cut(to: limit)
    query = query?.cut(to: limit)
    range = range?.cut(to: limit)
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
