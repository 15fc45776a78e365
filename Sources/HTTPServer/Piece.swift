import SystemIO

/// Memory through which bodies go out.
///
/// A download that nobody takes holds none: there may be a thousand of them, and few that go on.
final class Piece {
  var bytes: ByteBuffer

  init() throws(Failure) { bytes = try ByteBuffer(capacity: Self.size) }

  /// How many bytes go out at once: several records of TLS.
  static let size = 64 << 10

  /// The pieces of a server.
  ///
  /// It keeps as many as write at once on an ordinary machine; further ones are given back to the
  /// system.
  static func pool() -> Pool<Piece> {
    Pool(keeping: 16) { () throws(Failure) in try Piece() }
  }
}
