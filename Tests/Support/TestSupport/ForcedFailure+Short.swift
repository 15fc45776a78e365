package import SystemIO

extension ForcedFailure {
  /// Returns a failure that occurs at the next call only.
  package static func once(_ call: SystemCall, _ code: Int32, path: String? = nil) -> ForcedFailure
  {
    ForcedFailure(call, .fail(code), times: 1, path: path)
  }

  /// Returns a failure that occurs at the next two calls.
  package static func twice(_ call: SystemCall, _ code: Int32, path: String? = nil) -> ForcedFailure
  {
    ForcedFailure(call, .fail(code), times: 2, path: path)
  }

  /// Returns a failure that occurs at every call.
  package static func always(_ call: SystemCall, _ code: Int32, path: String? = nil)
    -> ForcedFailure
  {
    ForcedFailure(call, .fail(code), path: path)
  }
}
