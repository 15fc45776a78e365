/// Finds the cheapest instructions for an input that is too small for tables.
///
/// Each position of the input has a few states. A state is the cheapest path to this position after
/// which the next match may repeat a certain distance without encoding it: a path with a higher
/// cost up to here may have a lower total cost.
///
/// The memory is allocated once, about 170 KiB, and is used for any number of inputs.
struct VNParser: ~Copyable {
  /// The steps that `parse` found, the last one first.
  let steps = Storage<VNStep>(count: VNEncoder.limit, filledWith: .none)
  private let states = Storage<VNState>(
    count: VNEncoder.limit * Self.statesPerPlace, filledWith: .unused)
  /// The latest place with the same hash, plus one; zero for none.
  private let heads = Storage<UInt16>(count: Self.slotCount, filledWith: 0)
  /// For each place the one before it with the same hash, plus one.
  private let previous = Storage<UInt16>(count: VNEncoder.limit, filledWith: 0)

  private static let statesPerPlace = 4
  private static let slotCount = 4096
  /// The maximum number of earlier positions with the same hash that are compared.
  private static let longestChain = 32
  /// A match of this length ends the search for a longer one.
  private static let longEnough = 512

  /// Finds the steps and returns their number.
  ///
  /// `count` is less than `VNEncoder.limit`.
  @unsafe
  func parse(_ source: UnsafeRawPointer, count: Int) -> Int {
    assert(count < VNEncoder.limit)
    unsafe heads.base.update(repeating: 0, count: heads.count)
    unsafe states.base.update(repeating: .unused, count: (count + 1) * Self.statesPerPlace)
    states[0] = .first
    for place in 0..<count {
      for index in 0..<Self.statesPerPlace {
        let state = states[place * Self.statesPerPlace + index]
        guard state.isUsed else { break }
        addLiteral(to: state, place, index)
        unsafe repeatDistance(of: state, place, index, source, count)
      }
      if place + VNOpcode.shortestMatch <= count {
        unsafe nameDistances(place, source, count)
      }
    }
    return collectSteps(count)
  }

  private func addLiteral(to state: VNState, _ place: Int, _ index: Int) {
    let isNewRun = state.run == 0 || state.run == VNOpcode.longestRun
    // An instruction of one byte has up to 15 literals, one of two bytes more.
    let opcode = isNewRun || state.run == VNOpcode.longestShortRun ? 1 : 0
    add(
      VNState(
        cost: state.cost + 1 + opcode, distance: state.distance, from: place, index: index,
        literals: 1, run: isNewRun ? 1 : state.run + 1),
      at: place + 1)
  }

  /// Adds the matches at the distance of the state, with up to three literals before them.
  @unsafe
  private func repeatDistance(
    of state: VNState, _ place: Int, _ index: Int, _ source: UnsafeRawPointer, _ count: Int
  ) {
    let distance = state.distance
    guard distance > 0 else { return }
    for literals in 0...3 where place + literals < count {
      let start = place + literals
      let limit = literals == 0 ? VNOpcode.longestRun : VNOpcode.longestMatch(after: literals)
      let length = unsafe MatchLength.of(
        source + start, source + (start - distance), limit: min(count - start, limit))
      var match = literals == 0 ? 1 : VNOpcode.shortestMatch
      // The longest instruction, or one that leads to the end, has the lowest cost.
      if literals == 0, length == limit || start + length == count { match = max(length, 1) }
      while match <= length {
        add(
          VNState(
            cost: state.cost + literals + (match > VNOpcode.longestShortRun ? 2 : 1),
            distance: distance, from: place, index: index, literals: literals, run: 0),
          at: start + match)
        match += 1
      }
    }
  }

  /// Adds the matches at this position with an explicit distance.
  @unsafe
  private func nameDistances(_ place: Int, _ source: UnsafeRawPointer, _ count: Int) {
    let here = unsafe source + place
    let slot = unsafe Self.slot(here)
    var candidate = Int(heads[slot]) - 1
    previous[place] = heads[slot]
    heads[slot] = UInt16(truncatingIfNeeded: place + 1)
    var longest = VNOpcode.shortestMatch - 1
    var left = Self.longestChain
    while candidate >= 0, left > 0, longest < Self.longEnough {
      let length = unsafe MatchLength.of(here, source + candidate, limit: count - place)
      if length >= max(longest, VNOpcode.shortestMatch) {
        // A match with the length of a nearer one is only useful for its distance.
        let shortest = length > longest ? VNOpcode.shortestMatch : length
        longest = length
        addMatches(at: place, distance: place - candidate, lengths: shortest...length)
      }
      candidate = Int(previous[candidate]) - 1
      left -= 1
    }
  }

  /// Adds a match of each of these lengths, with up to three literals before it.
  ///
  /// A longer match continues with instructions that repeat the distance.
  private func addMatches(at place: Int, distance: Int, lengths: ClosedRange<Int>) {
    let reached = states[place * Self.statesPerPlace].cost
    for literals in 0...min(3, place) {
      let start = place - literals
      let cost = states[start * Self.statesPerPlace].cost + literals
      // Literals of the same price in a separate instruction leave room for a longer match.
      if literals > 0, cost >= reached { continue }
      let short = VNOpcode.longestMatch(after: literals, distance: distance)
      var match = min(lengths.lowerBound, VNOpcode.longestFarMatch)
      while match <= min(lengths.upperBound, VNOpcode.longestFarMatch) {
        add(
          VNState(
            cost: cost + (match <= short ? 2 : 3), distance: distance, from: start, index: 0,
            literals: literals, run: 0),
          at: place + match)
        match += 1
      }
    }
  }

  /// Keeps the state if it is among the best at its place, and the best with its distance.
  @inline(__always)
  private func add(_ state: VNState, at place: Int) {
    let first = place * Self.statesPerPlace
    let last = first + Self.statesPerPlace - 1
    guard state.rank < states[last].rank else { return }
    var index = first
    while states[index].rank <= state.rank {
      if states[index].isAsGood(as: state) { return }
      index += 1
    }
    // The place of a state that is not needed any more, or of the worst.
    var end = index
    while end < last, !states[end].isUsed || !state.isAsGood(as: states[end]) { end += 1 }
    while end > index {
      states[end] = states[end - 1]
      end -= 1
    }
    states[index] = state
  }

  /// Follows the cheapest path from the end to the start; consecutive literals become one step.
  private func collectSteps(_ count: Int) -> Int {
    var found = 0
    var place = count
    var index = 0
    var run = 0
    while place > 0 || run > 0 {
      let state = states[place * Self.statesPerPlace + index]
      let match = place - state.from - state.literals
      if place > 0, match == 0 {
        run += state.literals
      } else if run > 0 {
        steps[found] = VNStep(literals: run, match: 0, distance: 0)
        found += 1
        run = 0
        continue
      } else {
        steps[found] = VNStep(literals: state.literals, match: match, distance: state.distance)
        found += 1
      }
      place = state.from
      index = state.index
    }
    return found
  }

  @unsafe
  private static func slot(_ bytes: UnsafeRawPointer) -> Int {
    let low = unsafe UInt32(UInt16(littleEndian: bytes.loadUnaligned(as: UInt16.self)))
    let high = unsafe UInt32(bytes.load(fromByteOffset: 2, as: UInt8.self))
    return Int(((low << 8 | high << 24) &* 0x9E37_79B1) >> 20)
  }
}

/// Literals and then a match; one of the two may be missing.
///
/// A step with a match is one instruction, a step without one is as many as its literals need.
struct VNStep: BitwiseCopyable {
  private let literalCount: UInt16
  private let matchLength: UInt16
  private let matchDistance: UInt16

  static let none = VNStep(literals: 0, match: 0, distance: 0)

  init(literals: Int, match: Int, distance: Int) {
    literalCount = UInt16(truncatingIfNeeded: literals)
    matchLength = UInt16(truncatingIfNeeded: match)
    matchDistance = UInt16(truncatingIfNeeded: distance)
  }

  var literals: Int { Int(literalCount) }
  var match: Int { Int(matchLength) }
  /// The distance of the match, which may be that of the match before.
  var distance: Int { Int(matchDistance) }
}

/// A path from the start of the input to one of its positions.
struct VNState: BitwiseCopyable {
  private let byteCount: UInt16
  private let lastDistance: UInt16
  private let before: UInt16
  private let form: UInt16

  /// The path to the start of the input.
  static let first = VNState(cost: 0, distance: 0, from: 0, index: 0, literals: 0, run: 0)
  static let unused = VNState(cost: 0xffff, distance: 0, from: 0, index: 0, literals: 0, run: 0)

  @inline(__always)
  init(cost: Int, distance: Int, from: Int, index: Int, literals: Int, run: Int) {
    assert(index < 8 && literals < 4 && run <= VNOpcode.longestRun)
    byteCount = UInt16(truncatingIfNeeded: cost)
    lastDistance = UInt16(truncatingIfNeeded: distance)
    before = UInt16(truncatingIfNeeded: from)
    form = UInt16(truncatingIfNeeded: run << 5 | literals << 3 | index)
  }

  var isUsed: Bool { byteCount != 0xffff }
  /// The size of the instructions in bytes.
  var cost: Int { Int(byteCount) }
  /// The distance of the last match; 0 before the first.
  var distance: Int { Int(lastDistance) }
  /// The position of the previous state, and its index there.
  var from: Int { Int(before) }
  var index: Int { Int(form & 7) }
  /// The number of literals after that position; after them a match leads to this position.
  var literals: Int { Int(form >> 3 & 3) }
  /// The number of literals in the last instruction, if it has only literals.
  var run: Int { Int(form >> 5) }

  /// Returns whether this path can replace `other`, which has the same rank or a worse one: no
  /// continuation costs less after `other`.
  ///
  /// A long run of literals can continue for 256 bytes, which saves one byte where a new run would
  /// begin.
  func isAsGood(as other: VNState) -> Bool {
    lastDistance == other.lastDistance
      && (run > VNOpcode.longestShortRun || other.run <= VNOpcode.longestShortRun)
  }

  /// The rank of the path: a lower cost is better; at equal cost, room for more literals in the
  /// last instruction is better.
  var rank: Int {
    let room =
      run == 0
      ? 0
      : (run > VNOpcode.longestShortRun ? VNOpcode.longestRun : VNOpcode.longestShortRun) - run
    return cost << 9 | (VNOpcode.longestRun - room)
  }
}
