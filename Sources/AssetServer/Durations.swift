import SystemIO

extension Duration {
  /// Reads `200ms`, `1.5s`, `2m`, `3h`: at most a day.
  package init?(written text: String) {
    let units: [(name: String, milliseconds: UInt64)] = [
      ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
    ]
    guard let unit = units.first(where: { text.hasSuffix($0.name) }),
      let count = UInt64(decimal: text.dropLast(unit.name.count), times: unit.milliseconds),
      count <= 86_400_000
    else { return nil }
    self = .milliseconds(Int64(count))
  }

  /// The time as it is read: `10s`, `1500ms`.
  package var written: String {
    let milliseconds = wholeMilliseconds
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }
}

extension Throttle {
  /// Reads a rate in bits, `3mbit` or `500kbit`, and gives it in bytes a second.
  package static func bytesPerSecond(written text: String) -> UInt64? {
    let units: [(name: String, bits: UInt64)] = [
      ("kbit", 1000), ("mbit", 1_000_000), ("gbit", 1_000_000_000),
      ("kbps", 1000), ("mbps", 1_000_000), ("gbps", 1_000_000_000),
    ]
    var text = text.lowercased()[...]
    if text.hasSuffix("bit/s") { text = text.dropLast(2) }
    guard let unit = units.first(where: { text.hasSuffix($0.name) }),
      let bits = UInt64(decimal: text.dropLast(unit.name.count), times: unit.bits), bits >= 8
    else { return nil }
    return bits / 8
  }

  /// A rate as it is read: `3mbit`, `62.504kbit`.
  package static func written(bytesPerSecond: UInt64) -> String {
    let (bits, isTooLarge) = bytesPerSecond.multipliedReportingOverflow(by: 8)
    guard !isTooLarge else { return "\(bytesPerSecond / 125_000_000)gbit" }
    if bits % 1_000_000 == 0 { return "\(bits / 1_000_000)mbit" }
    let (whole, rest) = bits.quotientAndRemainder(dividingBy: 1000)
    guard rest > 0 else { return "\(whole)kbit" }
    let digits = String(rest)
    return "\(whole).\(String(repeating: "0", count: 3 - digits.count))\(digits)kbit"
  }
}
