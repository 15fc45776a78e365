import AssetArchive
import Foundation

/// A moment as an archive stores it: seconds since 1970-01-01T00:00:00Z, and nanoseconds.
public struct PackTime: Sendable, Hashable {
  /// Whole seconds; negative before 1970.
  public var seconds: Int64
  /// The part of a second that follows them.
  public var nanoseconds: UInt32

  /// 2001-01-01T00:00:00Z: the time of entries when nobody asks for another.
  public static let reference = PackTime(seconds: 978_307_200)

  /// Makes a moment.
  public init(seconds: Int64, nanoseconds: UInt32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Reads Unix seconds (`1700000000`) or ISO 8601: a date, or a date and a time with a zone
  /// (`2026-11-20`, `2026-11-20T21:00:00Z`, `2026-11-20T22:00:00+01:00`).
  public init?(_ text: String) {
    if let seconds = Int64(text), text.first != "+" {
      self.init(seconds: seconds)
      return
    }
    let styles = [
      Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true),
      Date.ISO8601FormatStyle().year().month().day(),
    ]
    for style in styles {
      guard Self.isWhole(text), Self.isInCalendar(text), let date = try? style.parse(text) else {
        continue
      }
      let seconds = date.timeIntervalSince1970.rounded(.down)
      let fraction = date.timeIntervalSince1970 - seconds
      // Finer than a microsecond a `Date` does not know.
      self.init(
        seconds: Int64(seconds), nanoseconds: UInt32((fraction * 1e6).rounded()) % 1_000_000 * 1000)
      return
    }
    return nil
  }

  /// The styles would also take a date with anything behind it, and a time without a zone.
  private static func isWhole(_ text: String) -> Bool {
    if text.utf8.count == 10 { return true }
    let time = text.utf8.dropFirst(11)
    return text.contains("T")
      && (time.last == UInt8(ascii: "Z")
        || time.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") })
  }

  /// The styles would also take 30 February for 2 March: what they read must be what is written.
  private static func isInCalendar(_ text: String) -> Bool {
    let time = text.utf8.count == 10 ? "T00:00:00Z" : "Z"
    let plain = text.prefix(19) + time
    let style = Date.ISO8601FormatStyle()
    return (try? style.parse(String(plain))).map { style.format($0) == plain } ?? false
  }

  var timestamp: Timestamp { Timestamp(seconds: seconds, nanoseconds: nanoseconds) }
}
