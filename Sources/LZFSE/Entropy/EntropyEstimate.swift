/// Estimates the number of bits of a block without encoding it, in 1/256 of a bit.
struct EntropyEstimate: ~Copyable {
  /// log2(1 + n / 256).
  private let mantissas = Storage<UInt32>(count: 256, filledWith: 0)
  /// The number of bits of each frequency in the header.
  private let headerBits = Storage<UInt8>(
    count: Alphabet.literal.stateCount + 1, filledWith: 0)

  init() {
    for number in 0..<256 {
      mantissas[number] =
        UInt32(FixedLogarithm.log2(256 + number) - 8 * FixedLogarithm.one)
    }
    for frequency in 0..<headerBits.count {
      headerBits[frequency] = UInt8(FrequencyCode.bitCount(frequency))
    }
  }

  /// Returns the estimate for one block.
  ///
  /// Extra bits are not counted: their number is the same for every choice of block borders.
  func bits(_ histogram: borrowing Histogram, literals: Int, triplets: Int) -> Int {
    let base = (Format.blockHeaderSize + Format.bitStringPadding + 2) * 8 * FixedLogarithm.one
    return base + bits(histogram, .literal, literals) + bits(histogram, .literalRun, triplets)
      + bits(histogram, .match, triplets) + bits(histogram, .distance, triplets)
  }

  /// Returns the estimate for one alphabet.
  ///
  /// The loop has no branch: a symbol that does not occur adds only its bits in the header.
  @inline(__always)
  private func bits(_ histogram: borrowing Histogram, _ alphabet: Alphabet, _ total: Int) -> Int {
    let counts = unsafe histogram.counts.base + alphabet.firstSymbol
    let scale = (alphabet.stateCount << 20) / max(1, total)
    var sum = 0
    var header = 0
    for symbol in 0..<alphabet.symbolCount {
      let count = unsafe Int(counts[symbol])
      sum &+= product(count)
      header &+= Int(headerBits[(count &* scale) &>> 20])
    }
    return product(total) - sum + header * FixedLogarithm.one
  }

  /// n x log2(n), 0 for 0.
  @inline(__always)
  private func product(_ number: Int) -> Int {
    let zeros = number.leadingZeroBitCount
    let mantissa = (number &<< zeros) &>> 55 & 0xff
    return number &* ((63 &- zeros) &* FixedLogarithm.one &+ Int(mantissas[mantissa]))
  }
}
