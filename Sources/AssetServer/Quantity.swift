/// Amounts and times as people write them.
package enum Quantity {
  /// `500k`, `1M`, `2G`, `1048576`: powers of 1000, as networks count.
  package static func bytes(_ text: String) -> UInt64? {
    let units: [(String, UInt64)] = [("k", 1000), ("m", 1_000_000), ("g", 1_000_000_000)]
    let lower = text.lowercased()
    for (unit, factor) in units where lower.hasSuffix(unit) {
      return number(lower.dropLast(unit.count), times: factor)
    }
    return number(lower[...], times: 1)
  }

  /// `200ms`, `10s`, `2m`.
  package static func duration(_ text: String) -> Duration? {
    let units: [(String, UInt64)] = [("ms", 1), ("s", 1000), ("m", 60_000)]
    for (unit, factor) in units where text.hasSuffix(unit) {
      let count = number(text.dropLast(unit.count), times: factor)
      return count.flatMap { $0 <= 86_400_000 ? .milliseconds(Int64($0)) : nil }
    }
    return nil
  }

  /// `3mbit`, `500kbit`, `1gbit`: bits a second, given in bytes a second.
  package static func rate(_ text: String) -> UInt64? {
    let units: [(String, UInt64)] = [("kbit", 1000), ("mbit", 1_000_000), ("gbit", 1_000_000_000)]
    let lower = text.lowercased()
    for (unit, factor) in units where lower.hasSuffix(unit) {
      guard let bits = number(lower.dropLast(unit.count), times: factor), bits >= 8 else {
        return nil
      }
      return bits / 8
    }
    return nil
  }

  /// A number, with a fraction or without, times a factor.
  private static func number(_ text: Substring, times factor: UInt64) -> UInt64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.count <= 15 }),
      parts.allSatisfy({ $0.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } }),
      let whole = UInt64(parts[0])
    else { return nil }
    let (product, isTooLarge) = whole.multipliedReportingOverflow(by: factor)
    guard !isTooLarge else { return nil }
    guard parts.count == 2 else { return product }
    let fraction = parts[1].utf8.reduce((value: UInt64(0), unit: factor)) { sum, digit in
      (sum.value + UInt64(digit - UInt8(ascii: "0")) * sum.unit / 10, sum.unit / 10)
    }
    return product.addingReportingOverflow(fraction.value).partialValue
  }
}
