import LZFSE

/// Predicts, before a block is encoded, whether encoding it may be worth the time.
///
/// Most assets are already compressed, and an encoder needs a long time to detect that. The judge
/// examines an eighth of the block, spread over it, for the redundancy that encoders use: bytes
/// that are more frequent than others (order-0 entropy), and sequences of four bytes that occurred
/// before. It uses only the block and no function of a C library, so equal blocks get the same
/// result in every archive and on every host.
///
/// For LZMA it also measures how a byte predicts the next one (order-1 entropy), because LZMA codes
/// a literal in the context of the byte before; the other codecs can use that only through matches.
/// For them it has little value: on the game data of the benchmarks, its rank correlation with the
/// saving of LZFSE is 0.1, that of the other measures 0.6, and including it doubled the wasted time
/// for the same archive. For LZMA it finds blocks that the other measures miss, and takes a tenth
/// less time than lowering `leastSaving` would for the same archive.
///
/// On those data, the judge misses at most 0.02 % of the archive; `Benchmarks/bench-judge` measures
/// it.
package struct BlockJudge: ~Copyable {
  /// The smallest predicted saving, as a share of the block, with which a block is encoded.
  ///
  /// Half of this value would miss 0.004 % of an archive and encode twice as many blocks without a
  /// saving.
  private static let leastSaving = 0.004
  /// The size of a block in bytes from which it is judged: encoding a smaller one takes less time
  /// than judging it.
  private static let smallestBlock = 32 << 10
  private static let stretch = 32 << 10
  private static let sample = 4 << 10
  /// The number of positions of a sample with sixteen more bytes after them, enough for a
  /// comparison.
  private static let samplePositions = sample - 16
  private static let hashBits = 15
  /// The number of bits of the preceding byte that LZMA uses to choose the code of a literal.
  private static let contextBits = 3

  private static let logarithmBits = 20
  /// The natural logarithm of 2.
  private static let ln2 = 0.693_147_180_559_945_309

  private let algorithm: BlockAlgorithm
  /// `n log2 n` for every count that a byte can have in a sample.
  private let weighted: [Float]
  private var counts = [UInt32](repeating: 0, count: 256)
  /// For each hash of four bytes, the last place in the block that had it, plus one.
  private var places = [UInt32](repeating: 0, count: 1 << hashBits)
  /// The number of occurrences of each byte after each context.
  private var pairs: [UInt32]

  /// Creates a judge of blocks that `algorithm` would encode.
  package init(for algorithm: BlockAlgorithm) {
    self.algorithm = algorithm
    pairs = algorithm.codesInContext ? [UInt32](repeating: 0, count: 256 << Self.contextBits) : []
    weighted = (0...Self.sample).map { count in
      guard count > 0 else { return 0 }
      let bits = FixedLogarithm.log2(count, fractionBits: Self.logarithmBits)
      return Float(count) * Float(bits) / Float(1 << Self.logarithmBits)
    }
  }

  /// Returns whether encoding may make the block smaller by enough.
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
        // Once one part of the block saves enough, the rest is not examined.
        if saved >= needed { return true }
      }
      guard algorithm.codesInContext else { return false }
      return unsafe contextSaving(base, stretches: stretches) >= Self.leastSaving
    }
  }

  /// Returns the start of a sample in its stretch of the block.
  ///
  /// The positions are irregular. If they were regular, a repetition whose distance is not a
  /// multiple of their step would never be found: the two copies would be sampled at different
  /// bytes.
  private static func offset(inStretch number: Int) -> Int {
    var mixed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9
    return Int((mixed ^ mixed >> 32) % UInt64(stretch - sample))
  }

  /// Counts the bytes of a sample and estimates the number of positions with four bytes that
  /// occurred before.
  ///
  /// A match of sixteen bytes is hardly ever accidental: it counts eightfold, because only one
  /// position in eight is examined.
  private mutating func countRepeats(_ base: UnsafeRawPointer, from start: Int) -> Int {
    for index in counts.indices { counts[index] = 0 }
    return unsafe counts.withUnsafeMutableBufferPointer { counts in
      unsafe places.withUnsafeMutableBufferPointer { places in
        var repeats = 0
        for position in start..<start + Self.samplePositions {
          let four = unsafe base.loadUnaligned(fromByteOffset: position, as: UInt32.self)
          unsafe counts[Int(four & 0xFF)] &+= 1
          let hash = four.littleEndian &* 2_654_435_761
          // Only one position in eight is kept, so the table does not overflow. The bytes at a
          // position decide whether it is kept, so either both copies of a repetition are kept or
          // neither.
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

  /// Returns whether two places have the same sixteen bytes.
  @inline(never)
  private static func isLongRepeat(
    _ base: UnsafeRawPointer, _ one: Int, _ other: Int
  ) -> Bool {
    let a = unsafe base.loadUnaligned(fromByteOffset: one, as: SIMD2<UInt64>.self)
    let b = unsafe base.loadUnaligned(fromByteOffset: other, as: SIMD2<UInt64>.self)
    return a == b
  }

  /// Returns the share that an ideal order-0 code would save on the counted bytes, less the saving
  /// on a sample of noise by chance.
  private func entropySaving() -> Double {
    let total = Self.samplePositions
    var sum: Float = 0
    for count in counts { sum += weighted[Int(count)] }
    let bits = (weighted[total] - sum) / Float(total)
    let byChance = Float(255) / (2 * Float(total) * Float(Self.ln2))
    let noise: Float = 0.012
    return max(0, Double(8 - byChance - noise - bits) / 8)
  }

  /// Returns the share that coding each byte in the context of the one before it saves, beyond what
  /// its own frequency saves.
  ///
  /// This is the mutual information of the two bytes, estimated as half of chi-square over the
  /// number of pairs; what the same number of pairs of noise would give by chance is subtracted.
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
  /// Whether the code of a literal depends on the byte before it.
  fileprivate var codesInContext: Bool { self == .lzma }

  /// Whether encoding an incompressible block takes longer than judging it.
  ///
  /// LZ4 needs no more time for noise than the judge.
  fileprivate var isSlowerThanJudging: Bool { self != .lz4 }
}
