/// Triplets that are not in a block yet.
struct TripletList: ~Copyable {
  /// The maximum number of triplets that remain after blocks are written, plus the maximum number
  /// that a stretch adds.
  static let capacity =
    2 * Format.mostTripletsWritten + OptimalParser.maximumStretch / 2
    + OptimalParser.maximumStretch / Format.maximumLiteralRun + 2

  let triplets = Storage<Triplet>(count: Self.capacity, filledWith: .zero)
  private(set) var count = 0
  /// The start of the first triplet's literals in the input.
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

  /// Adds literals in runs of the maximum length, but keeps at least one literal back; returns
  /// their number.
  ///
  /// After each stretch at most one run waits for its match, independently of the length of the
  /// input.
  mutating func appendWholeRuns(_ literals: Int) -> Int {
    let runs = max(0, literals - 1) / Format.maximumLiteralRun
    for _ in 0..<runs {
      triplets[count] = Triplet(
        literals: UInt16(Format.maximumLiteralRun), match: 0, distance: 0)
      count += 1
    }
    return runs * Format.maximumLiteralRun
  }

  mutating func removeLast(_ removed: Int) {
    assert(removed >= 0 && removed <= count)
    count -= removed
  }

  /// Removes the first triplets, which cover `byteCount` bytes.
  mutating func removeFirst(_ removed: Int, byteCount: Int) {
    assert(removed >= 0 && removed <= count && count <= triplets.count)
    let base = unsafe triplets.base
    for index in removed..<count { unsafe base[index - removed] = base[index] }
    count -= removed
    start += byteCount
  }
}
