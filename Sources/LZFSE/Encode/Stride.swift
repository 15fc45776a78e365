/// The step from one searched position to the next, and the end of the search.
///
/// The step grows by one byte for every 1024 bytes without a match, up to 16. In game data, the
/// distance of a match is often the size of a record: a step that grows faster would lose more than
/// it gains.
struct Stride {
  private static var patience: Int { 1024 }
  private static var longestStep: Int { 16 }

  /// The first position that is not searched.
  private let limit: Int
  private(set) var step = 1
  /// The last position with this step.
  ///
  /// It is below `limit`, so that most calls of ``reaches(_:)`` need one comparison.
  private var end: Int

  @inline(__always)
  init(before limit: Int) {
    self.limit = limit
    end = min(Self.patience, limit &- 1)
  }

  /// Returns whether a position is below the limit, and increases the step if the position is
  /// beyond the end of the present one.
  @inline(__always)
  mutating func reaches(_ position: Int) -> Bool {
    if position <= end { return true }
    guard position < limit else { return false }
    step = min(step &+ 1, Self.longestStep)
    end = min(end &+ Self.patience, limit &- 1)
    return true
  }

  @inline(__always)
  mutating func restart(at position: Int) {
    step = 1
    end = min(position &+ Self.patience, limit &- 1)
  }
}
