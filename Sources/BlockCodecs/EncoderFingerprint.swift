package import LZFSE

extension BlockEncoder {
  /// Stands for everything but a block's own bytes that decides what becomes of it: two encoders
  /// with one fingerprint write the same.
  ///
  /// The codec, the effort and the block size say what was asked for, but not what an encoder makes
  /// of it: ours gets better from version to version, and so do the libraries of the machine. So
  /// each encoder also shows what it makes of a sample. Nobody has to remember to raise a number
  /// when an encoder changes, and a library that was replaced below us shows as well.
  package static func fingerprint(
    of algorithm: BlockAlgorithm, effort: Effort, blockSize: Int
  ) throws(CodecError) -> [UInt8] {
    var encoder = try BlockEncoder(algorithm, effort: effort, blockSize: blockSize)
    var digest = try Digest(.sha256)
    digest.update("\(algorithm) \(effort) \(blockSize)\n")
    var rest = EncoderSample.bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(blockSize))
      rest = rest.dropFirst(blockSize)
      let encoded = try encoder.encoded(piece)
      digest.update("\(piece.count) \(encoded?.count ?? piece.count)\n")
      if let encoded { digest.update(encoded) }
    }
    return digest.finish()
  }

  /// The encoded form, or nil when it is not shorter.
  private mutating func encoded(_ block: [UInt8]) throws(CodecError) -> [UInt8]? {
    var result = Result<Bool, CodecError>.success(false)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(1, block.count - 1)) {
      buffer, filled in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      var output = unsafe OutputRawSpan(buffer: raw, initializedCount: 0)
      do throws(CodecError) {
        result = .success(try unsafe encode(block.span.bytes, into: &output))
      } catch {
        result = .failure(error)
      }
      filled = unsafe output.finalize(for: raw)
    }
    return try result.get() ? bytes : nil
  }
}

extension Digest {
  fileprivate mutating func update(_ text: String) { update(Array(text.utf8)) }

  fileprivate mutating func update(_ bytes: [UInt8]) { unsafe update(bytes.span.bytes) }
}

/// Bytes on which encoders differ.
///
/// Words, records, few symbols, noise, pieces of what came before at every distance: each decision of
/// a parse changes those after it, so little of each is enough.
private enum EncoderSample {
  static let bytes: [UInt8] = {
    var numbers = Numbers()
    let words = (0..<400).map { _ in
      (0..<2 + numbers.next(below: 8)).map { _ in UInt8(97 + numbers.next(below: 26)) }
    }
    var bytes: [UInt8] = []
    while bytes.count < 24_000 {
      bytes += words[numbers.next(below: 1 + numbers.next(below: words.count))] + [32]
    }
    for index in 0..<1500 {
      let value = index * index / 64
      bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8), 0, 0]
      bytes += [UInt8(numbers.next(below: 4)), 255, UInt8(numbers.next(below: 100)), 128]
    }
    bytes += (0..<8000).map { _ in UInt8(numbers.next(below: 5) * 17) }
    bytes += (0..<3000).map { _ in UInt8(numbers.next(below: 256)) }
    while bytes.count < 96_000 {
      let start = numbers.next(below: bytes.count - 300)
      let count = 3 + numbers.next(below: 1 << numbers.next(below: 9))
      // A slice that still holds the array would make appending copy all of it.
      bytes += Array(bytes[start..<start + count])
      bytes.append(UInt8(numbers.next(below: 256)))
    }
    return bytes
  }()

  /// The same numbers everywhere (splitmix64).
  private struct Numbers {
    private var state: UInt64 = 1

    mutating func next(below bound: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return Int((mixed ^ mixed >> 31) % UInt64(bound))
    }
  }
}
