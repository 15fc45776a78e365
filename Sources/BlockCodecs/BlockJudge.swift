import LZFSE

/// Says of a block, before it is encoded, whether that could be worth the time.
///
/// Most assets are compressed already, and an encoder finds that out the slow way. The judge looks
/// at an eighth of the block, spread over it, for what encoders live on: bytes that are more frequent
/// than others (order-0 entropy), and four bytes that came before. It knows nothing but the block, so
/// equal blocks are judged equally, whatever came before them; and no function of a C library has a
/// part in it, so that they are on every machine.
///
/// What a byte says of the next one (order-1 entropy) is looked at where the codec's literals are
/// coded in context, which is LZMA alone: the others reach it through matches only. On the game data
/// of the benchmarks it hardly tells the blocks that LZFSE shrinks a little from those it stores
/// (rank correlation 0.1, against 0.6 of the rest), and counting it in cost twice the wasted time for
/// the same bytes. For LZMA it finds blocks that show nothing else, and takes a tenth less time than a
/// lower `leastSaving` would for the same bytes.
///
/// What it misses is 0.02 % of an archive of those data at most; `Benchmarks/bench-judge` measures it.
package struct BlockJudge: ~Copyable {
  /// A predicted saving below this share of a block is not worth encoding it.
  ///
  /// Half of it misses 0.004 % of an archive and encodes twice as many blocks for nothing.
  private static let leastSaving = 0.004
  /// Smaller blocks are encoded faster than judged.
  private static let smallestBlock = 32 << 10
  private static let stretch = 32 << 10
  private static let sample = 4 << 10
  /// How many positions of a sample have sixteen more bytes behind them, enough for a comparison.
  private static let samplePositions = sample - 16
  private static let hashBits = 15
  /// How many bits of the byte before choose LZMA's code for the next one.
  private static let contextBits = 3

  private static let logarithmBits = 20
  /// The natural logarithm of 2.
  private static let ln2 = 0.693_147_180_559_945_309

  private let algorithm: BlockAlgorithm
  /// `n log2 n` for every count that a byte can have in a sample.
  private let weighted: [Float]
  private var counts = [UInt32](repeating: 0, count: 256)
  /// For each hash of four bytes, where in the block they were last seen, plus one.
  private var places = [UInt32](repeating: 0, count: 1 << hashBits)
  /// How often each byte followed each context.
  private var pairs: [UInt32]

  /// Makes a judge of blocks that `algorithm` would encode.
  package init(for algorithm: BlockAlgorithm) {
    self.algorithm = algorithm
    pairs = algorithm.codesInContext ? [UInt32](repeating: 0, count: 256 << Self.contextBits) : []
    weighted = (0...Self.sample).map { count in
      guard count > 0 else { return 0 }
      let bits = FixedLogarithm.log2(count, fractionBits: Self.logarithmBits)
      return Float(count) * Float(bits) / Float(1 << Self.logarithmBits)
    }
  }

  /// Whether encoding may make the block smaller by enough.
  package mutating func isWorthEncoding(_ block: RawSpan) -> Bool {
    guard algorithm.isSlowerThanJudging, block.byteCount >= Self.smallestBlock else { return true }
    for index in places.indices { places[index] = 0 }
    let stretches = block.byteCount / Self.stretch
    let needed = Self.leastSaving * Double(stretches)
    var saved = 0.0
    return unsafe block.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      for number in 0..<stretches {
        let start = number * Self.stretch + Self.offset(inStretch: number)
        let repeats = unsafe countRepeats(base, from: start)
        saved += max(Double(repeats) / Double(Self.samplePositions) * 0.5, entropySaving())
        // Where one stretch gains, the rest need not be looked at.
        if saved >= needed { return true }
      }
      guard algorithm.codesInContext else { return false }
      return unsafe contextSaving(base, stretches: stretches) >= Self.leastSaving
    }
  }

  /// Where in its stretch a sample starts.
  ///
  /// The places are irregular. With regular ones, a repetition whose distance is no multiple of their
  /// step would never be seen: the second copy would be sampled at other bytes than the first.
  private static func offset(inStretch number: Int) -> Int {
    var mixed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9
    return Int((mixed ^ mixed >> 32) % UInt64(stretch - sample))
  }

  /// Counts the bytes of a sample, and estimates at how many of its positions four bytes begin that
  /// came before.
  ///
  /// What goes on for sixteen is no chance: it counts eightfold, because one copy in eight is looked
  /// at.
  private mutating func countRepeats(_ base: UnsafeRawPointer, from start: Int) -> Int {
    for index in counts.indices { counts[index] = 0 }
    return unsafe counts.withUnsafeMutableBufferPointer { counts in
      unsafe places.withUnsafeMutableBufferPointer { places in
        var repeats = 0
        for position in start..<start + Self.samplePositions {
          let four = unsafe base.loadUnaligned(fromByteOffset: position, as: UInt32.self)
          unsafe counts[Int(four & 0xFF)] &+= 1
          let hash = four.littleEndian &* 2_654_435_761
          // Only every eighth is kept, chosen by its bytes: the same ones wherever they come again,
          // and few enough that none drives out another.
          guard hash & 7 == 0 else { continue }
          let slot = Int(hash >> UInt32(32 - Self.hashBits))
          let earlier = unsafe Int(places[slot])
          unsafe places[slot] = UInt32(truncatingIfNeeded: position &+ 1)
          if earlier > 0 {
            let candidate = unsafe base.loadUnaligned(
              fromByteOffset: earlier &- 1, as: UInt32.self)
            guard candidate == four else { continue }
            let isLong = unsafe Self.isLongRepeat(base, position, earlier &- 1)
            repeats &+= isLong ? 64 : 8
          }
        }
        return repeats
      }
    }
  }

  /// Whether sixteen bytes are the same at two places.
  @inline(never)
  private static func isLongRepeat(
    _ base: UnsafeRawPointer, _ one: Int, _ other: Int
  ) -> Bool {
    let a = unsafe base.loadUnaligned(fromByteOffset: one, as: SIMD2<UInt64>.self)
    let b = unsafe base.loadUnaligned(fromByteOffset: other, as: SIMD2<UInt64>.self)
    return a == b
  }

  /// The share that an ideal order-0 code saves on the bytes counted, less what chance makes of a
  /// sample of noise.
  private func entropySaving() -> Double {
    let total = Self.samplePositions
    var sum: Float = 0
    for count in counts { sum += weighted[Int(count)] }
    let bits = (weighted[total] - sum) / Float(total)
    let byChance = Float(255) / (2 * Float(total) * Float(Self.ln2))
    let noise: Float = 0.012
    return max(0, Double(8 - byChance - noise - bits) / 8)
  }

  /// The share that coding each byte in the context of the one before it saves, beyond what its own
  /// frequency saves.
  ///
  /// That is the mutual information of the two, for which half of chi-square over the number of
  /// pairs stands; what chance makes of as many pairs of noise is subtracted.
  private mutating func contextSaving(_ base: UnsafeRawPointer, stretches: Int) -> Double {
    for index in pairs.indices { pairs[index] = 0 }
    unsafe pairs.withUnsafeMutableBufferPointer { pairs in
      for number in 0..<stretches {
        let start = number * Self.stretch + Self.offset(inStretch: number)
        for position in start..<start + Self.samplePositions {
          let two = unsafe base.loadUnaligned(fromByteOffset: position, as: UInt16.self)
            .littleEndian
          let context = (two & 0xFF) >> UInt16(8 - Self.contextBits)
          unsafe pairs[Int(context << 8 | two >> 8)] &+= 1
        }
      }
    }
    let contexts = 1 << Self.contextBits
    var ofByte = [Float](repeating: 0, count: 256)
    var ofContext = [Float](repeating: 0, count: contexts)
    for (index, count) in pairs.enumerated() {
      ofContext[index >> 8] += Float(count)
      ofByte[index & 0xFF] += Float(count)
    }
    var sum = 0.0
    for (index, count) in pairs.enumerated() where count > 0 {
      let count = Float(count)
      sum += Double(count * count / (ofContext[index >> 8] * ofByte[index & 0xFF]))
    }
    let total = Double(stretches * Self.samplePositions)
    let freedom = Double((contexts - 1) * 255)
    let perPair = sum - 1 - freedom / total
    return perPair / (2 * Self.ln2 * 8)
  }
}

extension BlockAlgorithm {
  /// Whether a literal's code depends on the byte before it.
  fileprivate var codesInContext: Bool { self == .lzma }

  /// Whether encoding a block for nothing takes longer than judging it.
  ///
  /// LZ4 gives up on noise as fast as the judge does.
  fileprivate var isSlowerThanJudging: Bool { self != .lz4 }
}
