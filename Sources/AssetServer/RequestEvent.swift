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
  package let userAgent: String?
  package let method: String
  package let path: String
  package let query: String?
  package let range: String?
  package var pack: PackID?
  package var version: Int?
  /// How many bytes the body should have.
  package var size: UInt64?
  package var sent: UInt64 = 0
  /// The fault that happened to it.
  package var fault: String?
  /// Something that a developer should know.
  package var remark: String?
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

  private static let count = Atomic<UInt64>(0)
}
