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
    let counts = unsafe UnsafePointer(histogram.counts.base)
    let header = unsafe headerBits(counts, literals: literals, triplets: triplets)
    let products = unsafe sumOfProducts(counts)
    return header * FixedLogarithm.one + 3 * product(triplets) + product(literals) - products
  }

  /// Returns the sum of n x log2(n) of all counts.
  ///
  /// Four at a time are looked up without a branch for each.
  @unsafe @inline(__always)
  private func sumOfProducts(_ counts: UnsafePointer<UInt32>) -> Int {
    let known = unsafe UnsafePointer(products.base)
    let large = ~(UInt64(products.count - 1) &* 0x1_0000_0001)
    var sum = 0
    for symbol in stride(from: 0, to: Alphabet.symbolCount, by: 4) {
      let four = unsafe UnsafeRawPointer(counts + symbol)
      let one = unsafe four.loadUnaligned(as: UInt64.self)
      let other = unsafe four.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      if (one | other) & large == 0 {
        let products =
          unsafe known[Int(one & 0xFFFF)] &+ known[Int(one &>> 32)]
          &+ known[Int(other & 0xFFFF)] &+ known[Int(other &>> 32)]
        sum &+= Int(products)
      } else {
        for place in symbol..<symbol + 4 {
          sum &+= unsafe product(Int(truncatingIfNeeded: counts[place]))
        }
      }
    }
    return sum
  }

  /// Returns the number of bits of a header with all its frequencies.
  @unsafe @inline(__always)
  private func headerBits(
    _ counts: UnsafePointer<UInt32>, literals: Int, triplets: Int
  ) -> Int {
    var bits = (Format.blockHeaderSize + Format.bitStringPadding + 2) * 8
    // Literal runs and matches have the same number of states, and the same total.
    unsafe bits += frequencyBits(counts, .literalRun, .match, triplets)
    unsafe bits += frequencyBits(counts, .distance, .distance, triplets)
    unsafe bits += frequencyBits(counts, .literal, .literal, literals)
    return bits
  }

  /// Returns the number of bits of the frequencies of one or two alphabets.
  ///
  /// A frequency takes more bits from 2, 4, 8 and 24 on. Four counts at a time are compared with
  /// the largest count below each of these frequencies.
  @unsafe @inline(__always)
  private func frequencyBits(
    _ counts: UnsafePointer<UInt32>, _ first: Alphabet, _ last: Alphabet, _ total: Int
  ) -> Int {
    assert(first.stateCount == last.stateCount)
    let symbols = first.firstSymbol..<last.firstSymbol + last.symbolCount
    let scale = (first.stateCount << 20) / max(1, total)
    func largest(below frequency: Int) -> SIMD4<Int32> {
      SIMD4(repeating: Int32(truncatingIfNeeded: ((frequency << 20) - 1) / scale))
    }
    let steps = (largest(below: 2), largest(below: 4), largest(below: 8), largest(below: 24))
    let zero = SIMD4<Int32>()
    var larger = (zero, zero, zero, zero)
    for symbol in stride(from: symbols.lowerBound, to: symbols.upperBound, by: 4) {
      let four = unsafe UnsafeRawPointer(counts + symbol).loadUnaligned(as: SIMD4<Int32>.self)
      larger.0 &-= zero.replacing(with: -1, where: four .> steps.0)
      larger.1 &-= zero.replacing(with: -1, where: four .> steps.1)
      larger.2 &-= zero.replacing(with: -1, where: four .> steps.2)
      larger.3 &-= zero.replacing(with: -1, where: four .> steps.3)
    }
    let bits = larger.0 &+ larger.1 &* 2 &+ larger.2 &* 3 &+ larger.3 &* 6
    return Int(bits.wrappedSum()) + 2 * symbols.count
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
