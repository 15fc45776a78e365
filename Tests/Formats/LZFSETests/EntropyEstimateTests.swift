import TestSupport
import Testing

@testable import LZFSE

@Suite("Estimates of blocks")
struct EntropyEstimateTests {
  /// Counts with exact logarithms: `2^exponent` is divided into powers of two at random.
  private static func counts(
    _ alphabet: Alphabet, exponent: Int, _ random: inout Seeded
  ) -> [Int] {
    var exponents = [exponent]
    let symbols = Int.random(in: 1...alphabet.symbolCount, using: &random)
    while exponents.count < symbols {
      let place = Int.random(in: exponents.indices, using: &random)
      guard exponents[place] > 0 else {
        if exponents.allSatisfy({ $0 == 0 }) { break }
        continue
      }
      exponents[place] -= 1
      exponents.append(exponents[place])
    }
    let zeros = Array(repeating: 0, count: alphabet.symbolCount - exponents.count)
    return (exponents.map { 1 << $0 } + zeros).shuffled(using: &random)
  }

  /// The bits of a frequency in the header of a block.
  private static func headerBits(_ frequency: Int) -> Int {
    switch frequency {
    case ..<2: 2
    case ..<4: 3
    case ..<8: 5
    case ..<24: 8
    case _: 14
    }
  }

  private static func exactBits(_ counts: [Int], _ alphabet: Alphabet, exponent: Int) -> Int {
    let states = alphabet.stateCount.trailingZeroBitCount
    return counts.reduce(0) { bits, count in
      let frequency = (count << states) >> exponent
      let symbols = count > 0 ? count * (exponent - count.trailingZeroBitCount) : 0
      return bits + symbols + headerBits(frequency)
    }
  }

  @Test(arguments: [(3, 0), (9, 4), (10, 8), (12, 10), (15, 13)])
  func `an estimate is exact for powers of two`(literals: Int, triplets: Int) {
    var random = Seeded(seed: UInt64(literals))
    let histogram = Histogram()
    let estimate = EntropyEstimate()
    for _ in 0..<200 {
      var expected = 8 * (32 + 8 + 2)
      for alphabet in Alphabet.allCases {
        let exponent = alphabet == .literal ? literals : triplets
        let counts = Self.counts(alphabet, exponent: exponent, &random)
        expected += Self.exactBits(counts, alphabet, exponent: exponent)
        for (symbol, count) in counts.enumerated() {
          histogram.counts[alphabet.firstSymbol + symbol] = UInt32(count)
        }
      }
      let bits = estimate.bits(histogram, literals: 1 << literals, triplets: 1 << triplets)
      #expect(bits == expected * 256)
    }
  }
}
