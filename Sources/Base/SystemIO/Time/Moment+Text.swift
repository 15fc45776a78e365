import Glibc
import TerminalText

// MARK: - Reading

extension Moment {
  /// Reads Unix seconds (`1700000000`) or ISO 8601: a date, or a date and a time with a zone
  /// (`2026-11-20`, `2026-11-20T21:00:00Z`, `2026-11-20T22:00:00,123456789+01:00`).
  ///
  /// Dates follow the Gregorian calendar, even before it was introduced. The result is nil if any
  /// part of the text is invalid: for example a zone that does not exist, or a fraction with more
  /// than nine digits.
  public init?(_ text: String) {
    var written = WrittenTime(text)
    guard let time = written.read() else { return nil }
    self = time
  }

  /// Returns the day of a date, counted from 1970-01-01, by the Gregorian calendar.
  ///
  /// Counted years begin in March, so that a leap day is the last day of its year.
  fileprivate static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

/// A time in the notation of users, parsed from left to right.
private struct WrittenTime {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  mutating func read() -> Moment? {
    if let seconds = Int64(String(Substring(rest))), rest.first != UInt8(ascii: "+") {
      return Moment(seconds: seconds)
    }
    guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
      let day = number(digits: 2), (1...12).contains(month),
      day >= 1, day <= Self.length(of: month, in: year)
    else { return nil }
    let midnight = Moment.day(year, month, day) * 86_400
    if rest.isEmpty { return Moment(seconds: midnight) }
    guard take("T") || take("t") || take(" "), let hour = number(digits: 2), take(":"),
      let minute = number(digits: 2), hour < 24, minute < 60
    else { return nil }
    var (second, nanoseconds) = (Int64(0), UInt32(0))
    if take(":") {
      guard let number = number(digits: 2), number < 60 else { return nil }
      second = number
      if take(".") || take(",") {
        guard let fraction = fraction() else { return nil }
        nanoseconds = fraction
      }
    }
    guard let offset = zone(), rest.isEmpty else { return nil }
    return Moment(
      seconds: midnight + hour * 3600 + minute * 60 + second - offset, nanoseconds: nanoseconds)
  }

  /// Reads the time zone, and returns its offset from UTC in seconds.
  private mutating func zone() -> Int64? {
    if take("Z") || take("z") { return 0 }
    let isBehind = take("-")
    guard isBehind || take("+"), let hours = number(digits: 2), hours < 24 else { return nil }
    var seconds = hours * 3600
    if !rest.isEmpty {
      _ = take(":")
      guard let minutes = number(digits: 2), minutes < 60 else { return nil }
      seconds += minutes * 60
    }
    return isBehind ? -seconds : seconds
  }

  /// Reads one to nine digits after the decimal point or comma, and returns them as nanoseconds.
  private mutating func fraction() -> UInt32? {
    let digits = rest.prefix(while: \.isDigit)
    guard (1...9).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    let value = digits.reduce(UInt32(0)) { $0 * 10 + UInt32($1 - UInt8(ascii: "0")) }
    return (digits.count..<9).reduce(value) { value, _ in value * 10 }
  }

  private mutating func number(digits count: Int) -> Int64? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: sign) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private static func length(of month: Int64, in year: Int64) -> Int64 {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}

// MARK: - Writing

extension Moment: CustomStringConvertible {
  /// The moment in ISO 8601, in UTC: `2001-01-01T00:00:00Z`.
  ///
  /// A year that does not have four digits gets a plus or minus sign: `+12345-01-01T00:00:00Z`.
  public var description: String {
    let day = Int64(86_400)
    // The time of the day is calculated first: near the limits of 64 bits, the start of the day
    // cannot be represented.
    let second = (seconds % day + day) % day
    let date = Self.date(ofDay: seconds / day - (seconds % day < 0 ? 1 : 0))
    func digits(_ value: Int64, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let fraction = nanoseconds == 0 ? "" : "." + digits(Int64(nanoseconds), 9)
    let sign = date.year < 0 ? "-" : date.year > 9999 ? "+" : ""
    return "\(sign)\(digits(abs(date.year), 4))-\(digits(date.month, 2))-\(digits(date.day, 2))"
      + "T\(digits(second / 3600, 2)):\(digits(second / 60 % 60, 2)):\(digits(second % 60, 2))"
      + "\(fraction)Z"
  }

  /// Returns the date of a day counted from 1970-01-01, by the Gregorian calendar.
  ///
  /// Counted years begin in March, so that a leap day is the last day of its year.
  private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let daysInEra: Int64 = 146_097
    let sinceMarch0 = day + 719_468
    let era = (sinceMarch0 >= 0 ? sinceMarch0 : sinceMarch0 - daysInEra + 1) / daysInEra
    let dayOfEra = sinceMarch0 - era * daysInEra
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * shifted + 2) / 5 + 1
    )
  }
}

// MARK: - Display

extension Moment {
  /// The local time of the day, as `12:01:07` (`localtime_r`).
  package var timeOfDay: String {
    var time = time_t(seconds)
    var parts = unsafe tm()
    unsafe localtime_r(&time, &parts)
    return unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { number in
      number < 10 ? "0\(number)" : "\(number)"
    }.joined(separator: ":")
  }
}
