package import SystemIO

/// Decodes blocks one at a time and keeps the codec's state between them.
///
/// A decoder belongs to one thread. It accepts any input: it fills the output exactly or throws,
/// and accesses no byte outside the two spans.
package protocol BlockDecoder: AnyObject {
  /// Decodes all of `input`; the result must fill the free capacity of `output` exactly.
  func decode(_ input: RawSpan, into output: inout OutputRawSpan) throws(Failure)
}

extension BlockAlgorithm {
  package func makeDecoder() throws(Failure) -> any BlockDecoder {
    switch self {
    case .stored: StoredDecoder()
    case .lzfse: LZFSEBlockDecoder()
    case .zlib: try ZlibDecoder()
    case .lzma: XZDecoder()
    case .lz4: LZ4Decoder()
    case .lzbitmap: LZBitmapDecoder()
    }
  }
}

/// `pbz-` has no encoded form: a block whose two sizes differ is an error.
private final class StoredDecoder: BlockDecoder {
  func decode(_ input: RawSpan, into output: inout OutputRawSpan) throws(Failure) {
    throw .malformed("a block of a container without compression has two different sizes")
  }
}
