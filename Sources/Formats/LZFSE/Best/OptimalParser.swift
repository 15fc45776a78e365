/// Finds the cheapest path through a stretch of the input, given the price of every symbol.
///
/// A node is the border between two bytes and stores the cheapest path to it. From each node there
/// are several steps: one literal, a match at the last distance, and every match that the trees
/// found. A refining pass has another step: a match, one to three literals, and a match at the same
/// distance. The cheapest path to the end of the first match often has another distance.
struct OptimalParser: ~Copyable {
  /// The number of bytes that are parsed in one pass.
  let stretch: Int
  static let maximumStretch = 1 << 17
  /// The number of matches that are kept on average for a position of a stretch.
  private static let averageMatches = 6

  /// The length from which a match is used without a comparison with others.
  static let niceLength = 128

  /// The cheapest path to each node: its price, the distance of its last match, and its last step.
  private let nodePrices: Storage<Int32>
  private let nodeDistances: Storage<UInt32>
  private let nodeLengths: Storage<LastStep>
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
    nodeLengths = Storage(count: nodeCount, filledWith: LastStep(match: 0))
    firstMatch = Storage(count: stretch + 1, filledWith: 0)
    matches = Storage(
      count: stretch * Self.averageMatches + FoundMatch.maximumCount, filledWith: .none)
    steps = Storage(
      count: stretch / 2 + 1, filledWith: Step(end: 0, length: 0, distance: 0))
  }

  /// A pass over a stretch.
  enum Pass {
    /// The first pass of several. It uses only the four longest lengths of each match, because four
    /// are written in one step: it takes less time, and its symbols are nearly as frequent as those
    /// of the cheapest path.
    case draft
    case only
    /// A pass that also considers matches that are repeated after a few literals.
    case refining
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
    with finder: borrowing MatchFinder, _ starts: inout LongMatchStarts,
    _ source: UnsafeRawPointer, from start: Int, to end: Int, count: Int
  ) {
    switch finder {
    case .tree(let tree):
      unsafe findMatches(in: tree, &starts, source, from: start, to: end, count: count)
    case .ladder(let ladder):
      unsafe findMatches(in: ladder, &starts, source, from: start, to: end, count: count)
    }
  }

  @unsafe @inline(__always)
  private func findMatches<Index: PositionIndex & ~Copyable>(
    in index: borrowing Index, _ starts: inout LongMatchStarts, _ source: UnsafeRawPointer,
    from start: Int, to end: Int, count: Int
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
      let last = matches[next - 1]
      guard last.length >= Self.niceLength else { continue }
      let longest = unsafe starts.enter(
        source, position, length: last.length, distance: Int(last.distance),
        limit: min(count - position, Format.maximumMatch))
      matches[next - 1] = FoundMatch(
        length: longest.length, distance: UInt32(truncatingIfNeeded: longest.distance))
      // No better match is searched for inside a long one.
      skipTo = position + longest.length
    }
    for position in searched...end {
      firstMatch[position - start] = UInt32(truncatingIfNeeded: next)
    }
  }

  /// Begins a pass over a stretch of `length` bytes.
  ///
  /// Before the stretch there are `run` literals without a match, and `distance` was used last (0:
  /// none).
  func begin(_ length: Int, run: Int, distance: Int) {
    assert(length <= stretch)
    unsafe nodes.prices.update(repeating: .max, count: length + 1 + 4)
    // Every path continues the run or ends it, so its price is not needed. The first literal
    // subtracts it, and no price may be negative.
    unsafe nodes.set(
      0, price: 1 << 20, distance: UInt32(distance),
      LastStep(literals: min(run, Format.maximumLiteralRun)))
  }

  /// Continues the cheapest paths from a node up to `stop`, or farther with a long match; returns
  /// the next node.
  ///
  /// The nodes are in the stretch from `start` to `end`.
  @unsafe
  func advance(
    _ source: UnsafeRawPointer, from start: Int, to end: Int, at first: Int, to stop: Int,
    _ prices: borrowing Prices, _ pass: Pass
  ) -> Int {
    let length = end - start
    assert(length <= stretch && stop <= length)
    let nodes = unsafe nodes
    let literalPrices = unsafe prices.literals.base
    let runPrices = unsafe prices.runs.base
    let matchPrices = unsafe prices.matches.base
    let distancePrices = unsafe prices.distances.base
    // A run that is too long for one triplet continues in the next: the first one has no match.
    let pieceEnd = unsafe matchPrices[0] &+ distancePrices[0]

    var index = first
    while index < stop {
      let price = unsafe nodes.prices[index]
      let nodeDistance = unsafe nodes.distances[index]
      let nodeRun = unsafe nodes.lengths[index].literals
      let here = unsafe source + (start &+ index)

      let literal = unsafe price &+ literalPrices[Int(here.load(as: UInt8.self))]
      let isFull = nodeRun == Format.maximumLiteralRun
      let nextRun = isFull ? 1 : nodeRun &+ 1
      let literalPrice =
        unsafe literal &+ runPrices[nextRun] &+ (isFull ? pieceEnd : 0 &- runPrices[nodeRun])
      if unsafe literalPrice < nodes.prices[index &+ 1] {
        unsafe nodes.set(
          index &+ 1, price: literalPrice, distance: nodeDistance, LastStep(literals: nextRun))
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
            index, from: Self.shortest(2, of: longest, pass), to: longest,
            base &+ distancePrices[0], matchPrices, distance: nodeDistance)
          if pass == .refining {
            unsafe repeatMatch(
              here, index, longest, rest, base &+ distancePrices[0], prices,
              distance: nodeDistance)
          }
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
          index, from: Self.shortest(shortest, of: reachable, pass), to: reachable,
          base &+ distancePrices[symbol], matchPrices,
          distance: match.distance)
        shortest = reachable &+ 1
        if pass == .refining, place == placeEnd {
          unsafe repeatMatch(
            here, index, reachable, rest, base &+ distancePrices[symbol], prices,
            distance: match.distance)
        }
      }
      index &+= longest >= Self.niceLength ? longest : 1
    }
    return index
  }

  /// Offers a path with a match, a few literals, and another match at the same distance.
  ///
  /// `price` is that of the path to the first match, and of its distance.
  @unsafe @inline(__always)
  private func repeatMatch(
    _ here: UnsafeRawPointer, _ index: Int, _ length: Int, _ rest: Int, _ price: Int32,
    _ prices: borrowing Prices, distance: UInt32
  ) {
    guard length &+ 9 <= rest, length < Self.niceLength else { return }
    let after = unsafe here + (length &+ 1)
    let expected = unsafe (after - Int(distance)).loadUnaligned(as: UInt64.self)
    let differences = unsafe (after.loadUnaligned(as: UInt64.self) ^ expected).littleEndian
    let literals =
      differences & 0xFFFF == 0
      ? 1 : differences & 0xFF_FF00 == 0 ? 2 : differences & 0xFFFF_0000 == 0 ? 3 : 0
    guard literals > 0 else { return }
    let second = unsafe here + (length &+ literals)
    let repeated = unsafe MatchLength.of(
      second, second - Int(distance), limit: min(rest &- length &- literals, Self.niceLength))
    var total =
      unsafe price &+ prices.matches.base[length] &+ prices.runs.base[literals]
      &+ prices.distances.base[0] &+ prices.matches.base[repeated]
    for place in 0..<literals {
      let byte = unsafe here.load(fromByteOffset: length &+ place, as: UInt8.self)
      total &+= unsafe prices.literals.base[Int(byte)]
    }
    let node = index &+ length &+ literals &+ repeated
    if total < nodePrices[node] {
      unsafe nodes.set(
        node, price: total, distance: distance,
        LastStep(match: repeated, literals: literals, matchBefore: length))
    }
  }

  /// Returns the shortest length of a match for which the path is offered.
  @inline(__always)
  private static func shortest(_ shortest: Int, of longest: Int, _ pass: Pass) -> Int {
    if longest >= niceLength { return longest }
    return pass == .draft ? max(shortest, longest &- 3) : shortest
  }

  /// Fills `steps` with the cheapest path through a stretch of `length` bytes; returns the number
  /// of steps.
  func finish(_ length: Int) -> Int {
    var index = length
    var count = 0
    func append(_ matched: Int, distance: UInt32) {
      steps[count] = Step(
        end: UInt32(truncatingIfNeeded: index), length: UInt32(truncatingIfNeeded: matched),
        distance: distance)
      count &+= 1
      index &-= matched
    }
    while index > 0 {
      let last = nodeLengths[index]
      if last.match == 0 {
        index &-= 1
        continue
      }
      let distance = nodeDistances[index]
      append(last.match, distance: distance)
      if last.literalsBetween > 0 {
        index &-= last.literalsBetween
        append(last.matchBefore, distance: distance)
      }
    }
    return count
  }

  /// The number of bytes in the matches of the first `count` steps.
  func matchedCount(_ count: Int) -> Int {
    (0..<count).reduce(0) { $0 + Int(steps[$1].length) }
  }

  private var nodes: Nodes {
    unsafe Nodes(
      prices: nodePrices.base, distances: nodeDistances.base, lengths: nodeLengths.base)
  }
}

/// The last step of a path to a node, in one number: the length of the match that ends there (0
/// after a literal); the number of literals before it if this match repeats the distance of a match
/// before them (else 0); the length of that match, or the number of literals after the last match,
/// up to the maximum of one triplet.
struct LastStep: BitwiseCopyable {
  private var bits: UInt32

  @inline(__always)
  init(match: Int) { bits = UInt32(truncatingIfNeeded: match) }

  @inline(__always)
  init(literals: Int) { bits = UInt32(truncatingIfNeeded: literals) &<< 16 }

  @inline(__always)
  init(match: Int, literals: Int, matchBefore: Int) {
    bits = UInt32(truncatingIfNeeded: matchBefore &<< 16 | literals &<< 12 | match)
  }

  var match: Int {
    @inline(__always) get { Int(bits & 0xFFF) }
  }

  var literalsBetween: Int {
    @inline(__always) get { Int(bits &>> 12 & 0xF) }
  }

  var matchBefore: Int {
    @inline(__always) get { Int(bits &>> 16) }
  }

  var literals: Int {
    @inline(__always) get { literalsBetween == 0 ? Int(bits &>> 16) : 0 }
  }
}

/// The nodes of a stretch, one array for each part, so that four can be changed at a time.
@unsafe
private struct Nodes {
  let prices: UnsafeMutablePointer<Int32>
  let distances: UnsafeMutablePointer<UInt32>
  let lengths: UnsafeMutablePointer<LastStep>

  @inline(__always)
  func set(_ index: Int, price: Int32, distance: UInt32, _ step: LastStep) {
    unsafe prices[index] = price
    unsafe distances[index] = distance
    unsafe lengths[index] = step
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
