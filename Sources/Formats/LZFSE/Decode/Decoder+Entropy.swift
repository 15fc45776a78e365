extension Decoder {
  /// Decodes a `bvx1` or `bvx2` block: first all literals, then the triplets that put them in
  /// place.
  @unsafe
  func decode(
    _ block: Block, _ header: EntropyHeader, from source: UnsafeRawBufferPointer,
    to target: UnsafeMutableRawBufferPointer, at written: Int
  ) -> LZFSEError.Flaw? {
    guard let from = source.baseAddress, let to = target.baseAddress else {
      return block.rawByteCount == 0 ? nil : .length
    }
    guard unsafe readFrequencies(block, header, source) else { return .frequencies }
    guard tables.fill(frequencies: frequencies) else { return .frequencies }

    let payload = unsafe from + block.payload
    if let flaw = unsafe decodeLiterals(header, payload) { return flaw }
    guard
      let bits = unsafe BackwardBits(
        start: payload + header.literalPayload, byteCount: header.tripletPayload,
        spare: header.tripletSpare)
    else { return .bits }
    let output = unsafe Output(
      start: to, from: to + written, to: to + written + block.rawByteCount,
      allocated: to + target.count)
    return unsafe placeTriplets(header, bits, output)
  }

  @unsafe
  private func readFrequencies(
    _ block: Block, _ header: EntropyHeader, _ source: UnsafeRawBufferPointer
  ) -> Bool {
    if unsafe source.loadUnaligned(fromByteOffset: block.start, as: UInt32.self) == Magic.plain {
      for symbol in 0..<Alphabet.symbolCount {
        unsafe frequencies[symbol] = source.loadUnaligned(
          fromByteOffset: block.start + 50 + 2 * symbol, as: UInt16.self)
      }
      return true
    }
    if header.byteCount == Format.blockHeaderSize {
      unsafe frequencies.base.update(repeating: 0, count: Alphabet.symbolCount)
      return true
    }
    return unsafe FrequencyCode.read(
      UnsafeRawBufferPointer(
        rebasing: source[block.start + Format.blockHeaderSize..<block.payload]),
      into: frequencies)
  }

  /// Decodes the literals: four states alternately read one bit string.
  @unsafe
  private func decodeLiterals(
    _ header: EntropyHeader, _ payload: UnsafeRawPointer
  ) -> LZFSEError.Flaw? {
    guard
      var bits = unsafe BackwardBits(
        start: payload, byteCount: header.literalPayload, spare: header.literalSpare)
    else { return .bits }
    let rows = unsafe tables.literals.base
    var (s0, s1, s2, s3) = header.literalStates
    assert(header.literalCount + WideCopy.slack <= literals.count)
    var next = unsafe literals.base
    let end = unsafe next + header.literalCount
    while unsafe next < end {
      guard unsafe bits.canRefill else { return .bits }
      unsafe bits.refill()
      let r0 = unsafe rows[tables.literals.checked(s0)]
      let r1 = unsafe rows[tables.literals.checked(s1)]
      let r2 = unsafe rows[tables.literals.checked(s2)]
      let r3 = unsafe rows[tables.literals.checked(s3)]
      unsafe next[0] = UInt8(truncatingIfNeeded: r0 &>> 8)
      unsafe next[1] = UInt8(truncatingIfNeeded: r1 &>> 8)
      unsafe next[2] = UInt8(truncatingIfNeeded: r2 &>> 8)
      unsafe next[3] = UInt8(truncatingIfNeeded: r3 &>> 8)
      let after1 = r0 &+ r1
      let after2 = after1 &+ r2
      let after3 = after2 &+ r3
      s0 = unsafe nextState(r0, bits.rotated(by: r0))
      s1 = unsafe nextState(r1, bits.rotated(by: after1))
      s2 = unsafe nextState(r2, bits.rotated(by: after2))
      s3 = unsafe nextState(r3, bits.rotated(by: after3))
      // Four literals have at most 40 bits, and the compiler needs a number below 64.
      assert(after3 & 0xff <= 40)
      unsafe bits.drop(after3 & 63)
      unsafe next += 4
    }
    return unsafe bits.isWithinString ? nil : .bits
  }

  /// Returns the next state, where `window` ends with the bits that the row reads.
  @inline(__always)
  private func nextState(_ row: UInt64, _ window: UInt64) -> Int {
    Int(truncatingIfNeeded: row &>> 32 &+ (row &>> 16 & 0xffff & window))
  }

  /// The output of one block, and where the history for its matches starts.
  @unsafe
  private struct Output {
    let start: UnsafeMutableRawPointer
    let from: UnsafeMutableRawPointer
    let to: UnsafeMutableRawPointer
    let allocated: UnsafeMutableRawPointer

    /// Copies a match near the end of the output.
    @inline(__always)
    func copyExactly(to start: UnsafeMutableRawPointer, distance: Int, count: Int) {
      unsafe WideCopy.exact(
        UnsafeRawPointer(start - distance), to: start, count: count,
        readable: to - start + distance, writable: to - start)
    }
  }

  /// Reads the run, match and distance of each triplet in one step and copies literals and match.
  @unsafe
  private func placeTriplets(
    _ header: EntropyHeader, _ string: BackwardBits, _ output: Output
  ) -> LZFSEError.Flaw? {
    var bits = unsafe string
    let runRows = unsafe tables.literalRuns.base
    let matchRows = unsafe tables.matches.base
    let distanceRows = unsafe tables.distances.base
    var runState = header.literalRunState
    var matchState = header.matchState
    var distanceState = header.distanceState
    var literal = unsafe UnsafeRawPointer(literals.base)
    let literalEnd = unsafe literal + header.literalCount
    var next = unsafe output.from
    var distance = 0

    for _ in 0..<header.tripletCount {
      guard unsafe bits.canRefill else { return .bits }
      unsafe bits.refill()
      let runRow = unsafe runRows[tables.literalRuns.checked(runState)]
      let matchRow = unsafe matchRows[tables.matches.checked(matchState)]
      let distanceRow = unsafe distanceRows[tables.distances.checked(distanceState)]
      let runBits = UInt64(runRow.totalBits)
      let matchBits = UInt64(matchRow.totalBits)
      let distanceBits = UInt64(distanceRow.totalBits)
      let beforeDistance = runBits &+ matchBits
      let run = unsafe runRow.split(bits.peek(runBits, after: 0), state: &runState)
      let count = unsafe matchRow.split(bits.peek(matchBits, after: runBits), state: &matchState)
      let newDistance = unsafe distanceRow.split(
        bits.peek(distanceBits, after: beforeDistance), state: &distanceState)
      unsafe bits.drop(beforeDistance &+ distanceBits)
      distance = newDistance == 0 ? distance : newDistance

      guard unsafe literalEnd - literal >= run else { return .literals }
      guard unsafe output.to - next >= run &+ count else { return .length }
      let matchStart = unsafe next + run
      let history = unsafe matchStart - output.start
      if UInt(bitPattern: distance &- 1) >= UInt(bitPattern: history) {
        if count > 0 { return .distance }
        unsafe WideCopy.exact(
          literal, to: next, count: run, readable: literalEnd - literal,
          writable: output.to - next)
      } else if unsafe output.allocated - matchStart >= count &+ WideCopy.slack {
        unsafe WideCopy.literals(
          literal, to: next, count: run, readable: literalEnd - literal + WideCopy.slack,
          writable: output.allocated - next)
        unsafe WideCopy.match(
          matchStart, distance: distance, count: count, history: history,
          writable: output.allocated - matchStart)
      } else {
        unsafe WideCopy.exact(
          literal, to: next, count: run, readable: literalEnd - literal,
          writable: output.to - next)
        unsafe output.copyExactly(to: matchStart, distance: distance, count: count)
      }
      unsafe literal += run
      unsafe next = matchStart + count
    }
    guard unsafe bits.isWithinString else { return .bits }
    return unsafe next == output.to ? nil : .length
  }
}

extension DecodeTables.ValueRow {
  /// Splits the bits that were read into the step to the next state and the extra bits of the
  /// value.
  @inline(__always)
  fileprivate func split(_ bits: UInt64, state: inout Int) -> Int {
    let extra = UInt64(extraBits)
    state = Int(nextState) &+ Int(truncatingIfNeeded: bits &>> extra)
    return Int(base) &+ Int(truncatingIfNeeded: bits & (1 &<< extra &- 1))
  }
}
