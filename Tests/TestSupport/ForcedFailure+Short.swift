package import SystemIO

extension ForcedFailure {
  /// The call fails once.
  package static func once(_ call: SystemCall, _ code: Int32, path: String? = nil) -> ForcedFailure
  {
    ForcedFailure(call, .fail(code), times: 1, path: path)
  }

  /// The call fails twice.
  package static func twice(_ call: SystemCall, _ code: Int32, path: String? = nil) -> ForcedFailure
  {
    ForcedFailure(call, .fail(code), times: 2, path: path)
  }

  /// The call always fails.
  package static func always(_ call: SystemCall, _ code: Int32, path: String? = nil)
    -> ForcedFailure
  {
    ForcedFailure(call, .fail(code), path: path)
  }
}
