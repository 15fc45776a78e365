/// Finds the cheapest path through a stretch of the input, given the price of every symbol.
///
/// A node is the border between two bytes and stores the cheapest path to it. From each node there
/// are several steps: one literal, a match at the last distance, and every match that the trees
/// found.
struct OptimalParser: ~Copyable {
  /// The number of bytes that are parsed in one pass.
  let stretch: Int
  static let maximumStretch = 1 << 17
  /// The number of matches that are kept on average for a position of a stretch.
  private static let averageMatches = 6

  /// The length from which a match is used without a comparison with others.
  static let niceLength = 128

  /// The cheapest path to each node: its price, the distance of its last match, and in one number
  /// the length of the match that ends here (0 after a literal) and the literals after the last
  /// match, up to the maximum of one triplet, times 65,536.
  private let nodePrices: Storage<Int32>
  private let nodeDistances: Storage<UInt32>
  private let nodeLengths: Storage<UInt32>
  /// The start of each position's matches in `matches`.
  private let firstMatch: Storage<UInt32>
  private let matches: Storage<FoundMatch>
  /// The matches of the cheapest path, the last one first.
  let steps: Storage<Step>

  init(stretch: Int) {
    assert(stretch <= Self.maximumStretch)
    self.stretch = stretch
    // Four nodes are written at a time.
    let nodeCount = stretch + 1 + 4
    nodePrices = Storage(count: nodeCount, filledWith: 0)
    nodeDistances = Storage(count: nodeCount, filledWith: 0)
    nodeLengths = Storage(count: nodeCount, filledWith: 0)
    firstMatch = Storage(count: stretch + 1, filledWith: 0)
    matches = Storage(
      count: stretch * Self.averageMatches + FoundMatch.maximumCount, filledWith: .none)
    steps = Storage(
      count: stretch / 2 + 1, filledWith: Step(end: 0, length: 0, distance: 0))
  }

  /// A match of the cheapest path; `end` counts from the start of the stretch.
  struct Step: BitwiseCopyable {
    var end: UInt32
    var length: UInt32
    var distance: UInt32
  }

  /// Enters all positions of the stretch into the index and keeps their matches.
  @unsafe
  func findMatches(
    with finder: borrowing MatchFinder, _ source: UnsafeRawPointer, from start: Int, to end: Int,
    count: Int
  ) {
    switch finder {
    case .tree(let tree): unsafe findMatches(in: tree, source, from: start, to: end, count: count)
    case .ladder(let ladder):
      unsafe findMatches(in: ladder, source, from: start, to: end, count: count)
    }
  }

  @unsafe @inline(__always)
  private func findMatches<Index: PositionIndex & ~Copyable>(
    in index: borrowing Index, _ source: UnsafeRawPointer, from start: Int, to end: Int, count: Int
  ) {
    var next = 0
    var skipTo = start
    let searched = max(start, min(end, count &- Index.neededByteCount &+ 1))
    var group = start
    for position in start..<searched {
      if position == group {
        group = min(position &+ MatchFinder.groupSize, searched)
        unsafe index.prepare(source, from: position, to: group)
      }
      firstMatch[position - start] = UInt32(truncatingIfNeeded: next)
      guard position >= skipTo, next < stretch * Self.averageMatches else {
        unsafe index.skip(source, position, count: count)
        continue
      }
      let found = unsafe index.find(source, position, count: count, into: matches.base + next)
      guard found > 0 else { continue }
      next += found
      assert(next <= matches.count)
      let longest = matches[next - 1].length
      // No better match is searched for inside a long one.
      if longest >= Self.niceLength { skipTo = position + longest }
    }
    for position in searched...end {
      firstMatch[position - start] = UInt32(truncatingIfNeeded: next)
    }
  }

  /// Fills `steps` with the cheapest path; returns the number of steps.
  ///
  /// Before the stretch there are `run` literals without a match, and `distance` was used last (0:
  /// none). A draft uses only the four longest lengths of each match, because four are written in
  /// one step: it takes less time, and its symbols are nearly as frequent as those of the cheapest
  /// path.
  @unsafe
  func parse(
    _ source: UnsafeRawPointer, from start: Int, to end: Int, run: Int, distance: Int,
    _ prices: borrowing Prices, isDraft: Bool
  ) -> Int {
    let length = end - start
    assert(length <= stretch && distance <= start)
    let nodes = unsafe Nodes(
      prices: nodePrices.base, distances: nodeDistances.base, lengths: nodeLengths.base)
    unsafe nodes.prices.update(repeating: .max, count: length + 1 + 4)
    let run = min(run, Format.maximumLiteralRun)
    unsafe nodes.set(
      0, price: prices.runs[run], distance: UInt32(distance), length: UInt32(run) << 16)
    let literalPrices = unsafe prices.literals.base
    let runPrices = unsafe prices.runs.base
    let matchPrices = unsafe prices.matches.base
    let distancePrices = unsafe prices.distances.base
    // A run that is too long for one triplet continues in the next: the first one has no match.
    let pieceEnd = unsafe matchPrices[0] &+ distancePrices[0]

    var index = 0
    while index < length {
      let price = unsafe nodes.prices[index]
      let nodeDistance = unsafe nodes.distances[index]
      let nodeRun = unsafe Int(nodes.lengths[index] &>> 16)
      let here = unsafe source + (start &+ index)

      let literal = unsafe price &+ literalPrices[Int(here.load(as: UInt8.self))]
      let isFull = nodeRun == Format.maximumLiteralRun
      let nextRun = isFull ? 1 : nodeRun &+ 1
      let literalPrice =
        unsafe literal &+ runPrices[nextRun] &+ (isFull ? pieceEnd : 0 &- runPrices[nodeRun])
      if unsafe literalPrice < nodes.prices[index &+ 1] {
        unsafe nodes.set(
          index &+ 1, price: literalPrice, distance: nodeDistance,
          length: UInt32(truncatingIfNeeded: nextRun) &<< 16)
      }

      let base = unsafe price &+ runPrices[0]
      let rest = min(length &- index, Format.maximumMatch)
      var longest = 0
      if nodeDistance > 0, rest >= 2 {
        assert(Int(nodeDistance) <= start + index)
        let there = unsafe here - Int(nodeDistance)
        if unsafe here.loadUnaligned(as: UInt16.self) == there.loadUnaligned(as: UInt16.self) {
          longest = unsafe MatchLength.of(here, there, limit: rest)
          unsafe nodes.reach(
            index, from: Self.shortest(2, of: longest, isDraft), to: longest,
            base &+ distancePrices[0], matchPrices, distance: nodeDistance)
        }
      }

      var place = Int(firstMatch[index])
      let placeEnd = Int(firstMatch[index &+ 1])
      var shortest = 3
      while place < placeEnd {
        let match = matches[place]
        place &+= 1
        // Such a match was found above, and its distance costs less there.
        if match.distance == nodeDistance {
          shortest = min(match.length, rest) &+ 1
          continue
        }
        let reachable = min(match.length, rest)
        longest = max(longest, reachable)
        let symbol = SymbolCodes.distance(Int(match.distance))
        unsafe nodes.reach(
          index, from: Self.shortest(shortest, of: reachable, isDraft), to: reachable,
          base &+ distancePrices[symbol], matchPrices,
          distance: match.distance)
        shortest = reachable &+ 1
      }
      index &+= longest >= Self.niceLength ? longest : 1
    }
    return trace(length)
  }

  /// Returns the shortest length of a match for which the path is offered.
  @inline(__always)
  private static func shortest(_ shortest: Int, of longest: Int, _ isDraft: Bool) -> Int {
    if longest >= niceLength { return longest }
    return isDraft ? max(shortest, longest &- 3) : shortest
  }

  private func trace(_ length: Int) -> Int {
    var index = length
    var count = 0
    while index > 0 {
      let matchLength = nodeLengths[index] & 0xFFFF
      if matchLength == 0 {
        index &-= 1
      } else {
        steps[count] = Step(
          end: UInt32(index), length: matchLength, distance: nodeDistances[index])
        count &+= 1
        index &-= Int(matchLength)
      }
    }
    return count
  }
}

/// The nodes of a stretch, one array for each part, so that four can be changed at a time.
@unsafe
private struct Nodes {
  let prices: UnsafeMutablePointer<Int32>
  let distances: UnsafeMutablePointer<UInt32>
  let lengths: UnsafeMutablePointer<UInt32>

  @inline(__always)
  func set(_ index: Int, price: Int32, distance: UInt32, length: UInt32) {
    unsafe prices[index] = price
    unsafe distances[index] = distance
    unsafe lengths[index] = length
  }

  /// Offers this path to each node that a match of some length leads to.
  ///
  /// Prices are below 2^30, so the sign of a difference compares them. Most matches have few
  /// lengths, and a loop over four at a time has no branches that depend on prices.
  @inline(__always)
  func reach(
    _ index: Int, from shortest: Int, to longest: Int, _ price: Int32,
    _ matchPrices: UnsafePointer<Int32>, distance: UInt32
  ) {
    assert(longest <= Format.maximumMatch)
    let end = SIMD4<Int32>(repeating: Int32(truncatingIfNeeded: longest) &+ 1)
    let distances = SIMD4<UInt32>(repeating: distance)
    var length = shortest
    while length <= longest {
      let lengths =
        SIMD4<Int32>(repeating: Int32(truncatingIfNeeded: length)) &+ SIMD4(0, 1, 2, 3)
      let offered =
        unsafe SIMD4(repeating: price)
        &+ UnsafeRawPointer(matchPrices + length).loadUnaligned(as: SIMD4<Int32>.self)
      let place = unsafe UnsafeMutableRawPointer(prices + index + length)
      let known = unsafe place.loadUnaligned(as: SIMD4<Int32>.self)
      let isCheaper = ((offered &- known) & (lengths &- end)) &>> SIMD4(repeating: 31)
      unsafe place.storeBytes(
        of: known ^ ((known ^ offered) & isCheaper), as: SIMD4<Int32>.self)
      let mask = SIMD4<UInt32>(truncatingIfNeeded: isCheaper)
      unsafe Self.select(
        distances, where: mask, in: UnsafeMutableRawPointer(self.distances + index + length))
      unsafe Self.select(
        SIMD4<UInt32>(truncatingIfNeeded: lengths), where: mask,
        in: UnsafeMutableRawPointer(self.lengths + index + length))
      length &+= 4
    }
  }

  @inline(__always)
  private static func select(
    _ new: SIMD4<UInt32>, where mask: SIMD4<UInt32>, in place: UnsafeMutableRawPointer
  ) {
    let old = unsafe place.loadUnaligned(as: SIMD4<UInt32>.self)
    unsafe place.storeBytes(of: old ^ ((old ^ new) & mask), as: SIMD4<UInt32>.self)
  }
}

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
