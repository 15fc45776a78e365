/// Finds the cheapest path through a stretch of the input, given the price of every symbol.
///
/// A node is the border between two bytes and stores the cheapest path to it. From each node there
/// are several steps: one literal, a match at the last distance, and every match that the trees
/// found.
struct OptimalParser: ~Copyable {
  /// The number of bytes that are parsed in one pass.
  static let stretch = 1 << 17
  /// The number of matches that are kept for one position, and on average in a stretch.
  private static let matchesPerPosition = 24
  private static let averageMatches = 6

  let tree = MatchTree(niceLength: 128, depth: 48)
  private let nodes = Storage<Node>(count: Self.stretch + 1, filledWith: .unreached)
  /// The start of each position's matches in `matches`.
  private let firstMatch = Storage<UInt32>(count: Self.stretch + 1, filledWith: 0)
  private let matches = Storage<FoundMatch>(
    count: Self.stretch * Self.averageMatches + Self.matchesPerPosition,
    filledWith: FoundMatch(length: 0, distance: 0))
  /// The matches of the cheapest path, the last one first.
  let steps = Storage<Step>(
    count: Self.stretch / 2 + 1, filledWith: Step(end: 0, length: 0, distance: 0))

  // Not private: Swift 6.3.1 crashes on a private type inside generic storage of another file.
  struct Node: BitwiseCopyable {
    var price: UInt32
    /// The length of the match that ends here; 0 after a literal.
    var length: UInt16
    /// The number of literals after the last match, up to the maximum of one triplet.
    var run: UInt16
    /// The distance of the last match.
    var distance: UInt32

    static let unreached = Node(price: .max, length: 0, run: 0, distance: 0)
  }

  /// A match of the cheapest path; `end` counts from the start of the stretch.
  struct Step: BitwiseCopyable {
    var end: UInt32
    var length: UInt32
    var distance: UInt32
  }

  /// Enters all positions of the stretch into the trees and keeps their matches.
  @unsafe
  func findMatches(_ source: UnsafeRawPointer, from start: Int, to end: Int, count: Int) {
    var next = 0
    var skipTo = start
    for position in start..<end {
      firstMatch[position - start] = UInt32(truncatingIfNeeded: next)
      guard count - position >= 8 else { continue }
      let room = Self.stretch * Self.averageMatches - next
      let maximum = min(Self.matchesPerPosition, max(1, room))
      assert(next + maximum <= matches.count)
      let found = unsafe tree.find(
        source, position, count: count, maximum: maximum, into: matches.base + next)
      guard found > 0, position >= skipTo, room > Self.matchesPerPosition else { continue }
      next += found
      let longest = Int(matches[next - 1].length)
      // No better match is searched for inside a long one.
      if longest >= tree.niceLength { skipTo = position + longest }
    }
    firstMatch[end - start] = UInt32(truncatingIfNeeded: next)
  }

  /// Fills `steps` with the cheapest path; returns the number of steps.
  ///
  /// Before the stretch there are `run` literals without a match, and `distance` was used last (0:
  /// none).
  @unsafe
  func parse(
    _ source: UnsafeRawPointer, from start: Int, to end: Int, run: Int, distance: Int,
    _ prices: borrowing Prices
  ) -> Int {
    let length = end - start
    assert(length < self.nodes.count && distance <= start)
    let nodes = unsafe nodes.base
    unsafe nodes.update(repeating: .unreached, count: length + 1)
    let run = min(run, Format.maximumLiteralRun)
    unsafe nodes[0] = Node(
      price: prices.runs[run], length: 0, run: UInt16(run), distance: UInt32(distance))
    let literalPrices = unsafe prices.literals.base
    let runPrices = unsafe prices.runs.base
    let matchPrices = unsafe prices.matches.base
    let distancePrices = unsafe prices.distances.base
    // A run that is too long for one triplet continues in the next: the first one has no match.
    let pieceEnd = unsafe matchPrices[0] &+ distancePrices[0]

    var index = 0
    while index < length {
      let node = unsafe nodes[index]
      let here = unsafe source + (start &+ index)

      let literal = unsafe node.price &+ literalPrices[Int(here.load(as: UInt8.self))]
      let nextRun: UInt16
      let literalPrice: UInt32
      if node.run < Format.maximumLiteralRun {
        nextRun = node.run &+ 1
        literalPrice = unsafe literal &+ runPrices[Int(nextRun)] &- runPrices[Int(node.run)]
      } else {
        nextRun = 1
        literalPrice = unsafe literal &+ pieceEnd &+ runPrices[1]
      }
      if unsafe literalPrice < nodes[index &+ 1].price {
        unsafe nodes[index &+ 1] = Node(
          price: literalPrice, length: 0, run: nextRun, distance: node.distance)
      }

      let base = unsafe node.price &+ runPrices[0]
      let rest = min(length &- index, Format.maximumMatch)
      var repeatedLength = 0
      if node.distance > 0, rest >= 2 {
        assert(Int(node.distance) <= start + index)
        let there = unsafe here - Int(node.distance)
        if unsafe here.loadUnaligned(as: UInt16.self) == there.loadUnaligned(as: UInt16.self) {
          repeatedLength = unsafe MatchLength.of(here, there, limit: rest)
          let price = unsafe base &+ distancePrices[0]
          unsafe reach(
            nodes + index, from: repeatedLength >= tree.niceLength ? repeatedLength : 2,
            to: repeatedLength, price, matchPrices, distance: node.distance)
        }
      }

      var place = Int(firstMatch[index])
      let placeEnd = Int(firstMatch[index &+ 1])
      var shortest = 3
      var longest = repeatedLength
      while place < placeEnd {
        let match = matches[place]
        place &+= 1
        let reachable = min(Int(match.length), rest)
        longest = max(longest, reachable)
        if reachable >= tree.niceLength { shortest = reachable }
        let symbol = SymbolCodes.distance(Int(match.distance))
        let price = unsafe base &+ distancePrices[symbol]
        unsafe reach(
          nodes + index, from: shortest, to: reachable, price, matchPrices,
          distance: match.distance)
        shortest = reachable &+ 1
      }
      index &+= longest >= tree.niceLength ? longest : 1
    }
    return trace(length)
  }

  /// Offers this path to each node that a match of some length leads to.
  @unsafe @inline(__always)
  private func reach(
    _ node: UnsafeMutablePointer<Node>, from shortest: Int, to longest: Int, _ price: UInt32,
    _ matchPrices: UnsafePointer<UInt32>, distance: UInt32
  ) {
    unsafe assert(longest <= Format.maximumMatch && node + longest < nodes.base + nodes.count)
    var length = shortest
    while length <= longest {
      let total = unsafe price &+ matchPrices[length]
      if unsafe total < node[length].price {
        unsafe node[length] = Node(
          price: total, length: UInt16(truncatingIfNeeded: length), run: 0, distance: distance)
      }
      length &+= 1
    }
  }

  private func trace(_ length: Int) -> Int {
    var index = length
    var count = 0
    while index > 0 {
      let node = nodes[index]
      if node.length == 0 {
        index &-= 1
      } else {
        steps[count] = Step(
          end: UInt32(index), length: UInt32(node.length), distance: node.distance)
        count &+= 1
        index &-= Int(node.length)
      }
    }
    return count
  }
}

/// The cost of each part of a triplet in 1/256 of a bit, with the tables for some counts.
struct Prices: ~Copyable {
  /// Literals by byte, runs 0...315, matches 0...2359, distances by symbol; extra bits included.
  let literals = Storage<UInt32>(count: 256, filledWith: 0)
  let runs = Storage<UInt32>(count: Format.maximumLiteralRun + 1, filledWith: 0)
  let matches = Storage<UInt32>(count: Format.maximumMatch + 1, filledWith: 0)
  let distances = Storage<UInt32>(count: 64, filledWith: 0)

  private let runSymbols = Storage<UInt32>(count: 20, filledWith: 0)
  private let matchSymbols = Storage<UInt32>(count: 20, filledWith: 0)

  func set(_ histogram: borrowing Histogram, _ codes: borrowing SymbolCodes) {
    histogram.forEachPrice(.literalRun) { runSymbols[$0] = $1 }
    histogram.forEachPrice(.match) { matchSymbols[$0] = $1 }
    histogram.forEachPrice(.distance) { symbol, price in
      let extra = UInt32(SymbolCodes.distanceExtraBits(symbol))
      distances[symbol] = price + extra * UInt32(FixedLogarithm.one)
    }
    histogram.forEachPrice(.literal) { literals[$0] = $1 }
    for value in 0...Format.maximumLiteralRun {
      let symbol = codes.literalRun(value)
      let extra = UInt32(codes.literalRunExtra(symbol).bits)
      runs[value] = runSymbols[symbol] + extra * UInt32(FixedLogarithm.one)
    }
    for value in 0...Format.maximumMatch {
      let symbol = codes.match(value)
      let extra = UInt32(codes.matchExtra(symbol).bits)
      matches[value] = matchSymbols[symbol] + extra * UInt32(FixedLogarithm.one)
    }
  }
}
