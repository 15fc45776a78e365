extension Encoder {
  /// Encodes with the effort `better` or `best`: finds the cheapest path through each stretch, in
  /// one pass or several.
  ///
  /// The prices of each pass are computed from the symbols of the previous pass, also of the
  /// previous stretch: the most frequent ones become cheaper. The first pass has the same prices
  /// for the whole stretch. The next ones have other prices for each block that would contain the
  /// result of the previous pass.
  @unsafe
  mutating func parseOptimally(
    _ source: UnsafeRawPointer, count: Int, with state: OptimalState?,
    to output: inout OutputCursor
  ) -> Bool {
    guard let best = state else { return false }
    best.finder.clear()
    longMatchStarts.clear()
    best.list.clear()
    best.history.clear()
    var start = 0
    var literalStart = 0
    var distance = 0
    while start < count {
      let end = min(start + best.parser.stretch, count)
      unsafe best.parser.findMatches(
        with: best.finder, &longMatchStarts, source, from: start, to: end, count: count)
      if start == 0 { unsafe best.assume(source, to: end) }
      let steps = unsafe best.parse(
        source, from: start, to: end, literalStart: literalStart, distance: distance)
      if steps > 0 { distance = Int(best.parser.steps[0].distance) }
      literalStart = best.append(steps, from: start, to: end, literalStart: literalStart)
      start = end
      if start == count, literalStart < count {
        best.list.append(literals: count - literalStart, match: 0, distance: 0)
      }
      guard unsafe writeBlocks(of: best, source, count: count, isLast: start == count, to: &output)
      else { return false }
    }
    return true
  }

  /// Writes the blocks of the list, except the last one, which may grow with the next stretch.
  @unsafe
  private mutating func writeBlocks(
    of best: OptimalState, _ source: UnsafeRawPointer, count: Int, isLast: Bool,
    to output: inout OutputCursor
  ) -> Bool {
    guard best.list.count > 0 else { return true }
    unsafe best.borders.choose(
      best.list, source, best.codes, best.precision, into: &best.blockEnds)
    if !isLast { best.blockEnds.removeFirst() }
    var position = best.list.start
    var index = 0
    while let last = best.blockEnds.popLast() {
      let end = best.borders.portions[last - 1].end
      block.begin(at: position)
      while index < end {
        let triplet = best.list.triplets[index]
        let run = Int(triplet.literals)
        let match = Int(triplet.match)
        let named = match > 0 ? Int(triplet.distance) : (block.lastDistance ?? 1)
        assert(run + match <= count - position)
        unsafe block.append(
          source + position, literals: run, match: match, distance: named,
          readable: count - position)
        position += run + match
        index += 1
      }
      guard unsafe writer.write(block, source, to: &output) else { return false }
      unsafe output.reach(position)
    }
    best.list.removeFirst(index, byteCount: position - best.list.start)
    return true
  }
}

extension OptimalState {
  /// Finds the cheapest path through a stretch; returns the number of its steps.
  ///
  /// The third pass is for stretches of which matches cover at least 40 %: in others, it would not
  /// save more than the second one.
  ///
  /// The literals from `literalStart` on have no match yet, and `distance` was used last (0: none).
  @unsafe
  func parse(
    _ source: UnsafeRawPointer, from start: Int, to end: Int, literalStart: Int, distance: Int
  ) -> Int {
    parser.begin(end - start, run: start - literalStart, distance: distance)
    _ = unsafe parser.advance(
      source, from: start, to: end, at: 0, to: end - start, prices,
      passes > 1 ? .draft : .only)
    var steps = parser.finish(end - start)
    for pass in 1..<passes {
      if pass == 2, parser.matchedCount(steps) * 5 < (end - start) * 2 { break }
      let known = list.count
      _ = append(steps, from: start, to: end, literalStart: literalStart)
      parser.begin(end - start, run: start - literalStart, distance: distance)
      unsafe parseBlocks(source, from: start, to: end, isFirst: pass == 1)
      steps = parser.finish(end - start)
      list.removeLast(list.count - known)
    }
    unsafe learn(
      source, literalStart, from: start, to: end, steps: steps, distance: distance)
    if passes == 1 { history.setQuarter(histogram) }
    return steps
  }

  /// Parses the stretch again, each part with the prices of the block that would contain it.
  ///
  /// The first time, a quarter of the symbols of all blocks is also counted. Without them, a block
  /// would keep the symbols of the draft.
  @unsafe
  private func parseBlocks(
    _ source: UnsafeRawPointer, from start: Int, to end: Int, isFirst: Bool
  ) {
    unsafe borders.choose(list, source, codes, Self.draftPrecision, into: &blockEnds)
    common.clear()
    if isFirst, let last = blockEnds.first {
      borders.add(portions: 0..<last, to: common)
      common.setQuarter(common)
    }
    let length = end - start
    var index = 0
    var first = 0
    while let last = blockEnds.popLast() {
      let blockEnd = borders.portions[last - 1].byteEnd - start
      // Parts of earlier stretches are not parsed again.
      if index < blockEnd {
        histogram.set(common)
        borders.add(portions: first..<last, to: histogram)
        prices.set(histogram, codes)
        index = unsafe parser.advance(
          source, from: start, to: end, at: index, to: blockEnd, prices, .refining)
      }
      first = last
    }
    // The last literals are not in the list yet.
    if index < length {
      _ = unsafe parser.advance(
        source, from: start, to: end, at: index, to: length, prices, .refining)
    }
  }

  /// Adds the steps of the parser to the list; returns the start of the literals that have no match
  /// yet.
  func append(_ steps: Int, from start: Int, to end: Int, literalStart: Int) -> Int {
    var literalStart = literalStart
    for place in stride(from: steps - 1, through: 0, by: -1) {
      let step = parser.steps[place]
      let matchEnd = start + Int(step.end)
      let matchStart = matchEnd - Int(step.length)
      list.append(
        literals: matchStart - literalStart, match: Int(step.length),
        distance: Int(step.distance))
      literalStart = matchEnd
    }
    return literalStart + list.appendWholeRuns(end - literalStart)
  }

  /// Sets the initial prices: literals by their frequency; short runs and matches are cheap.
  @unsafe
  func assume(_ source: UnsafeRawPointer, to end: Int) {
    histogram.clear()
    let counts = unsafe histogram.counts.base
    for symbol in 0..<20 {
      unsafe counts[symbol] = UInt32(1 + 400 / (symbol + 1))
      unsafe counts[Alphabet.match.firstSymbol + symbol] = UInt32(1 + 400 / max(1, symbol - 1))
    }
    for symbol in 0..<64 {
      unsafe counts[Alphabet.distance.firstSymbol + symbol] = symbol == 0 ? 100 : 10
    }
    for index in 0..<end {
      let byte = unsafe Int(source.load(fromByteOffset: index, as: UInt8.self))
      unsafe counts[Alphabet.literal.firstSymbol + byte] += 1
    }
    prices.set(histogram, codes)
  }

  /// Sets the prices from the result of a parse and from the history.
  @unsafe
  func learn(
    _ source: UnsafeRawPointer, _ literalStart: Int, from start: Int, to end: Int, steps: Int,
    distance: Int
  ) {
    histogram.set(history)
    let counts = unsafe histogram.counts.base
    var literalStart = literalStart
    var distance = distance
    var left = steps
    while left > 0 {
      left -= 1
      let step = parser.steps[left]
      let matchEnd = start + Int(step.end)
      let matchStart = matchEnd - Int(step.length)
      assert(literalStart <= matchStart && matchEnd <= end)
      let run = min(matchStart - literalStart, Format.maximumLiteralRun)
      for index in literalStart..<matchStart {
        let byte = unsafe Int(source.load(fromByteOffset: index, as: UInt8.self))
        unsafe counts[Alphabet.literal.firstSymbol + byte] &+= 1
      }
      unsafe counts[codes.literalRun(run)] &+= 1
      unsafe counts[Alphabet.match.firstSymbol + codes.match(Int(step.length))] &+= 1
      let coded = Int(step.distance) == distance ? 0 : Int(step.distance)
      unsafe counts[Alphabet.distance.firstSymbol + SymbolCodes.distance(coded)] &+= 1
      distance = Int(step.distance)
      literalStart = matchEnd
    }
    for index in literalStart..<end {
      let byte = unsafe Int(source.load(fromByteOffset: index, as: UInt8.self))
      unsafe counts[Alphabet.literal.firstSymbol + byte] &+= 1
    }
    prices.set(histogram, codes)
  }
}

/// The state for the efforts `better` and `best`.
///
/// It is an object because encoders with another effort have none.
///
/// Unchecked: it belongs to one encoder, which is used by one thread at a time.
final class OptimalState: @unchecked Sendable {
  let finder: MatchFinder
  /// The maximum number of passes over a stretch.
  let passes: Int
  let parser: OptimalParser
  let prices = Prices()
  let histogram = Histogram()
  /// The symbols of earlier stretches; the weight of each is a quarter of that of the next.
  let history = Histogram()
  /// A part of the symbols of all blocks.
  private let common = Histogram()
  let codes = SymbolCodes()
  let borders: BlockBorders
  let precision: BlockBorders.Precision
  /// The precision for the blocks of a pass that is not the last one.
  private static let draftPrecision = BlockBorders.Precision(
    triplets: 400, literals: 3000, margin: 200)
  /// Triplets that are not assigned to a block yet.
  var list = TripletList()
  /// The ends of the blocks of the list as numbers of portions, the last one first.
  var blockEnds: [Int] = []

  static func better() -> OptimalState {
    OptimalState(
      .ladder(HashLadder()), stretch: 1 << 14, passes: 1,
      BlockBorders.Precision(triplets: 300, literals: 2200, margin: 120))
  }

  static func best() -> OptimalState {
    OptimalState(
      .tree(MatchTree()), stretch: OptimalParser.maximumStretch, passes: 3,
      BlockBorders.Precision(triplets: 150, literals: 1100, margin: 400))
  }

  private init(
    _ finder: consuming MatchFinder, stretch: Int, passes: Int,
    _ precision: BlockBorders.Precision
  ) {
    self.finder = finder
    parser = OptimalParser(stretch: stretch)
    self.passes = passes
    self.precision = precision
    borders = BlockBorders(finest: precision)
    blockEnds.reserveCapacity(borders.maximumPortions)
  }
}
