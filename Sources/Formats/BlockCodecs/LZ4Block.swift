import CLZ4
import LZFSE
import SystemIO

/// The marks of Apple's LZ4 frames, little endian.
///
/// After `bv41` follow the raw size, the encoded size and an LZ4 block; after `bv4-` the size and
/// the stored bytes. `bv4$` is the end.
private enum LZ4Mark {
  static let block: UInt32 = 0x3134_7662
  static let stored: UInt32 = 0x2D34_7662
  static let end: UInt32 = 0x2434_7662
  /// The number of bytes in each written frame, which does not refer to others.
  static let frameSize = 64 << 10
  /// The maximum distance of an LZ4 match.
  static let window = 64 << 10
}

/// Writes Apple's LZ4 frames of 64 KiB each, none of which refers to another.
@safe final class LZ4Encoder: BlockEncoder {
  private let state: UnsafeMutableRawPointer
  private let level: Level

  private enum Level {
    /// The acceleration of `LZ4_compress_fast`: 1 or more, a higher value is faster.
    case fast(Int32)
    /// The compression level of `LZ4_compress_HC`.
    case high(Int32)
  }

  init(effort: Effort) {
    let size: Int32
    switch effort {
    case .fast: (level, size) = (.fast(8), LZ4_sizeofState())
    case .default: (level, size) = (.fast(1), LZ4_sizeofState())
    case .better: (level, size) = (.high(LZ4HC_CLEVEL_DEFAULT), LZ4_sizeofStateHC())
    case .best: (level, size) = (.high(LZ4HC_CLEVEL_MAX), LZ4_sizeofStateHC())
    }
    unsafe state = .allocate(byteCount: Int(size), alignment: 16)
  }

  deinit { unsafe state.deallocate() }

  func encode(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) throws(Failure) -> Bool {
    var start = 0
    while start < input.byteCount {
      let end = min(start + LZ4Mark.frameSize, input.byteCount)
      guard encodeFrame(input.extracting(start..<end), into: &output) else { return false }
      start = end
    }
    guard output.freeCapacity >= 4 else { return false }
    append(LZ4Mark.end, to: &output)
    return true
  }

  private func encodeFrame(_ frame: RawSpan, into output: inout OutputRawSpan) -> Bool {
    let free = output.freeCapacity
    let room = min(free - 12, frame.byteCount - 1)
    if room > 0 {
      let isEncoded = unsafe output.withUnsafeMutableBytes { target, count in
        guard let base = target.baseAddress else { return false }
        let start = unsafe base + count
        let encoded = unsafe compress(frame, to: start + 12, capacity: Int32(room))
        guard encoded > 0 else { return false }
        for (place, value) in [LZ4Mark.block, UInt32(frame.byteCount), UInt32(encoded)].enumerated()
        {
          unsafe start.storeBytes(of: value.littleEndian, toByteOffset: 4 * place, as: UInt32.self)
        }
        count += 12 + Int(encoded)
        return true
      }
      if isEncoded { return true }
    }
    guard free >= 8 + frame.byteCount else { return false }
    append(LZ4Mark.stored, to: &output)
    append(UInt32(frame.byteCount), to: &output)
    output.append(frame)
    return true
  }

  private func compress(
    _ frame: RawSpan, to target: UnsafeMutableRawPointer, capacity: Int32
  ) -> Int32 {
    unsafe frame.withUnsafeBytes { source in
      let from = unsafe source.baseAddress?.assumingMemoryBound(to: CChar.self)
      let to = unsafe target.assumingMemoryBound(to: CChar.self)
      let size = Int32(source.count)
      return switch level {
      case .fast(let skip):
        unsafe LZ4_compress_fast_extState(state, from, to, size, capacity, skip)
      case .high(let depth):
        unsafe LZ4_compress_HC_extStateHC(state, from, to, size, capacity, depth)
      }
    }
  }
}

/// Reads Apple's LZ4 frames, even if their blocks refer to earlier ones.
final class LZ4Decoder: BlockDecoder {
  func decode(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) throws(Failure) {
    var position = 0
    func word(_ place: Int) throws(Failure) -> UInt32 {
      guard place + 4 <= input.byteCount else { throw .malformed("the LZ4 stream is truncated") }
      return UInt32(
        littleEndian: unsafe input.unsafeLoadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
    frames: while true {
      let mark = try word(position)
      switch mark {
      case LZ4Mark.end:
        position += 4
        break frames
      case LZ4Mark.stored:
        let size = Int(try word(position + 4))
        position += 8
        guard size <= input.byteCount - position else {
          throw .malformed("a stored LZ4 frame extends past its block")
        }
        guard size <= output.freeCapacity else { throw Self.tooMuch }
        output.append(input.extracting(position..<position + size))
        position += size
      case LZ4Mark.block:
        let raw = Int(try word(position + 4))
        let size = Int(try word(position + 8))
        position += 12
        guard size <= input.byteCount - position else {
          throw .malformed("an LZ4 frame extends past its block")
        }
        guard raw <= output.freeCapacity else { throw Self.tooMuch }
        guard
          decodeFrame(input.extracting(position..<position + size), raw: raw, into: &output)
        else { throw .malformed("an LZ4 frame is damaged") }
        position += size
      default: throw .malformed("unknown LZ4 frame")
      }
    }
    guard position == input.byteCount else {
      throw .malformed("\(input.byteCount - position) bytes follow the LZ4 stream")
    }
    guard output.freeCapacity == 0 else {
      throw .malformed("the LZ4 stream ends \(output.freeCapacity) bytes early")
    }
  }

  private static let tooMuch = Failure.malformed(
    "the LZ4 stream contains more than its block declares")

  private func decodeFrame(_ frame: RawSpan, raw: Int, into output: inout OutputRawSpan) -> Bool {
    guard let encodedSize = Int32(exactly: frame.byteCount), let rawSize = Int32(exactly: raw)
    else { return false }
    return unsafe frame.withUnsafeBytes { source in
      unsafe output.withUnsafeMutableBytes { target, count in
        guard let base = target.baseAddress else { return false }
        let history = min(count, LZ4Mark.window)
        let start = unsafe base + count
        let written = unsafe LZ4_decompress_safe_usingDict(
          source.baseAddress?.assumingMemoryBound(to: CChar.self),
          start.assumingMemoryBound(to: CChar.self), encodedSize, rawSize,
          (start - history).assumingMemoryBound(to: CChar.self), Int32(history))
        guard written == rawSize else { return false }
        count += raw
        return true
      }
    }
  }
}

private func append(_ word: UInt32, to output: inout OutputRawSpan) {
  for shift in stride(from: UInt32(0), to: 32, by: 8) {
    output.append(UInt8(truncatingIfNeeded: word >> shift))
  }
}
