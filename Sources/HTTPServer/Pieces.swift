import SystemIO

/// Memory through which bodies go out, lent to whoever writes just now.
///
/// A download that nobody takes holds none: there may be a thousand of them, and few that go on.
final class Pieces: Sendable {
  private let free = FreePieces()

  /// How many bytes go out at once: several records of TLS.
  static let size = 64 << 10
  /// As many as write at once on an ordinary machine; further ones are given back to the system.
  fileprivate static let mostFree = 16

  /// Lends a piece for as long as a function needs it.
  func take() throws(Failure) -> Piece {
    if let piece = free.take() { return piece }
    return try Piece()
  }

  func giveBack(_ piece: Piece) { free.add(piece) }

  /// One that nobody else has meanwhile.
  final class Piece {
    var bytes: ByteBuffer

    init() throws(Failure) { bytes = try ByteBuffer(capacity: Pieces.size) }
  }

  private final class FreePieces: @unchecked Sendable {
    private let lock = Lock()
    private var pieces: [Piece] = []

    func take() -> Piece? { lock.with { pieces.popLast() } }

    func add(_ piece: Piece) {
      lock.with {
        if pieces.count < Pieces.mostFree { pieces.append(piece) }
      }
    }
  }
}
