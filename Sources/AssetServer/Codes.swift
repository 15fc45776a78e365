/// Base64 as headers have it.
enum Base64 {
  /// The bytes that a text stands for; nil when it is none.
  static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    let signs = text.utf8.prefix { $0 != UInt8(ascii: "=") }
    let padding = text.utf8.count - signs.count
    guard text.utf8.count % 4 == 0, padding <= 2,
      text.utf8.suffix(padding).allSatisfy({ $0 == UInt8(ascii: "=") })
    else { return nil }
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for sign in signs {
      guard let value = value(sign) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }

  private static func value(_ sign: UInt8) -> UInt8? {
    switch sign {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): sign - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): sign - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): sign - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

/// Signs that mean something in an address, written as `%20`.
enum PercentCode {
  /// A name as one part of a path.
  static func path(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      let isPlain =
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "-._~".utf8.contains(byte)
        }
      if isPlain {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }
}
