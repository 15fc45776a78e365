import Glibc

/// A moment as file systems and archives store it: whole seconds since 1970-01-01T00:00:00Z, and
/// nanoseconds after that second.
public struct Moment: Sendable, Hashable {
  /// Whole seconds; negative before 1970.
  public var seconds: Int64
  /// The nanoseconds after the whole second: less than 1,000,000,000.
  public var nanoseconds: UInt32

  /// Creates a moment.
  public init(seconds: Int64, nanoseconds: UInt32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Creates a moment from stored numbers; nil if the nanoseconds are a second or more.
  package init?(seconds: Int64, stored nanoseconds: some BinaryInteger) {
    guard (0..<1_000_000_000).contains(nanoseconds) else { return nil }
    self.init(seconds: seconds, nanoseconds: UInt32(nanoseconds))
  }

  init(_ time: timespec) {
    self.init(seconds: Int64(time.tv_sec), nanoseconds: UInt32(truncatingIfNeeded: time.tv_nsec))
  }

  /// Returns the moment this many seconds later, or earlier if the number is negative.
  ///
  /// A result out of range becomes the first or the last moment.
  package func adding(seconds: Int64) -> Moment {
    let (sum, isBeyond) = self.seconds.addingReportingOverflow(seconds)
    guard isBeyond else { return Moment(seconds: sum, nanoseconds: nanoseconds) }
    return seconds < 0
      ? Moment(seconds: .min) : Moment(seconds: .max, nanoseconds: 999_999_999)
  }

  /// Returns the difference of the whole seconds of two moments, negative if this moment is
  /// earlier.
  ///
  /// A result out of range becomes the nearest number.
  package func seconds(since other: Moment) -> Int64 {
    let (difference, isTooLarge) = seconds.subtractingReportingOverflow(other.seconds)
    guard isTooLarge else { return difference }
    return seconds < other.seconds ? .min : .max
  }

  /// Returns the number of milliseconds from another moment to this one, negative if this one is
  /// earlier.
  ///
  /// A result out of range becomes the nearest number.
  package func milliseconds(since other: Moment) -> Int64 {
    let seconds = seconds(since: other)
    let (milliseconds, isTooLarge) = seconds.multipliedReportingOverflow(by: 1000)
    guard !isTooLarge else { return seconds < 0 ? .min : .max }
    return milliseconds.addingSaturated(
      (Int64(nanoseconds) - Int64(other.nanoseconds)) / 1_000_000)
  }

  /// Returns the moment, or the nearest whole second within `range`.
  package func clamped(to range: ClosedRange<Int64>) -> Moment {
    if range.contains(seconds) { return self }
    return Moment(seconds: seconds < range.lowerBound ? range.lowerBound : range.upperBound)
  }
}

extension Moment {
  /// The day in UTC, in ISO 8601.
  package var day: String { String(description.prefix { $0 != "T" }) }
}

extension Moment: Comparable {
  /// Returns whether one time is before another.
  public static func < (left: Moment, right: Moment) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// The current time of the system's clock.
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
