/// The cost of each part of a triplet in 1/256 of a bit, with the tables for some counts.
struct Prices: ~Copyable {
  /// Literals by byte, runs 0...315, matches 0...2359, distances by symbol; extra bits included.
  ///
  /// Three more matches: four prices are loaded at a time.
  let literals = Storage<Int32>(count: 256, filledWith: 0)
  let runs = Storage<Int32>(count: Format.maximumLiteralRun + 1, filledWith: 0)
  let matches = Storage<Int32>(count: Format.maximumMatch + 1 + 3, filledWith: 0)
  let distances = Storage<Int32>(count: 64, filledWith: 0)

  private let runSymbols = Storage<Int32>(count: 20, filledWith: 0)
  private let matchSymbols = Storage<Int32>(count: 20, filledWith: 0)

  func set(_ histogram: borrowing Histogram, _ codes: borrowing SymbolCodes) {
    histogram.forEachPrice(.literalRun) { runSymbols[$0] = $1 }
    histogram.forEachPrice(.match) { matchSymbols[$0] = $1 }
    histogram.forEachPrice(.distance) { symbol, price in
      let extra = Int32(SymbolCodes.distanceExtraBits(symbol))
      distances[symbol] = price + extra * Int32(FixedLogarithm.one)
    }
    histogram.forEachPrice(.literal) { literals[$0] = $1 }
    for value in 0...Format.maximumLiteralRun {
      let symbol = codes.literalRun(value)
      let extra = Int32(codes.literalRunExtra(symbol).bits)
      runs[value] = runSymbols[symbol] + extra * Int32(FixedLogarithm.one)
    }
    for value in 0...Format.maximumMatch {
      let symbol = codes.match(value)
      let extra = Int32(codes.matchExtra(symbol).bits)
      matches[value] = matchSymbols[symbol] + extra * Int32(FixedLogarithm.one)
    }
  }
}
