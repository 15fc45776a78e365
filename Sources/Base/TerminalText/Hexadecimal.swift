// Hexadecimal digits: how they are written, and how they are read.

/// Returns bytes in lower-case hexadecimal, the usual form of digests.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String { hexadecimal(Array(bytes)) }

/// Returns the bytes of an array in lower-case hexadecimal; not generic, so that long lists are
/// fast.
package func hexadecimal(_ bytes: [UInt8]) -> String {
  var digits: [UInt8] = []
  digits.reserveCapacity(2 * bytes.count)
  for byte in bytes {
    digits.append(lowercaseDigits[Int(byte >> 4)])
    digits.append(lowercaseDigits[Int(byte & 15)])
  }
  return String(decoding: digits, as: UTF8.self)
}

/// Returns a number in hexadecimal, with at least `digits` digits.
package func hexadecimal(
  _ value: some UnsignedInteger, digits: Int, uppercase: Bool = true
) -> String {
  let text = String(value, radix: 16, uppercase: uppercase)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}

private let lowercaseDigits = Array("0123456789abcdef".utf8)

extension UInt8 {
  /// The value of the byte as a hexadecimal digit in either case; nil for any other byte.
  package var hexadecimalDigitValue: UInt8? {
    if isDigit { return self - 0x30 }
    return lowercased &- 0x61 < 6 ? lowercased - 0x61 + 10 : nil
  }

  /// Whether the byte is a hexadecimal digit and not an upper-case letter.
  package var isLowercaseHexadecimalDigit: Bool { isDigit || self &- 0x61 < 6 }
}

extension FixedWidthInteger {
  /// Reads a number in hexadecimal; nil for an empty text, a number that is too large, and any
  /// other character, such as '-'.
  package init?(hexadecimal digits: some Collection<UInt8>) {
    guard !digits.isEmpty else { return nil }
    self = 0
    for digit in digits {
      guard let value = digit.hexadecimalDigitValue else { return nil }
      let (product, isTooLarge) = multipliedReportingOverflow(by: 16)
      guard !isTooLarge else { return nil }
      self = product + Self(value)
    }
  }
}

extension [UInt8] {
  /// Reads bytes written as two hexadecimal digits each; nil for any other character, and if
  /// the number of bytes is not `count`.
  package init?(hexadecimal text: String, count: Int) {
    guard text.utf8.count == 2 * count else { return nil }
    self = []
    reserveCapacity(count)
    var high: UInt8?
    for character in text.utf8 {
      guard let digit = character.hexadecimalDigitValue else { return nil }
      if let first = high.take() { append(first << 4 | digit) } else { high = digit }
    }
  }
}

/// Returns sixteen bytes as a UUID (RFC 9562); its version and variant replace six of the bits.
package func uuid(_ bytes: some Sequence<UInt8>, version: UInt8, uppercase: Bool = false) -> String
{
  var text = ""
  for (index, byte) in bytes.enumerated() {
    if [4, 6, 8, 10].contains(index) { text += "-" }
    let byte =
      switch index {
      case 6: byte & 0x0F | version << 4
      case 8: byte & 0x3F | 0x80
      default: byte
      }
    text += hexadecimal(byte, digits: 2, uppercase: uppercase)
  }
  return text
}
