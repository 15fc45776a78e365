import Glibc

/// Makes a system call that returns -1 on failure, and throws the failure.
///
/// A call that a signal interrupted is repeated: only this function handles `EINTR`.
@inline(__always)
package func perform<Result: FixedWidthInteger & SignedInteger>(
  _ call: SystemCall, _ path: @autoclosure () -> String, _ body: () -> Result
) throws(Failure) -> Result {
  GuardedSection.checkThatWaitingIsAllowed()
  while true {
    let code: Int32
    if let forced = ForcedFailures.areArmed ? ForcedFailures.failure(of: call, path()) : nil {
      code = forced
    } else {
      let result = body()
      if result != -1 { return result }
      code = errno
    }
    if code != EINTR { throw Failure(call, path(), code: code) }
  }
}

/// Makes a system call that transfers up to `count` bytes, or fewer with a forced failure.
@inline(__always)
package func transfer(
  _ call: SystemCall, _ path: @autoclosure () -> String, _ count: Int, _ body: (Int) -> Int
) throws(Failure) -> Int {
  let allowed = ForcedFailures.areArmed ? ForcedFailures.allowance(of: call, path(), count) : count
  return try perform(call, path()) { body(allowed) }
}
