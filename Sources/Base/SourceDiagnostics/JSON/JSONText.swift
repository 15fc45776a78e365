import TerminalText

/// The text of strings, keys and numbers, decoded on request.
enum JSONText {
  /// Returns a string's or a key's text.
  static func string(of slot: JSONSlot, in bytes: [UInt8]) -> String {
    let range = range(of: slot, in: bytes)
    guard slot.needsDecoding else { return String(decoding: bytes[range], as: UTF8.self) }
    return String(decoding: unescaped(bytes[range]), as: UTF8.self)
  }

  /// Returns the place of a string's or a key's text, without quotes.
  static func range(of slot: JSONSlot, in bytes: [UInt8]) -> Range<Int> {
    let end = slot.start + slot.byteLength
    let isQuoted = bytes[slot.start] == UInt8(ascii: "\"") || bytes[slot.start] == UInt8(ascii: "'")
    return isQuoted ? slot.start + 1..<max(slot.start + 1, end - 1) : slot.start..<end
  }

  /// Returns the text with its escapes replaced; surrogates are joined, and malformed ones become
  /// U+FFFD.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      index += 1
      guard byte == UInt8(ascii: "\\"), index < text.endIndex else {
        result.append(byte)
        continue
      }
      let letter = text[index]
      index += 1
      switch letter {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "v"): result.append(0x0B)
      case UInt8(ascii: "0"): result.append(0x00)
      case 0x0D:
        if index < text.endIndex, text[index] == 0x0A { index += 1 }
      case 0x0A: break
      case 0xE2 where isLineSeparator(text, at: index - 1): index += 2
      case UInt8(ascii: "x"):
        append(hexadecimal(text, at: index, digits: 2) ?? 0xFFFD, to: &result)
        index = min(index + 2, text.endIndex)
      case UInt8(ascii: "u"):
        var scalar = hexadecimal(text, at: index, digits: 4) ?? 0xFFFD
        index = min(index + 4, text.endIndex)
        if scalar & 0xFC00 == 0xD800, let low = lowSurrogate(text, at: index) {
          scalar = 0x10000 + (scalar & 0x3FF) << 10 + (low & 0x3FF)
          index += 6
        }
        append(scalar, to: &result)
      default: result.append(letter)
      }
    }
    return result
  }

  /// Returns the value of exactly `digits` hexadecimal digits.
  static func hexadecimal(_ text: ArraySlice<UInt8>, at index: Int, digits: Int) -> UInt32? {
    index + digits <= text.endIndex ? UInt32(hexadecimal: text[index..<index + digits]) : nil
  }

  /// Returns the second unit of a surrogate pair at `index`, written as `\uDC00` to `\uDFFF`.
  static func lowSurrogate(_ text: ArraySlice<UInt8>, at index: Int) -> UInt32? {
    guard index + 6 <= text.endIndex, text[index] == UInt8(ascii: "\\"),
      text[index + 1] == UInt8(ascii: "u"),
      let value = hexadecimal(text, at: index + 2, digits: 4), value & 0xFC00 == 0xDC00
    else { return nil }
    return value
  }

  /// Returns whether there is U+2028 or U+2029 at `index`: they are line ends in JSON5.
  static func isLineSeparator(_ text: ArraySlice<UInt8>, at index: Int) -> Bool {
    index + 2 < text.endIndex && text[index] == 0xE2 && text[index + 1] == 0x80
      && (text[index + 2] == 0xA8 || text[index + 2] == 0xA9)
  }

  private static func append(_ scalar: UInt32, to result: inout [UInt8]) {
    result.append(contentsOf: String(UnicodeScalar(scalar) ?? "\u{FFFD}").utf8)
  }

  /// Returns a number in the form of strict JSON: no plus sign, and digits on both sides of the
  /// point.
  static func number(of slot: JSONSlot, in bytes: [UInt8]) -> String {
    let text = bytes[slot.start..<slot.start + slot.byteLength]
    guard slot.needsDecoding else { return String(decoding: text, as: UTF8.self) }
    var result: [UInt8] = []
    var previous: UInt8?
    for (offset, byte) in text.enumerated() where !(offset == 0 && byte == UInt8(ascii: "+")) {
      let point = UInt8(ascii: ".")
      if byte == point, previous?.isDigit != true {
        result.append(UInt8(ascii: "0"))
      }
      if previous == point, !byte.isDigit { result.removeLast() }
      result.append(byte)
      previous = byte
    }
    if previous == UInt8(ascii: ".") { result.removeLast() }
    return String(decoding: result, as: UTF8.self)
  }
}
