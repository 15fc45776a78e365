/// What a run loses by waiting for a server, and how much more it may lose.
///
/// The time in which at least one thread waits is counted once, however many wait: it is shared out
/// among those who wait at the moment. A block that the server had pays for waiting with the time
/// that encoding it would have taken. An answer that came in a small part of that time is no loss
/// even if it was no: an honest server may say a hundred thousand times that it does not have a
/// block.
struct WaitingBudget: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// The most that is lost in all.
  private let limit: Duration
  /// How many blocks are encoded at once: what is saved is shared by so many threads.
  private let threads: Int
  private(set) var lost: Duration = .zero
  /// What of that was lost by waiting for blocks that the server had.
  private var lostByFinding: Duration = .zero

  private var waiting = 0
  private var last: Instant?
  /// What one thread that had waited all the time would have to bear.
  private var share: Duration = .zero
  /// What those who still wait have taken so far.
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

  /// One thread that waits.
  struct Wait: Sendable {
    let start: Instant
    /// When to give up.
    let deadline: Instant
    fileprivate let share: Duration
  }

  init(limit: Duration, threads: Int) {
    self.limit = limit
    self.threads = max(1, threads)
  }

  /// How long encoding a block takes; before the first was encoded, at least longer than decoding.
  private var encodingTime: Duration { encoded.mean ?? (proved.mean ?? .zero) * 2 }

  /// How much may still be lost.
  func left(at now: Instant) -> Duration {
    var present = self
    present.advance(to: now)
    return max(.zero, limit - present.lost - present.unsettled)
  }

  /// Begins to wait; nil if there is nothing left to wait with.
  ///
  /// When much was lost before anybody knows how long encoding takes, a block is encoded to see
  /// that.
  mutating func begin(at now: Instant) -> Wait? {
    advance(to: now)
    let left = left(at: now)
    guard left > .zero, encoded.count > 0 || lost < limit / 8 else { return nil }
    waiting += 1
    return Wait(start: now, deadline: now + min(left, limit / 2), share: share)
  }

  /// Ends a wait that brought nothing.
  mutating func end(_ wait: Wait, at now: Instant) {
    let own = settle(wait, at: now)
    // Who gave up did not wait for long when there was little left to wait with.
    if now >= wait.deadline || now - wait.start > encodingTime / Self.honestPart { lost += own }
  }

  /// Ends a wait that brought a block; showing that it is the right one took so long.
  mutating func end(_ wait: Wait, at now: Instant, provedIn time: Duration) {
    let own = settle(wait, at: now)
    proved.add(time)
    let price = own - encodingTime / threads
    lost = max(.zero, lost + price)
    lostByFinding = max(.zero, lostByFinding + price)
  }

  /// Notes how long encoding a block took.
  mutating func note(encodedIn time: Duration) {
    if encoded.count == 0 {
      // What was found before was thought to be worth less.
      let gain = max(.zero, time - encodingTime) * proved.count / threads
      lost = max(.zero, lost - min(gain, lostByFinding))
    }
    encoded.add(time)
  }

  /// An answer in this part of the time that encoding takes comes from a server that is not slow.
  private static let honestPart = 20

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
