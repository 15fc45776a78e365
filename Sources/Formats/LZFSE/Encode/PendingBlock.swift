/// The triplets and literals of the block that is being collected.
struct PendingBlock: ~Copyable {
  let triplets = Storage<Triplet>(count: Format.mostTripletsWritten, filledWith: .zero)
  let literals = Storage<UInt8>(
    count: Format.mostLiteralsWritten + WideCopy.slack, filledWith: 0)
  var tripletCount = 0
  var literalCount = 0
  /// The start of the block in the input, and the number of bytes that the triplets cover.
  var start = 0
  var rawByteCount = 0

  /// The distance of the newest triplet.
  var lastDistance: Int? {
    tripletCount > 0 ? Int(triplets[tripletCount - 1].distance) : nil
  }

  mutating func begin(at start: Int) {
    self.start = start
    tripletCount = 0
    literalCount = 0
    rawByteCount = 0
  }

  @inline(__always)
  func hasRoom(forLiterals count: Int) -> Bool {
    tripletCount < Format.mostTripletsWritten && literalCount &+ count <= Format.mostLiteralsWritten
  }

  /// Adds one triplet; the caller ensures that it fits and that its numbers are not too large.
  ///
  /// `readable` is the number of bytes that can be read from `source`.
  @unsafe @inline(__always)
  mutating func append(
    _ source: UnsafeRawPointer, literals count: Int, match: Int, distance: Int, readable: Int
  ) {
    assert(hasRoom(forLiterals: count), "the block is full")
    let target = unsafe UnsafeMutableRawPointer(literals.base + literalCount)
    if readable >= count &+ WideCopy.slack {
      unsafe WideCopy.literals(
        source, to: target, count: count, readable: readable,
        writable: literals.count - literalCount)
    } else {
      unsafe WideCopy.exact(
        source, to: target, count: count, readable: readable,
        writable: literals.count - literalCount)
    }
    triplets[tripletCount] = Triplet(
      literals: UInt16(truncatingIfNeeded: count), match: UInt16(truncatingIfNeeded: match),
      distance: UInt32(truncatingIfNeeded: distance))
    literalCount &+= count
    tripletCount &+= 1
    rawByteCount &+= count &+ match
  }
}

/// A part of a pending block that is written as a separate block.
struct BlockPiece {
  var triplets: Range<Int>
  var literals: Range<Int>
  /// Its start in the input, and the number of bytes that the triplets cover.
  var start: Int
  var rawByteCount: Int

  mutating func append(_ next: BlockPiece) {
    triplets = triplets.lowerBound..<next.triplets.upperBound
    literals = literals.lowerBound..<next.literals.upperBound
    rawByteCount += next.rawByteCount
  }
}
