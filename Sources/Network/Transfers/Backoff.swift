/// The pauses between attempts of an operation that failed.
///
/// The pauses grow with each failure, and are never shorter than ``shortest``. They are random in
/// part, so that many clients do not retry at the same moment. The number of attempts and the sum
/// of the pauses are bounded.
package struct Backoff: Sendable {
  /// The first pause.
  package var first: Duration
  /// The ratio of a pause to the one before.
  package var factor: Double
  /// The longest pause that is not requested by a server.
  package var longest: Duration
  /// The shortest pause, even if a server requests a shorter one.
  package var shortest: Duration
  /// The largest number of attempts without success, the first included; nil: unlimited.
  package var attempts: Int?
  /// The largest sum of pauses without success; nil: unlimited.
  package var patience: Duration?
  /// The random part of a pause, from 0 (none) to 1 (all of it).
  package var spread: Double
  /// Returns a random number from 0 to 1.
  package var random: @Sendable () -> Double = { .random(in: 0...1) }

  /// The number of failures since the last success.
  package private(set) var failures = 0
  /// The sum of the pauses since the last success.
  package private(set) var waited: Duration = .zero
  /// Whether a server requested the last pause, and it was not shorter than the computed one.
  package private(set) var isRequested = false

  package init(
    first: Duration, factor: Double = 2, longest: Duration,
    shortest: Duration = .milliseconds(100), attempts: Int? = nil, patience: Duration? = nil,
    spread: Double = 0.5
  ) {
    self.first = first
    self.factor = factor
    self.longest = longest
    self.shortest = shortest
    self.attempts = attempts
    self.patience = patience
    self.spread = spread
  }

  /// Counts a failure, and returns the pause before the next attempt; nil if no attempt is left.
  ///
  /// - Parameters:
  ///   - requested: The pause that the server requests (`Retry-After`). The result is never
  ///     shorter: it is nil if the rest of the patience is shorter.
  ///   - floor: The shortest pause that is useful to the caller. The patience limits it.
  package mutating func next(
    requested: Duration? = nil, atLeast floor: Duration = .zero
  ) -> Duration? {
    failures = failures < Int.max ? failures + 1 : failures
    isRequested = false
    if let attempts, failures >= attempts { return nil }
    let shortest = Self.bounded(shortest)
    var pause = max(own, Self.bounded(floor), shortest)
    let requestedPause = Self.bounded(requested ?? .zero)
    if requestedPause >= pause {
      isRequested = true
      pause = requestedPause + min(requestedPause, Self.bounded(first)) * (share * fraction)
    }
    if let patience {
      let left = Self.bounded(patience) - waited
      guard left > .zero, left >= shortest, left >= requestedPause else { return nil }
      pause = min(pause, left)
    }
    waited = min(waited + pause, Self.unlimited)
    return pause
  }

  /// Resets the counters after a success.
  ///
  /// The next pause is the first one.
  package mutating func succeed() {
    failures = 0
    waited = .zero
    isRequested = false
  }

  /// The pause that grows with each failure.
  private var own: Duration {
    let limit = Self.bounded(longest)
    let first = min(Self.bounded(first), limit)
    guard first > .zero else { return .zero }
    var whole = first
    for _ in 1..<max(2, min(failures, Self.mostSteps)) where failures > 1 && whole < limit {
      whole = min(whole * Self.bounded(factor, 1...Self.largestFactor), limit)
    }
    return whole * (1 - share * fraction)
  }

  private var share: Double { Self.bounded(spread, 0...1) }

  private var fraction: Double { Self.bounded(random(), 0...1) }

  private static func bounded(_ number: Double, _ range: ClosedRange<Double>) -> Double {
    number.isNaN ? range.lowerBound : min(max(number, range.lowerBound), range.upperBound)
  }

  private static func bounded(_ duration: Duration) -> Duration {
    min(max(duration, .zero), unlimited)
  }

  /// Longer than any wait.
  ///
  /// The sum of a few such durations does not overflow.
  private static let unlimited: Duration = .seconds(1 << 40)
  private static let largestFactor = 1000.0
  /// A number of steps that reaches the limit with any factor noticeably above 1.
  private static let mostSteps = 10_000
}
