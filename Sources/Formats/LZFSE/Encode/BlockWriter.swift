/// Turns a pending block into `bvx2` blocks, or stored blocks if those are not longer.
///
/// `count` counts the symbols of a piece; `write` builds the tables from the counts and encodes the
/// piece from its end to its start, because decoders read the bits in reverse order.
struct BlockWriter: ~Copyable {
  let codes = SymbolCodes()
  let estimate = EntropyEstimate()
  private let normalization = Normalization()
  /// The counts of the piece that is written next, of the piece after it, and of both.
  let counts = Histogram()
  let nextCounts = Histogram()
  let bothCounts = Histogram()
  let partialCounts = Storage<UInt32>(count: 4 * 256, filledWith: 0)
  private let frequencies = Storage<UInt16>(count: Alphabet.symbolCount, filledWith: 0)
  private let rows = Storage<EncodeRow>(count: Alphabet.symbolCount, filledWith: .unused)
  /// Memory for a block that may not fit the output; also used by `VNEncoder`.
  let scratch = Storage<UInt8>(count: Self.maximumByteCount, filledWith: 0)

  /// Ten bits for each literal, 54 for each triplet, the tables, and room for the last wide store.
  private static let maximumByteCount =
    Format.blockHeaderSize + FrequencyCode.maximumByteCount
    + Format.mostLiteralsWritten * 10 / 8 + Format.mostTripletsWritten * 54 / 8
    + 2 * Format.bitStringPadding + 64

  /// Writes the block as a single one; false when the output has no room for it.
  @unsafe
  func write(
    _ block: borrowing PendingBlock, _ source: UnsafeRawPointer, to output: inout OutputCursor
  ) -> Bool {
    let piece = BlockPiece(
      triplets: 0..<block.tripletCount, literals: 0..<block.literalCount, start: block.start,
      rawByteCount: block.rawByteCount)
    count(block, piece, into: counts)
    return unsafe write(block, piece, source, to: &output)
  }

  /// Writes one piece, whose symbols have been counted; false when there is no room.
  @unsafe
  func write(
    _ block: borrowing PendingBlock, _ piece: BlockPiece, _ source: UnsafeRawPointer,
    to output: inout OutputCursor
  ) -> Bool {
    assert(piece.literals.upperBound + 4 <= block.literals.count)
    assert(piece.literals.upperBound <= block.literalCount)
    assert(piece.triplets.upperBound <= block.tripletCount)
    nameFirstDistance(block, piece)
    // The number of literals must be a multiple of four; repeating the last one costs least. The
    // bytes that this overwrites belong to the next piece and are put back.
    let place = unsafe UnsafeMutableRawPointer(block.literals.base + piece.literals.upperBound)
    let covered = unsafe place.loadUnaligned(as: UInt32.self)
    defer { unsafe place.storeBytes(of: covered, as: UInt32.self) }
    let padding = -piece.literals.count & 3
    let last = unsafe piece.literals.isEmpty ? 0 : (place - 1).load(as: UInt8.self)
    for index in 0..<padding {
      unsafe place.storeBytes(of: last, toByteOffset: index, as: UInt8.self)
    }
    counts.counts[Alphabet.literal.firstSymbol + Int(last)] += UInt32(padding)

    makeRows()
    let limit = piece.rawByteCount + StoredBlock.headerSize
    if unsafe output.room >= Self.maximumByteCount {
      let size = unsafe encode(block, piece, padding, to: output.next)
      if size < limit {
        unsafe output.skip(size)
        return true
      }
    } else {
      let size = unsafe encode(
        block, piece, padding, to: UnsafeMutableRawPointer(scratch.base))
      if size < limit {
        return unsafe output.append(UnsafeRawPointer(scratch.base), count: size)
      }
    }
    return unsafe StoredBlock.write(
      source + piece.start, count: piece.rawByteCount, to: &output)
  }

  private func makeRows() {
    for alphabet in Alphabet.allCases {
      let first = alphabet.firstSymbol
      unsafe normalization.normalize(
        counts.counts.base + first, alphabet, into: frequencies.base + first)
      var offset = 0
      for symbol in first..<first + alphabet.symbolCount {
        let frequency = Int(frequencies[symbol])
        guard frequency > 0 else { continue }
        rows[symbol] = EncodeRow(
          frequency: frequency, offset: offset, states: alphabet.stateCount)
        offset += frequency
      }
    }
  }

  @unsafe
  private func encode(
    _ block: borrowing PendingBlock, _ piece: BlockPiece, _ padding: Int,
    to target: UnsafeMutableRawPointer
  ) -> Int {
    var header = EntropyHeader()
    header.rawByteCount = piece.rawByteCount
    header.literalCount = piece.literals.count + padding
    header.tripletCount = piece.triplets.count
    header.byteCount =
      unsafe Format.blockHeaderSize
      + FrequencyCode.write(frequencies.base, to: target + Format.blockHeaderSize)
    unsafe encodeLiterals(
      block.literals.base + piece.literals.lowerBound, &header, to: target + header.byteCount,
      room: Self.maximumByteCount - header.byteCount)
    unsafe encodeTriplets(
      block.triplets.base + piece.triplets.lowerBound, &header,
      to: target + header.byteCount + header.literalPayload,
      room: Self.maximumByteCount - header.byteCount - header.literalPayload)
    unsafe header.write(packedTo: target)
    return header.byteCount + header.literalPayload + header.tripletPayload
  }

  @unsafe
  private func encodeLiterals(
    _ literals: UnsafePointer<UInt8>, _ header: inout EntropyHeader,
    to target: UnsafeMutableRawPointer, room: Int
  ) {
    let rows = unsafe rows.base + Alphabet.literal.firstSymbol
    let start = UInt32(Alphabet.literal.stateCount)
    var (s0, s1, s2, s3) = (start, start, start, start)
    var bits = unsafe ForwardBits(target, room: room)
    var index = header.literalCount
    assert(index % 4 == 0)
    while index > 0 {
      index &-= 4
      unsafe rows[Int(literals[index &+ 3])].push(&s3, to: &bits)
      unsafe rows[Int(literals[index &+ 2])].push(&s2, to: &bits)
      unsafe rows[Int(literals[index &+ 1])].push(&s1, to: &bits)
      unsafe rows[Int(literals[index])].push(&s0, to: &bits)
      unsafe bits.flush()
    }
    let end = unsafe bits.finish()
    header.literalSpare = end.spare
    header.literalPayload = end.byteCount
    let missing = Format.bitStringPadding - end.byteCount
    if missing > 0 {
      // Some readers reject a payload shorter than a word, so zero bytes precede it; no decoder
      // uses them.
      let short = unsafe target.loadUnaligned(as: UInt64.self)
      unsafe target.storeBytes(of: missing == 8 ? 0 : short << (8 * missing), as: UInt64.self)
      header.literalPayload = Format.bitStringPadding
    }
    header.literalStates = (
      Int(s0 &- start), Int(s1 &- start), Int(s2 &- start), Int(s3 &- start)
    )
  }

  @unsafe
  private func encodeTriplets(
    _ triplets: UnsafePointer<Triplet>, _ header: inout EntropyHeader,
    to target: UnsafeMutableRawPointer, room: Int
  ) {
    unsafe target.storeBytes(of: 0, as: UInt64.self)
    let runRows = unsafe rows.base + Alphabet.literalRun.firstSymbol
    let matchRows = unsafe rows.base + Alphabet.match.firstSymbol
    let distanceRows = unsafe rows.base + Alphabet.distance.firstSymbol
    var runState = UInt32(Alphabet.literalRun.stateCount)
    var matchState = UInt32(Alphabet.match.stateCount)
    var distanceState = UInt32(Alphabet.distance.stateCount)
    var bits = unsafe ForwardBits(
      target + Format.bitStringPadding, room: room - Format.bitStringPadding)
    var index = header.tripletCount
    while index > 0 {
      index &-= 1
      let triplet = unsafe triplets[index]
      let previous = index > 0 ? unsafe triplets[index &- 1].distance : 0
      let distance = triplet.distance == previous ? 0 : Int(triplet.distance)
      let distanceSymbol = SymbolCodes.distance(distance)
      let distanceExtra = UInt64(SymbolCodes.distanceExtraBits(distanceSymbol))
      unsafe bits.push(UInt64(distance &+ 4), distanceExtra)
      unsafe distanceRows[distanceSymbol].push(&distanceState, to: &bits)

      let match = Int(triplet.match)
      var matchSymbol = match
      if match >= SymbolCodes.firstWithExtraBits {
        matchSymbol = codes.match(match)
        let matchExtra = codes.matchExtra(matchSymbol)
        unsafe bits.push(UInt64(match) &- matchExtra.base, matchExtra.bits)
      }
      unsafe matchRows[matchSymbol].push(&matchState, to: &bits)

      let run = Int(triplet.literals)
      var runSymbol = run
      if run >= SymbolCodes.firstWithExtraBits {
        runSymbol = codes.literalRun(run)
        let runExtra = codes.literalRunExtra(runSymbol)
        unsafe bits.push(UInt64(run) &- runExtra.base, runExtra.bits)
      }
      unsafe runRows[runSymbol].push(&runState, to: &bits)
      unsafe bits.flush()
    }
    let end = unsafe bits.finish()
    header.tripletSpare = end.spare
    header.tripletPayload = end.byteCount + Format.bitStringPadding
    header.literalRunState = Int(runState) - Alphabet.literalRun.stateCount
    header.matchState = Int(matchState) - Alphabet.match.stateCount
    header.distanceState = Int(distanceState) - Alphabet.distance.stateCount
  }
}

/// The effect of one symbol on the state of the entropy coder.
///
/// The state is between N and 2N - 1 here. `deltaBits` is chosen so that in its sum with the state
/// the upper half is the number of bits to write: no comparison is needed.
struct EncodeRow: BitwiseCopyable {
  var deltaBits: UInt32
  var deltaState: Int32

  static let unused = EncodeRow(deltaBits: 0, deltaState: 0)

  init(deltaBits: UInt32, deltaState: Int32) {
    self.deltaBits = deltaBits
    self.deltaState = deltaState
  }

  /// `offset` is the sum of the frequencies of the symbols before this one.
  init(frequency: Int, offset: Int, states: Int) {
    let bits = StateSplit(frequency: frequency, states: states).bits
    deltaBits = UInt32(truncatingIfNeeded: bits << 16 - frequency << bits)
    deltaState = Int32(truncatingIfNeeded: offset - frequency + states)
  }

  /// Writes the low bits of the state and changes it.
  @unsafe @inline(__always)
  func push(_ state: inout UInt32, to bits: inout ForwardBits) {
    let count = (state &+ deltaBits) &>> 16
    let rest = unsafe bits.push(UInt64(state), UInt64(count))
    state = UInt32(bitPattern: Int32(bitPattern: rest) &+ deltaState)
  }
}
