import AssetArchive

extension PackTime: CustomStringConvertible {
  /// The moment as ISO 8601 writes it, in UTC: `2001-01-01T00:00:00Z`; years that have not four
  /// digits with their sign: `+12345-01-01T00:00:00Z`.
  public var description: String {
    let day = Int64(86_400)
    // The remainder first: near the ends of 64 bits, a day that began has no beginning.
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

  /// The date of a day counted from 1970-01-01, by the Gregorian calendar.
  ///
  /// Years are taken to begin in March, so that the odd day of a leap year is their last one.
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

  init(_ time: Timestamp) { self.init(seconds: time.seconds, nanoseconds: time.nanoseconds) }
}
