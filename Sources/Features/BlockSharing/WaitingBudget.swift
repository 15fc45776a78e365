/// The time that a run loses by waiting for a server, and its limit.
///
/// Time in which several threads wait is counted once and divided among them. A block that the
/// server had is credited with the time that encoding it would have taken. A response within a
/// small part of that time is not a loss, even if the server does not have the block. Otherwise the
/// responses of a fast server for 100,000 missing blocks would exceed the limit in sum.
struct WaitingBudget: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// The maximum lost time.
  private let limit: Duration
  /// The number of blocks that are encoded in parallel, which divides the saved time.
  private let threads: Int
  private(set) var lost: Duration = .zero
  /// The part of the lost time that was spent on blocks that the server had.
  private var lostByFinding: Duration = .zero

  private var waiting = 0
  private var last: Instant?
  /// The share of a thread that waits all the time.
  private var share: Duration = .zero
  /// The time that current waits have taken.
  private var unsettled: Duration = .zero

  private var encoded = Sum()
  private var proved = Sum()

  private struct Sum {
    var time: Duration = .zero
    var count = 0

    var mean: Duration? { count > 0 ? time / count : nil }

    mutating func add(_ time: Duration) {
      self.time += time
      count += 1
    }
  }

  /// The wait of one thread.
  struct Wait: Sendable {
    let start: Instant
    /// The time at which the wait is abandoned.
    let deadline: Instant
    fileprivate let share: Duration
  }

  init(limit: Duration, threads: Int) {
    self.limit = limit
    self.threads = max(1, threads)
  }

  /// The mean time to encode a block; before the first measurement, an estimate from the
  /// verification time.
  private var encodingTime: Duration { encoded.mean ?? (proved.mean ?? .zero) * 2 }

  /// Returns the remaining time that may be lost.
  func left(at now: Instant) -> Duration {
    var present = self
    present.advance(to: now)
    return max(.zero, limit - present.lost - present.unsettled)
  }

  /// Begins a wait; nil if no time is left.
  ///
  /// If much time is lost before the encoding time is known, the caller encodes a block to measure
  /// it.
  mutating func begin(at now: Instant) -> Wait? {
    advance(to: now)
    let left = left(at: now)
    guard left > .zero, encoded.count > 0 || lost < limit / 8 else { return nil }
    waiting += 1
    return Wait(start: now, deadline: now + min(left, limit / 2), share: share)
  }

  /// Ends a wait without a block.
  mutating func end(_ wait: Wait, at now: Instant) {
    let own = settle(wait, at: now)
    // An abandoned wait may be short if little time was left.
    if now >= wait.deadline || now - wait.start > encodingTime / Self.fastResponseDivisor {
      lost += own
    }
  }

  /// Ends a wait that returned a block; `time` is the duration of its verification.
  mutating func end(_ wait: Wait, at now: Instant, provedIn time: Duration) {
    let own = settle(wait, at: now)
    proved.add(time)
    let price = own - encodingTime / threads
    lost = max(.zero, lost + price)
    lostByFinding = max(.zero, lostByFinding + price)
  }

  /// Records the duration of encoding a block.
  mutating func note(encodedIn time: Duration) {
    if encoded.count == 0 {
      // The gain of earlier blocks was underestimated.
      let gain = max(.zero, time - encodingTime) * proved.count / threads
      lost = max(.zero, lost - min(gain, lostByFinding))
    }
    encoded.add(time)
  }

  /// A response within the encoding time divided by this number counts as fast.
  private static let fastResponseDivisor = 20

  private mutating func settle(_ wait: Wait, at now: Instant) -> Duration {
    advance(to: now)
    waiting -= 1
    let own = share - wait.share
    unsettled -= own
    return own
  }

  private mutating func advance(to now: Instant) {
    if let last, waiting > 0 {
      let passed = max(.zero, now - last)
      share += passed / waiting
      unsettled += passed
    }
    last = now
  }
}
