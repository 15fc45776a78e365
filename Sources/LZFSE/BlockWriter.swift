/// Turns a pending block into a `bvx2` block, or a stored one where that is not longer.
struct BlockWriter: ~Copyable {
  private let codes = SymbolCodes()
  private let counts = Storage<UInt32>(count: Alphabet.symbolCount, filledWith: 0)
  private let partialCounts = Storage<UInt32>(count: 4 * 256, filledWith: 0)
  private let frequencies = Storage<UInt16>(count: Alphabet.symbolCount, filledWith: 0)
  private let rows = Storage<EncodeRow>(count: Alphabet.symbolCount, filledWith: .unused)
  /// Where a block is written that might not fit the output; also lent to `VNEncoder`.
  let scratch = Storage<UInt8>(count: Self.maximumByteCount, filledWith: 0)

  /// Ten bits a literal, 54 a triplet, the tables, and room for the last wide store.
  private static let maximumByteCount =
    Format.blockHeaderSize + FrequencyCode.maximumByteCount
    + Format.maximumLiterals * 10 / 8 + Format.maximumTriplets * 54 / 8
    + 2 * Format.bitStringPadding + 64

  /// Writes the block; false when the output has no room for it.
  @unsafe
  func write(
    _ block: inout PendingBlock, _ source: UnsafeRawPointer, to output: inout OutputCursor
  ) -> Bool {
    unsafe padLiterals(&block)
    unsafe count(block)
    makeRows()
    if unsafe output.room >= Self.maximumByteCount {
      let size = unsafe encode(block, to: output.next)
      if size < block.rawByteCount + StoredBlock.headerSize {
        unsafe output.next += size
        return true
      }
    } else {
      let size = unsafe encode(block, to: UnsafeMutableRawPointer(scratch.base))
      if size < block.rawByteCount + StoredBlock.headerSize {
        return unsafe output.append(UnsafeRawPointer(scratch.base), count: size)
      }
    }
    return unsafe StoredBlock.write(
      source + block.start, count: block.rawByteCount, to: &output)
  }

  /// The number of literals is a multiple of four; repeating one that is there costs least.
  @unsafe
  private func padLiterals(_ block: inout PendingBlock) {
    let last = unsafe block.literalCount > 0 ? block.literals.base[block.literalCount - 1] : 0
    while block.literalCount % 4 != 0 {
      unsafe block.literals.base[block.literalCount] = last
      block.literalCount += 1
    }
  }

  /// Counts all symbols, and replaces a distance that equals the one before by 0.
  @unsafe
  private func count(_ block: borrowing PendingBlock) {
    let counts = unsafe counts.base
    unsafe counts.update(repeating: 0, count: Alphabet.symbolCount)
    let runs = unsafe counts + Alphabet.literalRun.firstSymbol
    let matches = unsafe counts + Alphabet.match.firstSymbol
    let distances = unsafe counts + Alphabet.distance.firstSymbol
    let triplets = unsafe block.triplets.base
    var previous: UInt32 = 0
    for index in 0..<block.tripletCount {
      let triplet = unsafe triplets[index]
      let coded = triplet.distance == previous ? 0 : triplet.distance
      previous = triplet.distance
      unsafe triplets[index].distance = coded
      unsafe runs[codes.literalRun(Int(triplet.literals))] &+= 1
      unsafe matches[codes.match(Int(triplet.match))] &+= 1
      unsafe distances[SymbolCodes.distance(Int(coded))] &+= 1
    }
    unsafe countLiterals(block, into: counts + Alphabet.literal.firstSymbol)
  }

  /// Counts in four tables in turn, so that equal neighbours need not wait for each other.
  @unsafe
  private func countLiterals(
    _ block: borrowing PendingBlock, into counts: UnsafeMutablePointer<UInt32>
  ) {
    let first = unsafe partialCounts.base
    let second = unsafe first + 256
    let third = unsafe first + 512
    let fourth = unsafe first + 768
    unsafe first.update(repeating: 0, count: 1024)
    let literals = unsafe UnsafeRawPointer(block.literals.base)
    var index = 0
    while index < block.literalCount {
      let four = unsafe literals.loadUnaligned(fromByteOffset: index, as: UInt32.self)
      unsafe first[Int(four & 0xff)] &+= 1
      unsafe second[Int(four &>> 8 & 0xff)] &+= 1
      unsafe third[Int(four &>> 16 & 0xff)] &+= 1
      unsafe fourth[Int(four &>> 24)] &+= 1
      index &+= 4
    }
    for symbol in 0..<256 {
      unsafe counts[symbol] = first[symbol] &+ second[symbol] &+ third[symbol] &+ fourth[symbol]
    }
  }

  private func makeRows() {
    for alphabet in Alphabet.allCases {
      let first = alphabet.firstSymbol
      unsafe Normalization.normalize(
        counts.base + first, alphabet, into: frequencies.base + first)
      var offset = 0
      for symbol in first..<first + alphabet.symbolCount {
        let frequency = unsafe Int(frequencies.base[symbol])
        guard frequency > 0 else { continue }
        unsafe rows.base[symbol] = EncodeRow(
          frequency: frequency, offset: offset, states: alphabet.stateCount)
        offset += frequency
      }
    }
  }

  @unsafe
  private func encode(
    _ block: borrowing PendingBlock, to target: UnsafeMutableRawPointer
  ) -> Int {
    var header = BlockHeader()
    header.rawByteCount = block.rawByteCount
    header.literalCount = block.literalCount
    header.tripletCount = block.tripletCount
    header.byteCount =
      unsafe Format.blockHeaderSize
      + FrequencyCode.write(frequencies.base, to: target + Format.blockHeaderSize)
    unsafe encodeLiterals(block, &header, to: target + header.byteCount)
    unsafe encodeTriplets(
      block, &header, to: target + header.byteCount + header.literalPayload)
    unsafe header.write(packedTo: target)
    return header.byteCount + header.literalPayload + header.tripletPayload
  }

  @unsafe
  private func encodeLiterals(
    _ block: borrowing PendingBlock, _ header: inout BlockHeader,
    to target: UnsafeMutableRawPointer
  ) {
    let rows = unsafe rows.base + Alphabet.literal.firstSymbol
    let literals = unsafe block.literals.base
    let start = UInt32(Alphabet.literal.stateCount)
    var (s0, s1, s2, s3) = (start, start, start, start)
    var bits = unsafe ForwardBits(target)
    var index = block.literalCount
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
      // Some readers refuse a payload of less than a word: zero bytes in front are never read.
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
    _ block: borrowing PendingBlock, _ header: inout BlockHeader,
    to target: UnsafeMutableRawPointer
  ) {
    unsafe target.storeBytes(of: 0, as: UInt64.self)
    let runRows = unsafe rows.base + Alphabet.literalRun.firstSymbol
    let matchRows = unsafe rows.base + Alphabet.match.firstSymbol
    let distanceRows = unsafe rows.base + Alphabet.distance.firstSymbol
    let triplets = unsafe block.triplets.base
    var runState = UInt32(Alphabet.literalRun.stateCount)
    var matchState = UInt32(Alphabet.match.stateCount)
    var distanceState = UInt32(Alphabet.distance.stateCount)
    var bits = unsafe ForwardBits(target + Format.bitStringPadding)
    var index = block.tripletCount
    while index > 0 {
      index &-= 1
      let triplet = unsafe triplets[index]
      let distance = Int(triplet.distance)
      let distanceSymbol = SymbolCodes.distance(distance)
      let distanceExtra = UInt64(SymbolCodes.distanceExtraBits(distanceSymbol))
      unsafe bits.push(UInt64(distance &+ 4) & (1 &<< distanceExtra &- 1), distanceExtra)
      unsafe distanceRows[distanceSymbol].push(&distanceState, to: &bits)

      let match = Int(triplet.match)
      let matchSymbol = codes.match(match)
      let matchExtra = codes.matchExtra(matchSymbol)
      unsafe bits.push(UInt64(match) &- matchExtra.base, matchExtra.bits)
      unsafe matchRows[matchSymbol].push(&matchState, to: &bits)

      let run = Int(triplet.literals)
      let runSymbol = codes.literalRun(run)
      let runExtra = codes.literalRunExtra(runSymbol)
      unsafe bits.push(UInt64(run) &- runExtra.base, runExtra.bits)
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
