/// The reason of a failure that another module defines.
package protocol FailureReason: Sendable, Equatable, CustomStringConvertible {
  /// Whether the contents are wrong; false if a system call or a connection failed.
  var isAboutBytes: Bool { get }
}

extension FailureReason {
  package var isAboutBytes: Bool { false }

  fileprivate func isEqual(to other: any FailureReason) -> Bool { other as? Self == self }
}

/// A reason of any type.
package struct OtherReason: Sendable, Equatable {
  package let reason: any FailureReason

  init(_ reason: any FailureReason) { self.reason = reason }

  package static func == (left: OtherReason, right: OtherReason) -> Bool {
    left.reason.isEqual(to: right.reason)
  }
}
