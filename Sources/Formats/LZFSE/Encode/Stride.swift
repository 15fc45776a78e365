/// The way from one searched position to the next, and the end of the search.
///
/// After 2,048 bytes without a match, most positions are skipped. The others are selected by the
/// bytes there: in two copies of a long text, the same positions are searched. A step of a fixed
/// size would find a repeat only if that size divides its distance.
struct Stride {
  private static var patience: Int { 2048 }
  /// The number of bytes without a match for each byte of the last match.
  ///
  /// The short matches of compressed media, which occur by chance, do not begin a search of every
  /// position.
  private static var patiencePerByte: Int { 128 }
  private static var shortestStep: Int { 16 }
  /// The number of words in which the next position is searched.
  private static var words: Int { 12 }

  /// The first position that is not searched.
  private let limit: Int
  /// The last position before positions are skipped.
  ///
  /// It is below `limit`, so that most calls of ``reaches(_:in:)`` need one comparison.
  private var end: Int

  @inline(__always)
  init(before limit: Int) {
    self.limit = limit
    end = min(Self.patience, limit &- 1)
  }

  /// Returns whether a position is below the limit; first advances the position to the next one
  /// that is searched.
  @unsafe @inline(__always)
  func reaches(_ position: inout Int, in source: UnsafeRawPointer) -> Bool {
    if position <= end { return true }
    position = unsafe Self.nextAnchor(in: source, from: position &+ Self.shortestStep, limit)
    return position < limit
  }

  /// Returns the first position of 96 whose byte has the same lowest six bits as the next one, or
  /// the one after them.
  @unsafe @inline(__always)
  private static func nextAnchor(
    in source: UnsafeRawPointer, from start: Int, _ limit: Int
  ) -> Int {
    var position = start
    let last = min(limit, start &+ 8 &* words)
    while position < last {
      let here = unsafe source + position
      let difference =
        unsafe (here.loadUnaligned(as: UInt64.self).littleEndian
        ^ here.loadUnaligned(fromByteOffset: 1, as: UInt64.self).littleEndian)
        & 0x3F3F_3F3F_3F3F_3F3F
      let zeros = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
      if zeros != 0 { return position &+ zeros.trailingZeroBitCount &>> 3 }
      position &+= 8
    }
    return position
  }

  /// Begins again after a match, which ends at a position.
  @inline(__always)
  mutating func restart(at position: Int, after length: Int) {
    let patience = min(Self.patience, length &* Self.patiencePerByte)
    end = min(max(end, position &+ patience), limit &- 1)
  }
}
