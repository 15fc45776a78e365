/// Eight bytes of a text, to examine them together.
struct EightBytes {
  private let word: UInt64
  private static let highBits: UInt64 = 0x8080_8080_8080_8080
  private static let spaces: UInt64 = 0x2020_2020_2020_2020

  /// Reads the bytes at an offset; there must be eight.
  init(_ bytes: [UInt8], at index: Int) {
    precondition(index >= 0 && index + 8 <= bytes.count)
    var word: UInt64 = 0
    for place in 0..<8 { word |= UInt64(bytes[index + place]) << UInt64(8 * place) }
    self.word = word
  }

  var areASCII: Bool { word & Self.highBits == 0 }

  /// Whether all are ASCII, and none is below the space.
  var arePrintableASCII: Bool {
    // A byte below the space sets the high bit of its difference.
    (word | (word &- Self.spaces)) & Self.highBits == 0
  }
}

/// Finds bytes in a text that are not UTF-8.
enum UTF8Check {
  /// Returns the spans that are not UTF-8, with adjacent ones joined; at most `limit`.
  static func illFormed(in bytes: [UInt8], limit: Int) -> [SourceSpan] {
    var found: [SourceSpan] = []
    var index = 0
    while index < bytes.count {
      if index + 8 <= bytes.count, EightBytes(bytes, at: index).areASCII {
        index += 8
        continue
      }
      if bytes[index] < 0x80 {
        index += 1
        continue
      }
      let (length, isWellFormed) = sequence(in: bytes, at: index)
      if !isWellFormed {
        if let last = found.last, last.end == index {
          found[found.count - 1].end = index + length
        } else {
          guard found.count < limit else { return found }
          found.append(SourceSpan(index, index + length))
        }
      }
      index += length
    }
    return found
  }

  /// Returns the length of the sequence at `index`, or of the part of it that cannot be a
  /// character.
  static func sequence(in bytes: [UInt8], at index: Int) -> (length: Int, isWellFormed: Bool) {
    let count: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch bytes[index] {
    case 0x00...0x7F: return (1, true)
    case 0xC2...0xDF: count = 2
    case 0xE0: (count, second) = (3, 0xA0...0xBF)
    case 0xED: (count, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: count = 3
    case 0xF0: (count, second) = (4, 0x90...0xBF)
    case 0xF4: (count, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: count = 4
    default: return (1, false)
    }
    for position in 1..<count {
      let expected = position == 1 ? second : 0x80...0xBF
      guard index + position < bytes.count, expected ~= bytes[index + position] else {
        return (position, false)
      }
    }
    return (count, true)
  }

  /// Returns the character at `index` and its length in bytes; nil if there is none.
  static func scalar(in bytes: [UInt8], at index: Int) -> (UnicodeScalar, length: Int)? {
    let (length, isWellFormed) = sequence(in: bytes, at: index)
    guard isWellFormed,
      let scalar = String(decoding: bytes[index..<index + length], as: UTF8.self)
        .unicodeScalars.first
    else { return nil }
    return (scalar, length)
  }
}
