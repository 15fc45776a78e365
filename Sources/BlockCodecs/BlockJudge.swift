import Glibc

/// Says of a block, before it is encoded, whether that could be worth the time.
///
/// Most assets are compressed already, and an encoder finds that out the slow way. The judge looks
/// at an eighth of the block, spread over it, for what encoders live on: bytes that are more frequent
/// than others (order-0 entropy), and four bytes that came before. It knows nothing but the block, so
/// equal blocks are judged equally, whatever came before them.
///
/// What it gives up is at most the share of a block that `leastSaving` names.
package struct BlockJudge: ~Copyable {
  /// A predicted saving below this share of a block is not worth encoding it.
  private static let leastSaving = 0.002
  /// Smaller blocks are encoded faster than judged.
  private static let smallestBlock = 32 << 10
  private static let stretch = 32 << 10
  private static let sample = 4 << 10
  private static let hashBits = 15

  /// `n log2 n` for every count that a byte can have in a sample.
  private let weighted: [Float]
  private var counts = [UInt32](repeating: 0, count: 256)
  /// For each hash of four bytes, where in the block they were last seen, plus one.
  private var places = [UInt32](repeating: 0, count: 1 << hashBits)

  package init() {
    weighted = (0...Self.sample).map { $0 == 0 ? 0 : Float($0) * log2f(Float($0)) }
  }

  /// Whether encoding may make the block smaller by enough.
  package mutating func isWorthEncoding(_ block: RawSpan) -> Bool {
    guard block.byteCount >= Self.smallestBlock else { return true }
    for index in places.indices { places[index] = 0 }
    let stretches = block.byteCount / Self.stretch
    let needed = Self.leastSaving * Double(stretches)
    var saved = 0.0
    return unsafe block.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      for number in 0..<stretches {
        let start = number * Self.stretch + Self.offset(inStretch: number)
        let repeats = unsafe countRepeats(base, from: start)
        saved += max(Double(repeats) / Double(Self.sample) * 0.5, entropySaving())
        // Where one stretch gains, the rest need not be looked at.
        if saved >= needed { return true }
      }
      return false
    }
  }

  /// Where in its stretch a sample starts.
  ///
  /// The places follow no rule: at regular ones, a file that comes twice at the wrong distance would
  /// never meet itself.
  private static func offset(inStretch number: Int) -> Int {
    var mixed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9
    return Int((mixed ^ mixed >> 32) % UInt64(stretch - sample))
  }

  /// Counts the bytes of a sample, and estimates at how many of its positions four bytes begin that
  /// were seen before.
  private mutating func countRepeats(_ base: UnsafeRawPointer, from start: Int) -> Int {
    for index in counts.indices { counts[index] = 0 }
    return unsafe counts.withUnsafeMutableBufferPointer { counts in
      unsafe places.withUnsafeMutableBufferPointer { places in
        var repeats = 0
        for position in start..<start + Self.sample - 4 {
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
            if candidate == four { repeats &+= 8 }
          }
        }
        return repeats
      }
    }
  }

  /// The share that an ideal order-0 code saves on the bytes counted, less what chance makes of a
  /// sample of noise.
  private func entropySaving() -> Double {
    let total = Self.sample - 4
    var sum: Float = 0
    for count in counts { sum += weighted[Int(count)] }
    let bits = (weighted[total] - sum) / Float(total)
    let byChance = Float(255) / (2 * Float(total) * 0.693_147)
    let noise: Float = 0.012
    return max(0, Double(8 - byChance - noise - bits) / 8)
  }
}
