/// What only the effort `best` needs: about 13 MiB.
///
/// An object, because an encoder of another effort has none; it belongs to one encoder, which is
/// used by one thread at a time.
final class BestState: @unchecked Sendable {
  let parser = OptimalParser()
  let prices = Prices()
  let histogram = Histogram()
  let codes = SymbolCodes()
  let borders = BlockBorders()
  /// Triplets that wait for their block's other end.
  var list = TripletList()
  /// Where blocks end in the list, last one first.
  var blockEnds: [Int] = []

  init() { blockEnds.reserveCapacity(BlockBorders.maximumPortions) }
}
