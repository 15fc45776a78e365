/// The symbol of each value, and the extra bits after it.
struct SymbolCodes: ~Copyable {
  /// Symbols of literal runs 0...315 and, from 316 on, of matches 0...2359.
  private let symbols = Storage<UInt8>(
    count: Format.maximumLiteralRun + 1 + Format.maximumMatch + 1, filledWith: 0)

  /// Base and number of extra bits, for runs and, from 20 on, for matches.
  private let extras = Storage<Extra>(count: 40, filledWith: Extra(base: 0, bits: 0))

  /// The smallest literal run, and the smallest match, with extra bits; most are smaller, and each
  /// of those has a symbol of the same number.
  static var firstWithExtraBits: Int { 16 }

  struct Extra: BitwiseCopyable {
    var base: UInt64
    var bits: UInt64
  }

  init() {
    for symbol in 0..<20 {
      for (alphabet, place) in [(Alphabet.literalRun, symbol), (.match, symbol + 20)] {
        extras[place] = Extra(
          base: UInt64(alphabet.base(symbol)), bits: UInt64(alphabet.extraBits(symbol)))
      }
    }
    let runs = unsafe symbols.base
    Self.fill(.literalRun, upTo: Format.maximumLiteralRun) { unsafe runs[$0] = $1 }
    let matches = unsafe runs + Format.maximumLiteralRun + 1
    Self.fill(.match, upTo: Format.maximumMatch) { unsafe matches[$0] = $1 }
  }

  private static func fill(
    _ alphabet: Alphabet, upTo maximum: Int, store: (Int, UInt8) -> Void
  ) {
    for symbol in 0..<alphabet.symbolCount {
      let base = alphabet.base(symbol)
      for value in base..<min(base + 1 << alphabet.extraBits(symbol), maximum + 1) {
        store(value, UInt8(truncatingIfNeeded: symbol))
      }
    }
  }

  @inline(__always)
  func literalRun(_ value: Int) -> Int {
    assert(value <= Format.maximumLiteralRun)
    return Int(symbols[value])
  }

  @inline(__always)
  func match(_ value: Int) -> Int {
    assert(value >= 0)
    return Int(symbols[value &+ (Format.maximumLiteralRun + 1)])
  }

  @inline(__always)
  func literalRunExtra(_ symbol: Int) -> Extra { extras[symbol] }

  @inline(__always)
  func matchExtra(_ symbol: Int) -> Extra { extras[symbol &+ 20] }

  /// Returns the symbol of a distance.
  ///
  /// A distance plus four is coded like a floating-point number, with an exponent and two bits of
  /// mantissa.
  @inline(__always)
  static func distance(_ value: Int) -> Int {
    assert(value >= 0 && value <= Format.maximumDistance)
    let shifted = value &+ 4
    let exponent = 61 &- shifted.leadingZeroBitCount
    return exponent &<< 2 | (shifted &>> exponent & 3)
  }

  @inline(__always)
  static func distanceExtraBits(_ symbol: Int) -> Int { symbol &>> 2 }
}
