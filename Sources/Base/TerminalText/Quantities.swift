/// Numbers in a readable form.
package enum Quantity {
  /// `1 file`, `2 files`, `1,204 files`.
  package static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// `512 bytes`, `12.3 KB`, `4.56 GB`: with units of powers of 1000, and three digits.
  package static func bytes(_ count: UInt64) -> String {
    guard count >= 1000 else { return "\(count) \(count == 1 ? "byte" : "bytes")" }
    var value = Double(count)
    var unit = 0
    // A number that would be rounded to 1000 is shown in the next unit.
    while value >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return "\(threeDigits(value)) \(units[unit])"
  }

  /// Returns a size without rounding: `50 MB`, `1.5 GB`, `1,234,567 bytes`.
  package static func exactBytes(_ count: UInt64) -> String {
    var scale: UInt64 = 1
    var unit = 0
    while unit < units.count - 1, count / scale >= 1000 {
      scale *= 1000
      unit += 1
    }
    // Three digits after the decimal point are readable.
    guard unit > 0, count % (scale / 1000) == 0 else { return allBytes(count) }
    var fraction = String(1000 + count % scale / (scale / 1000)).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return "\(count / scale)\(fraction.isEmpty ? "" : "." + fraction) \(units[unit])"
  }

  /// Returns a number of bytes without a larger unit: `50,000,001 bytes`.
  package static func allBytes(_ count: UInt64) -> String {
    "\(grouped(count)) \(count == 1 ? "byte" : "bytes")"
  }

  /// Returns a number of seconds: `0.42 s`, `12.3 s`, `4:05`, `1:02:03`.
  package static func seconds(_ seconds: Double) -> String {
    seconds < 60 ? "\(threeDigits(seconds)) s" : clock(Int(min(seconds, 1e9)))
  }

  /// Returns a duration that may be short: `38 ms`, `4.10 s`, `4:05`.
  package static func briefly(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    return seconds < 0.9995 ? "\(Int((seconds * 1000).rounded())) ms" : Self.seconds(seconds)
  }

  /// `4 s`, `4:05`: an estimate, rounded up.
  package static func wholeSeconds(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 1e9).rounded(.up))
    return whole < 60 ? "\(whole) s" : clock(whole)
  }

  private static func clock(_ whole: Int) -> String {
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    let rest = twoDigits(whole % 60)
    return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(rest)" : "\(minutes):\(rest)"
  }

  private static let units = ["bytes", "KB", "MB", "GB", "TB", "PB", "EB"]

  private static func threeDigits(_ value: Double) -> String {
    let places = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
    let scale = [1, 10, 100][places]
    let scaled = Int((value * Double(scale)).rounded())
    guard places > 0 else { return "\(scaled)" }
    let fraction = String(scaled % scale)
    let zeros = String(repeating: "0", count: places - fraction.count)
    return "\(scaled / scale).\(zeros)\(fraction)"
  }

  private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

  /// Returns a number with a comma between groups of three digits: `1,204`.
  package static func grouped(_ number: some BinaryInteger) -> String {
    var digits = String(number)[...]
    var groups: [Substring] = []
    while digits.count > 3 {
      groups.insert(digits.suffix(3), at: 0)
      digits = digits.dropLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
  }
}
