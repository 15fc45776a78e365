import SystemIO

/// Does something below this library, while it is at `activity`; what goes wrong there is said in the
/// library's own words.
package func during<Success: ~Copyable>(
  _ activity: Activity, _ body: () throws(Failure) -> Success
) throws(PackError) -> Success {
  try explaining({ PackError($0, while: activity) }, body)
}

extension PackError {
  /// What was not refused by the system: bytes that are wrong, or more than is allowed.
  init(besidesSystem failure: Failure, while activity: Activity) {
    let verb = activity == .writing ? "write" : "read"
    let message = "cannot \(verb) '\(failure.path)': \(failure.reason)"
    switch failure.kind {
    case .interrupted: self.init(.interrupted, "interrupted")
    case .malformed, .encrypted:
      self.init(.malformed(offset: failure.place?.fileOffset), message)
    case .tooLarge:
      self.init(.memory, message, remedy: .allowMoreMemory)
    case .refused, .outOfMemory, .notWritable, .library: self.init(.unsupported, message)
    }
  }
}
