import SystemIO

/// Reads LZBITMAP: chunks of at most 32 KiB whose bitmaps choose, byte by byte, between the next
/// literal and a copy from one period back.
final class LZBitmapDecoder: BlockDecoder {
  private static let magic: [UInt8] = [0x5A, 0x42, 0x4D, 0x09]
  private static let largestChunk = 0x8000

  func decode(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) throws(Failure) {
    guard input.byteCount >= 4, (0..<4).allSatisfy({ input.byte($0) == Self.magic[$0] }) else {
      throw .malformed("not an LZBITMAP stream")
    }
    var position = 4
    while true {
      guard position + 6 <= input.byteCount else {
        throw .malformed("the LZBITMAP stream is truncated")
      }
      let length = input.number24(position)
      let raw = input.number24(position + 3)
      guard length >= 6, length <= input.byteCount - position, raw <= Self.largestChunk else {
        throw .malformed("an LZBITMAP chunk has an impossible size")
      }
      guard raw <= output.freeCapacity else {
        throw .malformed("the LZBITMAP stream contains more than its block declares")
      }
      let chunk = input.extracting(position..<position + length)
      if length == raw + 6 {
        output.append(chunk.extracting(6..<length))
      } else {
        var cursor = try LZBitmapCursor(chunk)
        try cursor.decode(chunk, raw: raw, into: &output)
      }
      position += length
      if raw == 0 { break }
    }
    guard position == input.byteCount else {
      throw .malformed("\(input.byteCount - position) bytes follow the LZBITMAP stream")
    }
    guard output.freeCapacity == 0 else {
      throw .malformed("the LZBITMAP stream ends \(output.freeCapacity) bytes early")
    }
  }
}

/// The places in the four streams of one chunk: literals, periods, inline bitmaps, and the nibbles
/// that choose between the chunk's twelve bitmaps and the inline ones.
private struct LZBitmapCursor {
  private struct Bitmap {
    /// Bit i is set if byte i of eight is a literal.
    var bits: UInt8
    /// The number of bytes of a new period that follow.
    var periodBytes: Int
  }

  private static let headerSize = 15
  private static let tableSize = 17
  private static let repeatMark = 15

  private var literals = Self.headerSize
  private var periods: Int
  private var bitmaps: Int
  /// The position in half bytes.
  private var nibbles: Int
  private let table: [Bitmap]

  init(_ chunk: RawSpan) throws(Failure) {
    guard chunk.byteCount >= Self.headerSize + Self.tableSize else {
      throw .malformed("an LZBITMAP chunk is too short")
    }
    periods = chunk.number24(6)
    bitmaps = chunk.number24(9)
    nibbles = 2 * chunk.number24(12)
    // Twelve bitmaps of ten bits, from the lowest bit on: 120 bits, so the last two bytes are not
    // read.
    let start = chunk.byteCount - Self.tableSize
    table = (0..<12).map { index in
      let value = chunk.number24(start + 10 * index / 8) >> (10 * index % 8)
      return Bitmap(bits: UInt8(truncatingIfNeeded: value), periodBytes: value >> 8 & 3)
    }
  }

  mutating func decode(
    _ chunk: RawSpan, raw: Int, into output: inout OutputRawSpan
  ) throws(Failure) {
    var left = raw
    var period = 8
    while left > 0 {
      let code = try nibble(chunk)
      var repeats = left > 8 ? try repeatCount(chunk) : 1
      while repeats > 0, left > 0 {
        let bitmap = try bitmap(code, chunk)
        if bitmap.periodBytes > 0 { period = try number(bitmap.periodBytes, at: &periods, chunk) }
        guard period > 0 else { throw .malformed("an LZBITMAP period is zero") }
        for bit in 0..<min(8, left) {
          if bitmap.bits >> UInt8(bit) & 1 == 1 {
            output.append(UInt8(try number(1, at: &literals, chunk)))
          } else {
            guard period <= output.byteCount else {
              throw .malformed("an LZBITMAP copy starts before the block")
            }
            output.append(output.byte(output.byteCount - period))
          }
        }
        left -= min(8, left)
        repeats -= 1
      }
    }
  }

  private mutating func bitmap(_ code: Int, _ chunk: RawSpan) throws(Failure) -> Bitmap {
    guard code != Self.repeatMark else { throw .malformed("an LZBITMAP code refers to no bitmap") }
    let chosen =
      code >= 3
      ? table[code - 3]
      : Bitmap(bits: UInt8(try number(1, at: &bitmaps, chunk)), periodBytes: code)
    guard chosen.periodBytes <= 2 else { throw .malformed("an LZBITMAP period is too wide") }
    return chosen
  }

  /// Returns the number of uses of the last bitmap: one, unless a repeat mark follows.
  private mutating func repeatCount(_ chunk: RawSpan) throws(Failure) -> Int {
    let here = nibbles
    guard try nibble(chunk) == Self.repeatMark else {
      nibbles = here
      return 1
    }
    var count = 4
    var more = Self.repeatMark
    while more == Self.repeatMark {
      more = try nibble(chunk)
      count += more
    }
    return count
  }

  private mutating func nibble(_ chunk: RawSpan) throws(Failure) -> Int {
    guard nibbles / 2 < chunk.byteCount else { throw .malformed("an LZBITMAP chunk is truncated") }
    let byte = chunk.byte(nibbles / 2)
    defer { nibbles += 1 }
    return Int(nibbles % 2 == 0 ? byte & 15 : byte >> 4)
  }

  private func number(
    _ width: Int, at place: inout Int, _ chunk: RawSpan
  ) throws(Failure) -> Int {
    guard place + width <= chunk.byteCount else {
      throw .malformed("an LZBITMAP chunk is truncated")
    }
    defer { place += width }
    return (0..<width).reversed().reduce(0) { $0 << 8 | Int(chunk.byte(place + $1)) }
  }
}

extension RawSpan {
  /// Returns the byte at `place`, which is checked.
  fileprivate func byte(_ place: Int) -> UInt8 {
    unsafe unsafeLoad(fromByteOffset: place, as: UInt8.self)
  }

  fileprivate func number24(_ place: Int) -> Int {
    Int(byte(place)) | Int(byte(place + 1)) << 8 | Int(byte(place + 2)) << 16
  }
}

extension OutputRawSpan {
  fileprivate func byte(_ place: Int) -> UInt8 {
    bytes.byte(place)
  }
}
