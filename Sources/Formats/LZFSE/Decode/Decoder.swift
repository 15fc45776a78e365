/// A decoder of LZFSE streams; its tables are allocated once and are used for any number of
/// streams.
///
/// Memory: about 54 KiB.
public struct Decoder: ~Copyable, Sendable {
  let frequencies = Storage<UInt16>(count: Alphabet.symbolCount, filledWith: 0)
  let tables = DecodeTables()
  let literals = Storage<UInt8>(
    count: Format.maximumLiterals + WideCopy.slack, filledWith: 0)

  /// Creates a decoder.
  public init() {}

  /// Decodes the stream at the start of `input` and appends the result to `output`.
  ///
  /// - Returns: The length of the stream in bytes; later input is not read.
  /// - Throws: An error if the stream is damaged or the result does not fit. The contents of
  ///   `output` are then unchanged; bytes of its free space may have been overwritten.
  @discardableResult
  public mutating func decode(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) throws(LZFSEError) -> Int {
    try unsafe input.withUnsafeBytes { source throws(LZFSEError) in
      try unsafe output.withUnsafeMutableBytes { target, count throws(LZFSEError) in
        let free = unsafe UnsafeMutableRawBufferPointer(rebasing: target[count...])
        let done = try unsafe decode(source, into: free)
        count += done.written
        return done.read
      }
    }
  }

  @unsafe
  private func decode(
    _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) throws(LZFSEError) -> (read: Int, written: Int) {
    var read = 0
    var written = 0
    while true {
      guard source.count - read >= 4 else { throw .inputEndsEarly }
      let magic = unsafe source.loadUnaligned(fromByteOffset: read, as: UInt32.self)
      if magic.littleEndian == Magic.end { return (read + 4, written) }
      let block = try unsafe Block(source, at: read, magic: magic.littleEndian)
      guard block.rawByteCount <= target.count - written else { throw .outputTooSmall }
      let flaw =
        switch block.kind {
        case .stored: unsafe copy(block, from: source, to: target, at: written)
        case .vn: unsafe VNDecoder.decode(block, from: source, to: target, at: written)
        case .entropy(let header):
          unsafe decode(block, header, from: source, to: target, at: written)
        }
      if let flaw { throw .malformed(flaw, blockOffset: read) }
      read = block.end
      written += block.rawByteCount
    }
  }

  /// Copies a stored block; `Block` has checked its bounds.
  @unsafe
  private func copy(
    _ block: Block, from source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer,
    at written: Int
  ) -> LZFSEError.Flaw? {
    if block.rawByteCount > 0, let from = source.baseAddress, let to = target.baseAddress {
      unsafe (to + written).copyMemory(from: from + block.payload, byteCount: block.rawByteCount)
    }
    return nil
  }
}
