package import LZFSE
package import SystemIO

/// Encodes blocks one at a time, each on its own, keeping the codec's state between them.
///
/// An encoder belongs to one thread. Making one allocates what the codec needs; encoding allocates
/// nothing.
package struct BlockEncoder: ~Copyable {
  private let codec: any AnyBlockEncoding

  /// Makes an encoder for blocks of at most `blockSize` bytes.
  package init(
    _ algorithm: BlockAlgorithm, effort: Effort, blockSize: Int
  ) throws(Failure) {
    switch algorithm {
    case .lzfse: codec = EncoderBox(LZFSEBlockEncoder(effort: effort))
    case .zlib: codec = EncoderBox(try ZlibEncoder(effort: effort))
    case .lzma: codec = EncoderBox(try XZEncoder(effort: effort, blockSize: blockSize))
    case .lz4: codec = EncoderBox(try LZ4Encoder(effort: effort))
    case .stored, .lzbitmap: throw Failure(.notWritable("\(algorithm)"))
    }
  }

  /// Appends the encoded form of `input` to `output`, or says with `false` that it does not fit;
  /// what `output` then holds means nothing.
  package mutating func encode(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) throws(Failure) -> Bool {
    try codec.encode(input, into: &output)
  }
}

/// What each encoder offers.
protocol BlockEncoding: ~Copyable {
  mutating func encode(_ input: RawSpan, into output: inout OutputRawSpan) throws(Failure)
    -> Bool
}

/// An encoder whose kind was chosen at run time: one indirect call a block.
private protocol AnyBlockEncoding: AnyObject {
  func encode(_ input: RawSpan, into output: inout OutputRawSpan) throws(Failure) -> Bool
}

private final class EncoderBox<Codec: BlockEncoding & ~Copyable>: AnyBlockEncoding {
  private var codec: Codec

  init(_ codec: consuming Codec) { self.codec = codec }

  func encode(_ input: RawSpan, into output: inout OutputRawSpan) throws(Failure) -> Bool {
    try codec.encode(input, into: &output)
  }
}
