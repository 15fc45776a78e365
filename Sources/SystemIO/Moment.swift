import Glibc

/// A moment as file systems and archives store it: whole seconds since 1970-01-01T00:00:00Z, and
/// nanoseconds upward from there.
public struct Moment: Sendable, Hashable {
  /// Whole seconds; negative before 1970.
  public var seconds: Int64
  /// The part of a second that follows: less than 1,000,000,000.
  public var nanoseconds: UInt32

  /// Makes a moment.
  public init(seconds: Int64, nanoseconds: UInt32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Makes a moment from stored numbers; nil if the nanoseconds are a second or more.
  package init?(seconds: Int64, stored nanoseconds: some BinaryInteger) {
    guard (0..<1_000_000_000).contains(nanoseconds) else { return nil }
    self.init(seconds: seconds, nanoseconds: UInt32(nanoseconds))
  }

  init(_ time: timespec) {
    self.init(seconds: Int64(time.tv_sec), nanoseconds: UInt32(truncatingIfNeeded: time.tv_nsec))
  }

  /// The moment, or the nearest whole second within `range`.
  package func clamped(to range: ClosedRange<Int64>) -> Moment {
    if range.contains(seconds) { return self }
    return Moment(seconds: seconds < range.lowerBound ? range.lowerBound : range.upperBound)
  }
}

extension Moment: Comparable {
  /// Whether one comes before another.
  public static func < (left: Moment, right: Moment) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// What the clock of the machine says.
  package static var now: Moment {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Moment(time)
  }
}

extension timespec {
  init(_ moment: Moment) {
    self.init(tv_sec: Int(moment.seconds), tv_nsec: Int(moment.nanoseconds))
  }
}
