import Synchronization

/// Something that goes wrong because a test asks for it.
package struct Fault: Sendable {
  /// What happens instead of the system call, or before it.
  package enum Action: Sendable {
    /// The call is not made and fails with this `errno`.
    case fail(Int32)
    /// The call moves at most this many bytes.
    case shorten(to: Int)
    /// Reading a folder returns names without their kinds, as some file systems do.
    case withhold
    /// This code runs first, as another process might, and then the call is made.
    case run(@Sendable () -> Void)
  }

  package var call: SystemCall
  package var action: Action
  /// How many calls go well before.
  package var skipping: Int
  /// How many calls it hits.
  package var times: Int
  /// Only calls about a path that ends so.
  package var path: String?
  /// Only calls about a path that begins so.
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

  /// The call fails once.
  package static func once(_ call: SystemCall, _ code: Int32, path: String? = nil) -> Fault {
    Fault(call, .fail(code), times: 1, path: path)
  }

  /// The call fails twice.
  package static func twice(_ call: SystemCall, _ code: Int32, path: String? = nil) -> Fault {
    Fault(call, .fail(code), times: 2, path: path)
  }

  /// The call always fails.
  package static func always(_ call: SystemCall, _ code: Int32, path: String? = nil) -> Fault {
    Fault(call, .fail(code), path: path)
  }
}

/// Forced faults, for tests: every system call of this module can be made to fail.
///
/// Faults belong to the task that asks for them, so that tests run side by side; work that the task
/// hands to a thread of its own does not see them. Without faults a call pays for one relaxed load.
package enum Faults {
  @TaskLocal private static var plan: Plan?
  private static let armed = Atomic<Int>(0)

  @inline(__always)
  static var areArmed: Bool { armed.load(ordering: .relaxed) != 0 }

  /// Does `body` with `faults` in force; those in force around it are not.
  package static func inject<Success, Thrown: Error>(
    _ faults: Fault..., during body: () throws(Thrown) -> Success
  ) throws(Thrown) -> Success {
    try inject(faults, during: body)
  }

  /// Does `body` with `faults` in force; those in force around it are not.
  package static func inject<Success, Thrown: Error>(
    _ faults: [Fault], during body: () throws(Thrown) -> Success
  ) throws(Thrown) -> Success {
    armed.add(1, ordering: .relaxed)
    defer { armed.subtract(1, ordering: .relaxed) }
    return try $plan.withValue(Plan(faults)) {
      Result { () throws(Thrown) in try body() }
    }.get()
  }

  /// The `errno` with which this call has to fail.
  static func failure(of call: SystemCall, _ path: String) -> Int32? {
    for fault in plan?.faults ?? [] {
      switch fault.fault.action {
      case .fail(let code) where fault.hits(call, path): return code
      case .run(let action) where fault.hits(call, path): $plan.withValue(nil, operation: action)
      case .fail, .run, .shorten, .withhold: break
      }
    }
    return nil
  }

  /// Whether this call leaves out what it need not say.
  static func withholds(_ call: SystemCall, _ path: String) -> Bool {
    (plan?.faults ?? []).contains { fault in
      guard case .withhold = fault.fault.action else { return false }
      return fault.hits(call, path)
    }
  }

  /// How many of `count` bytes this call may move.
  static func allowance(of call: SystemCall, _ path: String, _ count: Int) -> Int {
    for fault in plan?.faults ?? [] {
      if case .shorten(let limit) = fault.fault.action, fault.hits(call, path) {
        return min(count, limit)
      }
    }
    return count
  }
}

extension Faults {
  /// The faults of one test, with how often each was asked for.
  private final class Plan: Sendable {
    let faults: [Armed]

    init(_ faults: [Fault]) { self.faults = faults.map(Armed.init) }
  }

  private final class Armed: Sendable {
    let fault: Fault
    private let seen = Atomic<Int>(0)

    init(_ fault: Fault) { self.fault = fault }

    /// Counts the call if it is one of those meant, and says whether it is hit.
    func hits(_ call: SystemCall, _ path: String) -> Bool {
      guard call == fault.call, path.hasSuffix(fault.path ?? ""),
        path.hasPrefix(fault.folder ?? "")
      else { return false }
      let earlier = seen.add(1, ordering: .relaxed).oldValue
      return earlier >= fault.skipping && earlier - fault.skipping < fault.times
    }
  }
}
