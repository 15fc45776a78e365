package import LZFSE
package import SystemIO

/// Encodes blocks one at a time, independently, and keeps the codec's memory between them.
///
/// An encoder belongs to one thread. Its initializer allocates the memory of the codec; encoding
/// allocates none.
package protocol BlockEncoder: AnyObject {
  /// Appends the encoded form of `input` to `output`; returns false if it does not fit.
  ///
  /// If the result is false, the contents of `output` are undefined.
  func encode(_ input: RawSpan, into output: inout OutputRawSpan) throws(Failure) -> Bool
}

extension BlockAlgorithm {
  /// Creates an encoder for blocks of at most `blockSize` bytes.
  package func makeEncoder(
    effort: Effort, blockSize: Int
  ) throws(Failure) -> any BlockEncoder {
    switch self {
    case .lzfse: LZFSEBlockEncoder(effort: effort)
    case .zlib: try ZlibEncoder(effort: effort)
    case .lzma: try XZEncoder(effort: effort, blockSize: blockSize)
    case .lz4: LZ4Encoder(effort: effort)
    case .stored, .lzbitmap: throw Failure(.notWritable("\(self)"))
    }
  }
}
