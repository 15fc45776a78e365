import SourceDiagnostics
package import SystemIO

/// The clock of the mock: the system clock with an offset, or a clock that changes only when it is
/// advanced.
package final class MockClock: Sendable {
  private let start: Moment?
  /// The seconds by which the clock was advanced.
  private let added = Guarded<Int64>(0)

  /// Creates a clock that follows the system clock, or a clock that starts at a fixed moment.
  package init(fixedAt start: Moment? = nil) { self.start = start }

  /// The time with a precision of one millisecond, as in the service.
  package var now: Moment {
    var now = (start ?? Moment.now).adding(seconds: added.with { $0 })
    now.nanoseconds -= now.nanoseconds % 1_000_000
    return now
  }

  package func advance(seconds: Int64) {
    added.with { $0.addSaturated(max(0, seconds)) }
  }
}

extension Moment {
  /// The moment with milliseconds and the zone of the service: `2026-01-30T01:31:03.007-08:00`.
  func text(in zone: WrittenZone) -> String {
    let hours: Int64 = zone == .offset ? -8 : 0
    let local = Moment(seconds: adding(seconds: hours * 3600).seconds).description
    let milliseconds = String(nanoseconds / 1_000_000)
    let digits = String(repeating: "0", count: 3 - milliseconds.count) + milliseconds
    return "\(local.dropLast()).\(digits)\(zone.rawValue)"
  }
}

/// The notation of the time zone of a date.
enum WrittenZone: String, Sendable {
  case offset = "-08:00"
  case letter = "Z"
  case zero = "+00:00"
}

extension JSONForm<Moment> {
  /// The milliseconds since 1970.
  static var milliseconds: JSONForm {
    .mapped(
      .integer, write: { Int($0.milliseconds(since: Moment(seconds: 0))) },
      read: { milliseconds in
        // A moment requires a remainder that is not negative.
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return Moment(
          seconds: Int64(rest < 0 ? seconds - 1 : seconds),
          nanoseconds: UInt32(rest < 0 ? rest + 1000 : rest) * 1_000_000)
      })
  }
}
