/// The starts of the latest long matches.
///
/// A table has the nearest repeat of some bytes. In records that begin with the same bytes and end
/// differently, an earlier repeat is often longer: one that began where such a match began.
struct LongMatchStarts: ~Copyable {
  private static let count = 16
  /// It is too far from every position.
  private static let none = -(1 << 40)
  private let positions = Storage<Int>(count: Self.count, filledWith: Self.none)
  private var last = 0

  mutating func clear() {
    unsafe positions.base.update(repeating: Self.none, count: Self.count)
    last = 0
  }

  /// Enters the start of a long match; returns the longest match there: this one, or one with an
  /// earlier long match.
  @unsafe @inline(never)
  mutating func enter(
    _ source: UnsafeRawPointer, _ start: Int, length: Int, distance: Int, limit: Int
  ) -> (length: Int, distance: Int) {
    var longest = (length: length, distance: distance)
    let here = unsafe source + start
    let lastStart = positions[last]
    var continues = false
    for index in 0..<Self.count {
      let position = positions[index]
      // The match begins at the same place of the record at `position`, or continues there where
      // the last long match ended.
      for begin in [start, lastStart] {
        let distance = begin &- position
        guard distance > 0, distance <= Format.maximumDistance, longest.length < limit else {
          continue
        }
        let there = unsafe here - distance
        guard
          unsafe here.load(fromByteOffset: longest.length, as: UInt8.self)
            == there.load(fromByteOffset: longest.length, as: UInt8.self)
        else { continue }
        let length = unsafe MatchLength.of(here, there, limit: limit)
        if length > longest.length {
          longest = (length, distance)
          continues = distance != start &- position
        }
      }
    }
    if !continues {
      last = (last &+ 1) % Self.count
      positions[last] = start
    }
    return longest
  }
}
