/// The number of occurrences of each symbol of the four alphabets.
struct Histogram: ~Copyable {
  let counts = Storage<UInt32>(count: Alphabet.symbolCount, filledWith: 0)

  func clear() {
    unsafe counts.base.update(repeating: 0, count: counts.count)
  }

  func set(_ other: borrowing Histogram) {
    unsafe counts.base.update(from: other.counts.base, count: counts.count)
  }

  func setQuarter(_ other: borrowing Histogram) {
    for symbol in 0..<Alphabet.symbolCount { counts[symbol] = other.counts[symbol] &>> 2 }
  }

  func set(_ one: borrowing Histogram, plus other: borrowing Histogram) {
    for symbol in 0..<Alphabet.symbolCount {
      counts[symbol] = one.counts[symbol] &+ other.counts[symbol]
    }
  }

  func add(_ other: UnsafePointer<UInt16>) {
    for symbol in 0..<Alphabet.symbolCount { unsafe counts[symbol] &+= UInt32(other[symbol]) }
  }

  /// Calls back with each symbol's price in 1/256 of a bit.
  func forEachPrice(_ alphabet: Alphabet, _ body: (Int, Int32) -> Void) {
    let first = alphabet.firstSymbol
    var total = 0
    for symbol in 0..<alphabet.symbolCount { total += Int(counts[first + symbol]) }
    // A symbol that occurs costs at most as much as one with a single state. A symbol that does not
    // occur would take a state from the others, so it costs one more bit.
    let dearest = FixedLogarithm.log2(alphabet.stateCount)
    let whole = total > 0 ? FixedLogarithm.log2(total) : 0
    for symbol in 0..<alphabet.symbolCount {
      let count = Int(counts[first + symbol])
      let price =
        count > 0
        ? min(whole - FixedLogarithm.log2(count), dearest) : dearest + FixedLogarithm.one
      body(symbol, Int32(price))
    }
  }
}
