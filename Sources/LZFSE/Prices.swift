/// What each part of a triplet costs, in 1/256 of a bit, under the tables of some block.
struct Prices: ~Copyable {
  /// Literals by byte, runs 0...315, matches 0...2359, distances by symbol; extra bits included.
  let literals = Storage<UInt32>(count: 256, filledWith: 0)
  let runs = Storage<UInt32>(count: Format.maximumLiteralRun + 1, filledWith: 0)
  let matches = Storage<UInt32>(count: Format.maximumMatch + 1, filledWith: 0)
  let distances = Storage<UInt32>(count: 64, filledWith: 0)

  private let runSymbols = Storage<UInt32>(count: 20, filledWith: 0)
  private let matchSymbols = Storage<UInt32>(count: 20, filledWith: 0)

  func set(_ histogram: borrowing Histogram, _ codes: borrowing SymbolCodes) {
    histogram.forEachPrice(.literalRun) { unsafe runSymbols.base[$0] = $1 }
    histogram.forEachPrice(.match) { unsafe matchSymbols.base[$0] = $1 }
    histogram.forEachPrice(.distance) { symbol, price in
      let extra = UInt32(SymbolCodes.distanceExtraBits(symbol))
      unsafe distances.base[symbol] = price + extra * UInt32(FixedLogarithm.one)
    }
    histogram.forEachPrice(.literal) { unsafe literals.base[$0] = $1 }
    for value in 0...Format.maximumLiteralRun {
      let symbol = codes.literalRun(value)
      let extra = UInt32(codes.literalRunExtra(symbol).bits)
      unsafe runs.base[value] = runSymbols.base[symbol] + extra * UInt32(FixedLogarithm.one)
    }
    for value in 0...Format.maximumMatch {
      let symbol = codes.match(value)
      let extra = UInt32(codes.matchExtra(symbol).bits)
      unsafe matches.base[value] = matchSymbols.base[symbol] + extra * UInt32(FixedLogarithm.one)
    }
  }
}
