/// What only the effort `best` needs: about 12 MiB.
final class BestState: Sendable {
  let parser = OptimalParser()
  let prices = Prices()
  let histogram = Histogram()
  let codes = SymbolCodes()
}
