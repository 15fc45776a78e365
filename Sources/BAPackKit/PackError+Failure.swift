import SystemIO

/// Runs code of the modules below while this library does `activity`; a failure becomes an error in
/// the library's words.
package func during<Success: ~Copyable>(
  _ activity: Activity, _ body: () throws(Failure) -> Success
) throws(PackError) -> Success {
  try explaining({ PackError($0, while: activity) }, body)
}

extension PackError {
  /// A failure that did not come from the system: wrong bytes, or more than is allowed.
  init(besidesSystem failure: Failure, while activity: Activity) {
    let verb = activity == .writing ? "write" : "read"
    let message = "cannot \(verb) '\(failure.path)': \(failure.reason)"
    switch failure.kind {
    case .interrupted: self.init(.interrupted, "interrupted")
    case .malformed, .encrypted:
      self.init(.malformed(offset: failure.place?.fileOffset), message)
    case .tooLarge:
      self.init(.memory, message, remedy: .allowMoreMemory)
    case .timedOut:
      self.init(.timedOut, failure.description, remedies: Help.remedies(against: failure))
    case .unresolved:
      self.init(.unknownHost, failure.description, remedies: Help.remedies(against: failure))
    case .refused, .outOfMemory, .notWritable, .library: self.init(.unsupported, message)
    }
  }
}
