/// Numbers of bytes as people write them: `65536`, `64K`, `4M`, with powers of 1024.
package enum ByteCount {
  /// The letters that may follow a number, the largest unit first.
  package static let units: [(letter: String, size: UInt64)] = [
    ("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10),
  ]

  /// Reads one; nil for anything else, and for more than can be counted.
  package static func read(_ text: String) -> UInt64? {
    let unit = units.first { $0.letter == text.last?.uppercased() }
    let digits = unit == nil ? text[...] : text.dropLast()
    guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
      let (product, isTooLarge) = UInt64(digits)?.multipliedReportingOverflow(by: unit?.size ?? 1),
      !isTooLarge
    else { return nil }
    return product
  }
}
