package import SystemIO

extension Moment {
  /// The moment in the format of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT`.
  package var httpText: String {
    // "1994-11-06T08:49:37Z"
    let text = Array(Moment(seconds: seconds).description.utf8)
    guard text.count == 20 else { return "Thu, 01 Jan 1970 00:00:00 GMT" }
    func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let day = days[Int((seconds / 86_400 % 7 + 7) % 7)]
    let month = Int(part(5..<7)).map { months[$0 - 1] } ?? ""
    return "\(day), \(part(8..<10)) \(month) \(part(0..<4)) \(part(11..<19)) GMT"
  }
}

/// The `Date` field of responses, formatted once per second.
struct DateLine: Sendable {
  private let line = Guarded<(second: Int64?, text: [UInt8])>((nil, []))

  /// The field with its line ending.
  var now: [UInt8] {
    let now = Moment.now
    return line.with { line in
      if line.second != now.seconds {
        line = (now.seconds, Array("Date: \(now.httpText)\r\n".utf8))
      }
      return line.text
    }
  }
}
