extension BlockWriter {
  /// The maximum number of parts of a block, and the minimum number of triplets in a part.
  private static var maximumParts: Int { 6 }
  private static var minimumPart: Int { 200 }

  /// Writes the block as one block or several, with the shorter result; returns false if there is
  /// no room.
  ///
  /// Adjacent parts are not split if one table for both is estimated to be shorter.
  @unsafe
  func writeInParts(
    _ block: borrowing PendingBlock, _ source: UnsafeRawPointer, to output: inout OutputCursor
  ) -> Bool {
    let total = block.tripletCount
    let step = max(Self.minimumPart, (total + Self.maximumParts - 1) / Self.maximumParts)
    var whole = part(of: block, 0..<min(step, total), literal: 0, start: block.start)
    count(block, whole, into: counts)
    var wholeBits = bits(counts, whole)
    while whole.triplets.upperBound < total {
      let first = whole.triplets.upperBound
      let next = part(
        of: block, first..<min(first + step, total), literal: whole.literals.upperBound,
        start: whole.start + whole.rawByteCount)
      count(block, next, into: nextCounts)
      bothCounts.set(counts, plus: nextCounts)
      let nextBits = bits(nextCounts, next)
      var both = whole
      both.append(next)
      let bothBits = bits(bothCounts, both)
      if bothBits <= wholeBits + nextBits {
        whole = both
        counts.set(bothCounts)
        wholeBits = bothBits
      } else {
        guard unsafe write(block, whole, source, to: &output) else { return false }
        whole = next
        counts.set(nextCounts)
        wholeBits = nextBits
      }
    }
    return unsafe write(block, whole, source, to: &output)
  }

  private func bits(_ histogram: borrowing Histogram, _ piece: BlockPiece) -> Int {
    estimate.bits(histogram, literals: piece.literals.count, triplets: piece.triplets.count)
  }

  /// Returns the piece that has these triplets.
  private func part(
    of block: borrowing PendingBlock, _ triplets: Range<Int>, literal: Int, start: Int
  ) -> BlockPiece {
    var literals = 0
    var matches = 0
    for index in triplets {
      let triplet = block.triplets[index]
      literals &+= Int(triplet.literals)
      matches &+= Int(triplet.match)
    }
    return BlockPiece(
      triplets: triplets, literals: literal..<literal + literals, start: start,
      rawByteCount: literals + matches)
  }
}
