import SystemIO

/// A buffer for the bodies of responses.
///
/// A response that waits for its client holds no buffer: there can be a thousand such responses.
final class Piece {
  var bytes: ByteBuffer

  init() throws(Failure) { bytes = try ByteBuffer(capacity: Self.size) }

  /// The number of bytes in one write: several TLS records.
  static let size = 64 << 10

  /// Returns the buffers of a server.
  ///
  /// The pool keeps as many buffers as a typical computer writes responses in parallel, and frees
  /// the others.
  static func pool() -> Pool<Piece> {
    Pool(keeping: 16) { () throws(Failure) in try Piece() }
  }
}
