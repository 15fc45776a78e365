/// Triplets that have no block yet.
struct TripletList: ~Copyable {
  /// What one block may leave, and what a stretch can add at the most.
  static let capacity =
    2 * Format.mostTripletsWritten + OptimalParser.stretch / 2
    + OptimalParser.stretch / Format.maximumLiteralRun + 2

  let triplets = Storage<Triplet>(count: Self.capacity, filledWith: .zero)
  private(set) var count = 0
  /// Where the first one's literals begin in the input.
  private(set) var start = 0

  mutating func clear() {
    count = 0
    start = 0
  }

  /// Adds literals and a match of at most `Format.maximumMatch` bytes.
  mutating func append(literals: Int, match: Int, distance: Int) {
    let literals = literals - appendWholeRuns(literals)
    triplets[count] = Triplet(
      literals: UInt16(literals), match: UInt16(match), distance: UInt32(distance))
    count += 1
  }

  /// Adds literals in the longest runs that there are, but keeps at least one back; returns how
  /// many were added.
  ///
  /// After each stretch no more than one run waits for its match, however long the input is.
  mutating func appendWholeRuns(_ literals: Int) -> Int {
    let runs = max(0, literals - 1) / Format.maximumLiteralRun
    for _ in 0..<runs {
      triplets[count] = Triplet(
        literals: UInt16(Format.maximumLiteralRun), match: 0, distance: 0)
      count += 1
    }
    return runs * Format.maximumLiteralRun
  }

  /// Forgets the first ones, which cover `byteCount` bytes.
  mutating func removeFirst(_ removed: Int, byteCount: Int) {
    assert(removed >= 0 && removed <= count && count <= triplets.count)
    let base = unsafe triplets.base
    for index in removed..<count { unsafe base[index - removed] = base[index] }
    count -= removed
    start += byteCount
  }
}
