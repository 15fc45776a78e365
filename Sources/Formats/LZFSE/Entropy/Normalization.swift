/// Scales the counts of symbols to frequencies that add up to the number of states.
struct Normalization: ~Copyable {
  /// The symbols whose frequencies can be lowered, each with the cost of its next step.
  private let steps = Storage<Step>(
    count: Alphabet.literal.symbolCount, filledWith: Step(0, 0, 1))

  /// Writes the frequencies; every symbol that occurs gets at least 1.
  @unsafe
  func normalize(
    _ counts: UnsafePointer<UInt32>, _ alphabet: Alphabet,
    into frequencies: UnsafeMutablePointer<UInt16>
  ) {
    let states = alphabet.stateCount
    let symbols = alphabet.symbolCount
    var total = 0
    for symbol in 0..<symbols { unsafe total &+= Int(counts[symbol]) }
    guard total > 0 else {
      unsafe frequencies.update(repeating: 0, count: symbols)
      unsafe frequencies[0] = UInt16(truncatingIfNeeded: states)
      return
    }
    // 32 bits of fraction, so that one division is enough for all symbols.
    let scale = (states << 32) / total
    var left = states
    var largest = 0
    for symbol in 0..<symbols {
      let count = unsafe Int(counts[symbol])
      var frequency = 0
      if count > 0 {
        frequency = max(1, (count &* scale &+ 1 << 31) >> 32)
        if unsafe count > counts[largest] { largest = symbol }
      }
      unsafe frequencies[symbol] = UInt16(truncatingIfNeeded: frequency)
      left &-= frequency
    }
    let greatest = unsafe Int(frequencies[largest])
    if left >= 0 || -left < greatest / 4 {
      unsafe frequencies[largest] = UInt16(truncatingIfNeeded: greatest + left)
    } else {
      unsafe takeFromAll(-left, counts, symbols, frequencies)
    }
  }

  /// Lowers frequencies by `excess` in total, in steps of 1; each step lowers the frequency for
  /// which this costs the fewest bits.
  @unsafe
  private func takeFromAll(
    _ excess: Int, _ counts: UnsafePointer<UInt32>, _ symbols: Int,
    _ frequencies: UnsafeMutablePointer<UInt16>
  ) {
    var found = 0
    for symbol in 0..<symbols where unsafe frequencies[symbol] > 1 {
      steps[found] = unsafe Step(symbol, counts[symbol], frequencies[symbol])
      found &+= 1
    }
    for _ in 0..<excess {
      var place = 0
      for index in 0..<found where steps[index].cost < steps[place].cost { place = index }
      let symbol = steps[place].symbol
      unsafe frequencies[symbol] -= 1
      steps[place] = unsafe Step(symbol, counts[symbol], frequencies[symbol])
    }
  }

  /// A step that lowers the frequency of a symbol by 1.
  struct Step: BitwiseCopyable {
    let symbol: Int
    /// Approximates count x log2(f / (f - 1)); a frequency of 1 cannot be lowered.
    let cost: Int

    init(_ symbol: Int, _ count: UInt32, _ frequency: UInt16) {
      self.symbol = symbol
      cost = frequency > 1 ? (Int(count) << 16) / (2 * Int(frequency) - 1) : .max
    }
  }
}
