/// The code for the 360 frequencies in a block's header: short for small numbers.
///
/// From the lowest bit up: `0 x`, `10 x`, `110 xx`, `1110 xxxx`, or `1111` and ten bits. The five
/// forms begin at 0, 2, 4, 8 and 24.
enum FrequencyCode {
  static let maximumByteCount = (Alphabet.symbolCount * 14 + 7) / 8

  /// Reads all frequencies; false when the bytes are not exactly one table.
  static func read(
    _ bytes: UnsafeRawBufferPointer, into frequencies: borrowing Storage<UInt16>
  ) -> Bool {
    var window: UInt64 = 0
    var valid = 0
    var offset = 0
    let count = bytes.count
    for symbol in 0..<Alphabet.symbolCount {
      // As many whole bytes as fit are read in one step.
      if valid < 14, offset &+ 8 <= count {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
        let taken = (63 &- valid) &>> 3
        window |= word &<< UInt64(valid)
        window &= .max &>> UInt64(64 &- valid &- 8 &* taken)
        offset &+= taken
        valid &+= 8 &* taken
      }
      while valid < 14, offset < count {
        unsafe window |= UInt64(bytes[offset]) << valid
        offset += 1
        valid += 8
      }
      let (value, bits) = decode(window)
      guard bits <= valid else { return false }
      frequencies[symbol] = value
      window >>= UInt64(bits)
      valid -= bits
    }
    return offset == count && valid < 8
  }

  private static func decode(_ window: UInt64) -> (value: UInt16, bits: Int) {
    let low = UInt16(truncatingIfNeeded: window)
    switch (~window).trailingZeroBitCount {
    case 0: return (low >> 1 & 1, 2)
    case 1: return (2 + (low >> 2 & 1), 3)
    case 2: return (4 + (low >> 3 & 3), 5)
    case 3: return (8 + (low >> 4 & 15), 8)
    default: return (24 + (low >> 4 & 1023), 14)
    }
  }

  /// Writes all frequencies and returns the number of bytes; `target` has room for the longest
  /// table and eight bytes more.
  @unsafe
  static func write(
    _ frequencies: UnsafePointer<UInt16>, to target: UnsafeMutableRawPointer
  ) -> Int {
    var bits = unsafe ForwardBits(target, room: maximumByteCount + 8)
    for symbol in 0..<Alphabet.symbolCount {
      let (code, count) = unsafe encode(UInt64(frequencies[symbol]))
      unsafe bits.push(code, count)
      unsafe bits.flush()
    }
    return unsafe bits.finish().byteCount
  }

  /// Returns the number of bits of a frequency in the header.
  @inline(__always)
  static func bitCount(_ frequency: Int) -> Int {
    switch frequency {
    case ..<2: 2
    case ..<4: 3
    case ..<8: 5
    case ..<24: 8
    default: 14
    }
  }

  @inline(__always)
  private static func encode(_ value: UInt64) -> (code: UInt64, count: UInt64) {
    switch value {
    case ..<2: (value << 1, 2)
    case ..<4: ((value &- 2) << 2 | 0b01, 3)
    case ..<8: ((value &- 4) << 3 | 0b011, 5)
    case ..<24: ((value &- 8) << 4 | 0b0111, 8)
    default: ((value &- 24) << 4 | 0b1111, 14)
    }
  }
}
