/// Estimates the number of bits of a block without encoding it, in 1/256 of a bit.
struct EntropyEstimate: ~Copyable {
  /// log2(1 + n / 256).
  private let mantissas = Storage<UInt32>(count: 256, filledWith: 0)
  /// n x log2(n) of small numbers.
  private let products = Storage<Int32>(count: 1024, filledWith: 0)

  init() {
    for number in 0..<256 {
      mantissas[number] =
        UInt32(FixedLogarithm.log2(256 + number) - 8 * FixedLogarithm.one)
    }
    for number in 1..<products.count { products[number] = Int32(product(ofLarge: number)) }
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
  @inline(__always)
  private func bits(_ histogram: borrowing Histogram, _ alphabet: Alphabet, _ total: Int) -> Int {
    let counts = unsafe histogram.counts.base + alphabet.firstSymbol
    var sum = 0
    for symbol in 0..<alphabet.symbolCount {
      sum &+= unsafe product(Int(truncatingIfNeeded: counts[symbol]))
    }
    let header = unsafe headerBits(counts, alphabet, total)
    return product(total) - sum + header * FixedLogarithm.one
  }

  /// Returns the number of bits of the frequencies in the header.
  ///
  /// A frequency takes more bits from 2, 4, 8 and 24 on. Four counts at a time are compared with
  /// the largest count below each of these frequencies.
  @unsafe @inline(__always)
  private func headerBits(
    _ counts: UnsafePointer<UInt32>, _ alphabet: Alphabet, _ total: Int
  ) -> Int {
    let scale = (alphabet.stateCount << 20) / max(1, total)
    func largest(below frequency: Int) -> SIMD4<Int32> {
      SIMD4(repeating: Int32(truncatingIfNeeded: ((frequency << 20) - 1) / scale))
    }
    let steps = (largest(below: 2), largest(below: 4), largest(below: 8), largest(below: 24))
    let sign = SIMD4<Int32>(repeating: 31)
    var bits = SIMD4<Int32>()
    for symbol in stride(from: 0, to: alphabet.symbolCount, by: 4) {
      let four = unsafe UnsafeRawPointer(counts + symbol).loadUnaligned(as: SIMD4<Int32>.self)
      bits &-= (steps.0 &- four) &>> sign
      bits &-= ((steps.1 &- four) &>> sign) &<< 1
      bits &+= ((steps.2 &- four) &>> sign) & 3
      bits &+= ((steps.3 &- four) &>> sign) & 6
    }
    return Int(bits.wrappedSum()) + 2 * alphabet.symbolCount
  }

  /// n x log2(n), 0 for 0.
  @inline(__always)
  private func product(_ number: Int) -> Int {
    number < products.count ? Int(products[number]) : product(ofLarge: number)
  }

  private func product(ofLarge number: Int) -> Int {
    let zeros = number.leadingZeroBitCount
    let mantissa = (number &<< zeros) &>> 55 & 0xff
    return number &* ((63 &- zeros) &* FixedLogarithm.one &+ Int(mantissas[mantissa]))
  }
}
