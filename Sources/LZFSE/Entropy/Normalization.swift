/// Scales the counts of symbols to frequencies that add up to the number of states.
struct Normalization: ~Copyable {
  /// The symbols whose frequency can be lowered, each with what the next step would cost.
  private let steps = Storage<Step>(count: Alphabet.literal.symbolCount, filledWith: .none)

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
      var best = Step.none
      for index in 0..<found {
        let step = steps[index]
        place = step.loss < best.loss ? index : place
        best = step.loss < best.loss ? step : best
      }
      let symbol = best.symbol
      unsafe frequencies[symbol] -= 1
      steps[place] = unsafe Step(symbol, counts[symbol], frequencies[symbol])
    }
  }

  /// A symbol, and what lowering its frequency would cost.
  struct Step: BitwiseCopyable {
    let symbol: Int
    let loss: Int

    static let none = Step()

    private init() {
      symbol = 0
      loss = .max
    }

    /// A frequency of 1 cannot be lowered.
    ///
    /// The loss approximates count x log2(f / (f - 1)).
    init(_ symbol: Int, _ count: UInt32, _ frequency: UInt16) {
      self.symbol = symbol
      loss = frequency > 1 ? (Int(count) << 16) / (2 * Int(frequency) - 1) : .max
    }
  }
}
