import TerminalText

/// Numbers of bytes as text: `65536`, `64K`, `4M`; the letters represent powers of 1024.
package enum ByteCount {
  /// The letters that may follow a number, the largest unit first.
  package static let units: [(letter: String, size: UInt64)] = [
    ("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10),
  ]

  /// Reads a number of bytes; nil for other texts, and on overflow.
  package static func read(_ text: String) -> UInt64? {
    let unit = units.first { $0.letter == text.last?.uppercased() }
    let digits = unit == nil ? text[...] : text.dropLast()
    guard digits.utf8.allSatisfy(\.isDigit),
      let (product, isTooLarge) = UInt64(digits)?.multipliedReportingOverflow(by: unit?.size ?? 1),
      !isTooLarge
    else { return nil }
    return product
  }

  /// Returns a number of bytes as text in the largest unit without a remainder: `10G`, `1536K`.
  package static func exact(_ count: UInt64) -> String {
    let unit = units.first { count > 0 && count % $0.size == 0 }
    return "\(count / (unit?.size ?? 1))\(unit?.letter ?? "")"
  }

  /// Returns a number of bytes as text, rounded up to a whole unit: `312M`, `24G`.
  package static func roundedUp(_ count: UInt64) -> String {
    let unit = units.prefix(3).first { count > 16 * $0.size } ?? units[2]
    let number = count / unit.size + (count % unit.size == 0 ? 0 : 1)
    return "\(max(1, number))\(unit.letter)"
  }

  /// Reads a decimal number of bytes, with units of powers of 1000: `4G`, `1.5 GB`, `60M`.
  package static func readDecimal(_ text: String) -> UInt64? {
    var rest = Substring(text)
    if rest.last == "B" || rest.last == "b" { rest.removeLast() }
    let power = units.firstIndex { $0.letter == rest.last?.uppercased() }
    if power != nil { rest.removeLast() }
    if rest.last == " " { rest.removeLast() }
    let factor = power.map {
      (0..<units.count - $0).reduce(UInt64(1)) { product, _ in product * 1000 }
    }
    return UInt64(decimal: rest, times: factor ?? 1)
  }
}

extension UInt64 {
  /// Reads a number in decimal digits, with or without a fraction, times a factor; nil for other
  /// texts, and on overflow.
  package init?(decimal text: Substring, times factor: UInt64) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.count <= 20 }),
      parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }),
      let whole = UInt64(parts[0])
    else { return nil }
    let (product, isTooLarge) = whole.multipliedReportingOverflow(by: factor)
    guard !isTooLarge else { return nil }
    guard parts.count == 2 else {
      self = product
      return
    }
    let fraction = parts[1].utf8.reduce((value: UInt64(0), unit: factor)) { sum, digit in
      (sum.value + UInt64(digit - UInt8(ascii: "0")) * sum.unit / 10, sum.unit / 10)
    }
    let (sum, overflows) = product.addingReportingOverflow(fraction.value)
    if overflows { return nil }
    self = sum
  }
}
