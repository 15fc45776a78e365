extension Encoder {
  /// Takes the first match that is found; false when the output is full.
  @unsafe
  mutating func parseGreedily(
    _ source: UnsafeRawPointer, count: Int, to output: inout OutputCursor
  ) -> Bool {
    let table = unsafe hashTable.base
    unsafe table.update(repeating: 0, count: hashTable.count)
    block.begin(at: 0)
    var position = 0
    var literalStart = 0
    // Eight bytes are loaded at a time.
    let last = count - 8
    while position <= last {
      let word = unsafe source.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      let slot = Int(truncatingIfNeeded: (word << 24 &* 0x9E37_79B1_85EB_CA87) >> 49)
      // Positions are kept plus one, modulo 2^32: 0 is an empty slot.
      let entry = unsafe table[slot]
      unsafe table[slot] = UInt32(truncatingIfNeeded: position &+ 1)
      let distance = Int(UInt32(truncatingIfNeeded: position &+ 1) &- entry)
      guard entry != 0, distance > 0, distance <= Format.maximumDistance, distance <= position
      else {
        position += 1
        continue
      }
      let length = unsafe MatchLength.of(
        source + position, source + (position - distance), limit: count - position)
      guard length >= 5 else {
        position += 1
        continue
      }
      guard
        unsafe add(
          source, literalStart, literals: position - literalStart, match: length,
          distance: distance, end: count, to: &output)
      else { return false }
      position += length
      literalStart = position
    }
    return unsafe add(
      source, literalStart, literals: count - literalStart, match: 0, distance: 0, end: count,
      to: &output)
      && finishBlock(source, to: &output)
  }

  /// Adds literals and a match of any length, in as many triplets as they need.
  ///
  /// Writes the block when it is full; false when the output is.
  @unsafe @inline(__always)
  mutating func add(
    _ source: UnsafeRawPointer, _ start: Int, literals: Int, match: Int, distance: Int,
    end: Int, to output: inout OutputCursor
  ) -> Bool {
    if match > 0, literals <= Format.maximumLiteralRun, match <= Format.maximumMatch,
      block.hasRoom(forLiterals: literals)
    {
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
    repeat {
      let run = min(literals, Format.maximumLiteralRun)
      let length = run == literals ? min(match, Format.maximumMatch) : 0
      if !block.hasRoom(forLiterals: run) {
        guard unsafe finishBlock(source, to: &output) else { return false }
      }
      // A triplet without a match names the distance of the one before, which costs least; the
      // first of a block must name one that a strict decoder takes.
      let named = length > 0 ? distance : (block.lastDistance ?? 1)
      unsafe block.append(
        source + start, literals: run, match: length, distance: named, readable: end - start)
      start += run + length
      literals -= run
      match -= length
    } while literals > 0 || match > 0
    return true
  }

  /// Writes the pending block, if there is anything in it, and begins the next.
  @unsafe
  mutating func finishBlock(_ source: UnsafeRawPointer, to output: inout OutputCursor) -> Bool {
    guard block.tripletCount > 0 else { return true }
    let start = block.start
    let size = block.rawByteCount
    guard unsafe writer.write(&block, source, to: &output) else { return false }
    block.begin(at: start + size)
    return true
  }
}
