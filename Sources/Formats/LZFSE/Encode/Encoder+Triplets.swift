extension Encoder {
  /// Adds literals and a match of any length, with as many triplets as they need.
  ///
  /// Writes the block when the block is full. Returns false when the output is full.
  @unsafe @inline(__always)
  mutating func add(
    _ source: UnsafeRawPointer, _ start: Int, literals: Int, match: Int, distance: Int,
    end: Int, to output: inout OutputCursor
  ) -> Bool {
    if match > 0, literals <= Format.maximumLiteralRun, match <= Format.maximumMatch,
      block.hasRoom(forLiterals: literals)
    {
      assert(literals >= 0 && start + literals + match <= end)
      unsafe block.append(
        source + start, literals: literals, match: match, distance: distance,
        readable: end - start)
      return true
    }
    return unsafe addInPieces(
      source, start, literals: literals, match: match, distance: distance, end: end, to: &output)
  }

  @unsafe @inline(never)
  private mutating func addInPieces(
    _ source: UnsafeRawPointer, _ start: Int, literals: Int, match: Int, distance: Int,
    end: Int, to output: inout OutputCursor
  ) -> Bool {
    var start = start
    var literals = literals
    var match = match
    while literals > 0 || match > 0 {
      let run = min(literals, Format.maximumLiteralRun)
      let length = run == literals ? min(match, Format.maximumMatch) : 0
      if !block.hasRoom(forLiterals: run) {
        guard unsafe finishBlock(source, to: &output) else { return false }
      }
      // A triplet without a match repeats the distance of the one before, which costs least; in the
      // first one of a block it must be a distance that a strict decoder accepts.
      let named = length > 0 ? distance : (block.lastDistance ?? 1)
      unsafe block.append(
        source + start, literals: run, match: length, distance: named, readable: end - start)
      start += run + length
      literals -= run
      match -= length
    }
    return true
  }

  /// Adds the literals after the last match and writes the last block.
  @unsafe
  mutating func finish(
    _ source: UnsafeRawPointer, literalsFrom start: Int, count: Int,
    to output: inout OutputCursor
  ) -> Bool {
    unsafe addInPieces(
      source, start, literals: count - start, match: 0, distance: 0, end: count, to: &output)
      && finishBlock(source, to: &output)
  }

  /// Writes the pending block, unless it is empty, and begins the next one; returns false if the
  /// output is full.
  @unsafe
  mutating func finishBlock(_ source: UnsafeRawPointer, to output: inout OutputCursor) -> Bool {
    guard block.tripletCount > 0 else { return true }
    let start = block.start
    let size = block.rawByteCount
    guard unsafe writer.writeInParts(block, source, to: &output) else { return false }
    block.begin(at: start + size)
    unsafe output.reach(start + size)
    return true
  }
}
