package import SystemIO

/// Decodes blocks one at a time, keeping the codec's state between them.
///
/// A decoder belongs to one thread. It believes nothing: whatever the bytes are, it fills the output
/// exactly or says what is wrong, and touches no byte outside either span.
package struct BlockDecoder: ~Copyable {
  private let codec: any AnyBlockDecoding

  /// Makes a decoder.
  package init(_ algorithm: BlockAlgorithm) throws(Failure) {
    switch algorithm {
    case .stored: codec = DecoderBox(StoredDecoder())
    case .lzfse: codec = DecoderBox(LZFSEBlockDecoder())
    case .zlib: codec = DecoderBox(try ZlibDecoder())
    case .lzma: codec = DecoderBox(try XZDecoder())
    case .lz4: codec = DecoderBox(LZ4Decoder())
    case .lzbitmap: codec = DecoderBox(LZBitmapDecoder())
    }
  }

  /// Decodes all of `input`; the result must fill the free capacity of `output` exactly.
  package mutating func decode(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) throws(Failure) {
    try codec.decode(input, into: &output)
  }
}

/// What each decoder offers.
protocol BlockDecoding: ~Copyable {
  mutating func decode(_ input: RawSpan, into output: inout OutputRawSpan) throws(Failure)
}

/// A decoder whose kind was chosen at run time: one indirect call a block.
private protocol AnyBlockDecoding: AnyObject {
  func decode(_ input: RawSpan, into output: inout OutputRawSpan) throws(Failure)
}

private final class DecoderBox<Codec: BlockDecoding & ~Copyable>: AnyBlockDecoding {
  private var codec: Codec

  init(_ codec: consuming Codec) { self.codec = codec }

  func decode(_ input: RawSpan, into output: inout OutputRawSpan) throws(Failure) {
    try codec.decode(input, into: &output)
  }
}

/// `pbz-` has no encoded form: a block whose sizes differ is an error.
private struct StoredDecoder: BlockDecoding {
  mutating func decode(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) throws(Failure) {
    throw .malformed("a block of a container without compression has two different sizes")
  }
}
