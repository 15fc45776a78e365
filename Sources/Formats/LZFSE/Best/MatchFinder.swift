/// Finds the matches of each position.
enum MatchFinder: ~Copyable {
  case tree(MatchTree)
  case ladder(HashLadder)

  static let groupSize = 64

  /// Removes all positions, for a new input.
  func clear() {
    switch self {
    case .tree(let tree): tree.clear()
    case .ladder(let ladder): ladder.clear()
    }
  }
}

/// A structure that contains the positions before the current one.
///
/// Positions are prepared in groups: what a group needs from large tables is read in one loop
/// without branches, so the processor waits for many reads at the same time.
protocol PositionIndex: ~Copyable {
  /// The number of bytes between a position and the end of the input that a search needs.
  static var neededByteCount: Int { get }

  /// Enters the positions of a group, at most ``MatchFinder/groupSize``, into the tables.
  @unsafe
  func prepare(_ source: UnsafeRawPointer, from start: Int, to end: Int)

  /// Writes the matches of a prepared position, the longest last; returns their number.
  ///
  /// Each position of a group is searched once, in order. `target` has room for
  /// ``FoundMatch/maximumCount`` matches.
  @unsafe
  func find(
    _ source: UnsafeRawPointer, _ position: Int, count: Int,
    into target: UnsafeMutablePointer<FoundMatch>
  ) -> Int

  /// Skips a prepared position whose matches are not needed.
  @unsafe
  func skip(_ source: UnsafeRawPointer, _ position: Int, count: Int)
}

/// A match in one number: twelve bits for the length, the others for the distance.
struct FoundMatch: BitwiseCopyable {
  private var bits: UInt32

  static let none = FoundMatch(length: 0, distance: 0)
  /// The number of matches that are kept for one position.
  static let maximumCount = 24

  @inline(__always)
  init(length: Int, distance: UInt32) {
    assert(length <= Format.maximumMatch && distance <= UInt32(Format.maximumDistance))
    bits = distance &<< 12 | UInt32(truncatingIfNeeded: length)
  }

  var length: Int {
    @inline(__always) get { Int(bits & 0xFFF) }
  }

  var distance: UInt32 {
    @inline(__always) get { bits &>> 12 }
  }
}
