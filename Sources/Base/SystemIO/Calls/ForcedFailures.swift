import Synchronization

/// A failure that a test requests.
package struct ForcedFailure: Sendable {
  /// The effect on the system call.
  package enum Action: Sendable {
    /// The system call is not made; the function fails with this `errno`.
    case fail(Int32)
    /// The call transfers at most this many bytes.
    case shorten(to: Int)
    /// Reading a folder returns names without their kinds, as some file systems do.
    case withhold
    /// This code runs before the call, as if another process ran it; then the call is made.
    case run(@Sendable () -> Void)
  }

  package var call: SystemCall
  package var action: Action
  /// The number of matching calls that are made unchanged before the first failure.
  package var skipping: Int
  /// The number of matching calls to which the action applies.
  package var times: Int
  /// The suffix of the paths of matching calls; nil for any path.
  package var path: String?
  /// The prefix of the paths of matching calls; nil for any path.
  package var folder: String?

  package init(
    _ call: SystemCall, _ action: Action, times: Int = .max, skipping: Int = 0,
    path: String? = nil, within folder: String? = nil
  ) {
    self.call = call
    self.action = action
    self.times = times
    self.skipping = skipping
    self.path = path
    self.folder = folder
  }
}

/// Failures on request, for tests: every system call of this module can be made to fail.
///
/// The failures apply to the task that injects them, so that tests can run at the same time. They
/// also apply to the threads of a ``WorkRing`` that the task creates. Without failures, each call
/// takes only one additional relaxed load.
package enum ForcedFailures {
  @TaskLocal private static var plan: Plan?
  private static let armed = Atomic<Int>(0)

  /// Whether calls fail on request, in this task or another.
  @inline(__always)
  package static var areArmed: Bool { armed.load(ordering: .relaxed) != 0 }

  /// Runs `body` with these failures; they replace the current ones.
  package static func inject<Success, Thrown: Error>(
    _ failures: ForcedFailure..., during body: () throws(Thrown) -> Success
  ) throws(Thrown) -> Success {
    try inject(failures, during: body)
  }

  /// Runs `body` with these failures; they replace the current ones.
  package static func inject<Success, Thrown: Error>(
    _ failures: [ForcedFailure], during body: () throws(Thrown) -> Success
  ) throws(Thrown) -> Success {
    armed.add(1, ordering: .relaxed)
    defer { armed.subtract(1, ordering: .relaxed) }
    return try $plan.withValue(Plan(failures)) {
      Result { () throws(Thrown) in try body() }
    }.get()
  }

  /// Returns the same work for another thread, with the failures of this task.
  static func carrying(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard areArmed, let plan else { return body }
    return { $plan.withValue(plan, operation: body) }
  }

  /// Returns the `errno` with which this call must fail; nil if the call must be made.
  static func failure(of call: SystemCall, _ path: String) -> Int32? {
    for failure in plan?.failures ?? [] {
      switch failure.failure.action {
      case .fail(let code) where failure.hits(call, path): return code
      case .run(let action) where failure.hits(call, path): $plan.withValue(nil, operation: action)
      case .fail, .run, .shorten, .withhold: break
      }
    }
    return nil
  }

  /// Returns whether this call omits its optional results.
  static func withholds(_ call: SystemCall, _ path: String) -> Bool {
    (plan?.failures ?? []).contains { failure in
      guard case .withhold = failure.failure.action else { return false }
      return failure.hits(call, path)
    }
  }

  /// Returns the number of bytes, at most `count`, that this call may transfer.
  static func allowance(of call: SystemCall, _ path: String, _ count: Int) -> Int {
    for failure in plan?.failures ?? [] {
      if case .shorten(let limit) = failure.failure.action, failure.hits(call, path) {
        return min(count, limit)
      }
    }
    return count
  }
}

extension ForcedFailures {
  /// The failures of one test, and the number of calls that each has matched.
  private final class Plan: Sendable {
    let failures: [Armed]

    init(_ failures: [ForcedFailure]) { self.failures = failures.map(Armed.init) }
  }

  private final class Armed: Sendable {
    let failure: ForcedFailure
    private let seen = Atomic<Int>(0)

    init(_ failure: ForcedFailure) { self.failure = failure }

    /// Counts the call if it matches the failure; returns whether the action applies to it.
    func hits(_ call: SystemCall, _ path: String) -> Bool {
      guard call == failure.call, path.hasSuffix(failure.path ?? ""),
        path.hasPrefix(failure.folder ?? "")
      else { return false }
      let earlier = seen.add(1, ordering: .relaxed).oldValue
      return earlier >= failure.skipping && earlier - failure.skipping < failure.times
    }
  }
}
