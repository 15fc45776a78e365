extension BlockWriter {
  /// Counts the symbols of a piece in all alphabets.
  func count(
    _ block: borrowing PendingBlock, _ piece: BlockPiece, into histogram: borrowing Histogram
  ) {
    let counts = unsafe histogram.counts.base
    unsafe counts.update(repeating: 0, count: Alphabet.literal.firstSymbol)
    let matches = unsafe counts + Alphabet.match.firstSymbol
    let distances = unsafe counts + Alphabet.distance.firstSymbol
    let triplets = unsafe block.triplets.base
    let first = piece.triplets.lowerBound
    var previous = first > 0 ? unsafe triplets[first - 1].distance : 0
    for index in piece.triplets {
      let triplet = unsafe triplets[index]
      let coded = triplet.distance == previous ? 0 : triplet.distance
      previous = triplet.distance
      unsafe counts[codes.literalRun(Int(triplet.literals))] &+= 1
      unsafe matches[codes.match(Int(triplet.match))] &+= 1
      unsafe distances[SymbolCodes.distance(Int(coded))] &+= 1
    }
    unsafe countLiterals(
      UnsafeRawPointer(block.literals.base + piece.literals.lowerBound), piece.literals.count,
      into: counts + Alphabet.literal.firstSymbol)
  }

  /// Uses four tables in turn, so that counting equal adjacent symbols does not wait for memory.
  @unsafe
  private func countLiterals(
    _ literals: UnsafeRawPointer, _ count: Int, into counts: UnsafeMutablePointer<UInt32>
  ) {
    let first = unsafe partialCounts.base
    let second = unsafe first + 256
    let third = unsafe first + 512
    let fourth = unsafe first + 768
    unsafe first.update(repeating: 0, count: 1024)
    var index = 0
    while index &+ 4 <= count {
      let four = unsafe literals.loadUnaligned(fromByteOffset: index, as: UInt32.self)
      unsafe first[Int(four & 0xff)] &+= 1
      unsafe second[Int(four &>> 8 & 0xff)] &+= 1
      unsafe third[Int(four &>> 16 & 0xff)] &+= 1
      unsafe fourth[Int(four &>> 24)] &+= 1
      index &+= 4
    }
    while index < count {
      unsafe first[Int(literals.load(fromByteOffset: index, as: UInt8.self))] &+= 1
      index &+= 1
    }
    for symbol in 0..<256 {
      unsafe counts[symbol] = first[symbol] &+ second[symbol] &+ third[symbol] &+ fourth[symbol]
    }
  }

  /// Corrects the counts: the first triplet of a block cannot repeat the distance of the one before
  /// it.
  func nameFirstDistance(_ block: borrowing PendingBlock, _ piece: BlockPiece) {
    let first = piece.triplets.lowerBound
    guard first > 0 else { return }
    let triplets = unsafe block.triplets.base
    let distance = unsafe triplets[first].distance
    guard unsafe triplets[first - 1].distance == distance else { return }
    let distances = unsafe counts.counts.base + Alphabet.distance.firstSymbol
    unsafe distances[0] -= 1
    unsafe distances[SymbolCodes.distance(Int(distance))] += 1
  }
}
