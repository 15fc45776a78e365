/// Rates as users write them, in bits per second: `3mbit`, `500kbit`.
package enum BitRate {
  /// Reads a rate, and returns it in bytes per second; nil for other texts.
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

  /// Returns a rate in the notation that ``bytesPerSecond(written:)`` reads: `3mbit`, `62.504kbit`.
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
