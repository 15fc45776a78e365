/// Chooses the borders of blocks, so that each block has suitable tables.
///
/// The size of a block is estimated from the entropy of its symbols and the size of its tables. The
/// triplets are divided into portions, and the cheapest chain of blocks of whole portions is found
/// from left to right.
struct BlockBorders: ~Copyable {
  /// A portion ends at this many triplets or literals.
  private let portionTriplets: Int
  private let portionLiterals: Int
  /// A block whose chain costs this much more than another chain is not made longer.
  private let margin: Int
  let maximumPortions: Int

  private let counts: Storage<UInt16>
  private let portions: Storage<Portion>
  /// The cost of the cheapest chain up to the end of each portion, and where its last block begins.
  private let costs: Storage<Int>
  private let origins: Storage<Int>
  private let histogram = Histogram()
  private let estimate = EntropyEstimate()

  /// Creates the memory for portions of these sizes; the margin is in bytes.
  init(portionTriplets: Int, portionLiterals: Int, margin: Int) {
    self.portionTriplets = portionTriplets
    self.portionLiterals = portionLiterals
    self.margin = margin * 8 * FixedLogarithm.one
    maximumPortions =
      TripletList.capacity / portionTriplets
      + (OptimalParser.maximumStretch + Format.mostLiteralsWritten) / portionLiterals + 2
    counts = Storage(count: maximumPortions * Alphabet.symbolCount, filledWith: 0)
    portions = Storage(count: maximumPortions + 1, filledWith: Portion(end: 0, literals: 0))
    costs = Storage(count: maximumPortions + 1, filledWith: 0)
    origins = Storage(count: maximumPortions + 1, filledWith: 0)
  }

  struct Portion: BitwiseCopyable {
    /// The number of the triplet after the last one.
    var end: Int
    var literals: Int
  }

  /// Replaces `borders` by the ends of the blocks, the last one first, as triplet numbers.
  func choose(
    _ list: borrowing TripletList, _ source: UnsafeRawPointer, _ codes: borrowing SymbolCodes,
    into borders: inout [Int]
  ) {
    let count = unsafe divide(list, source, codes)
    assert(count < self.costs.count)
    let costs = unsafe costs.base
    unsafe costs[0] = 0
    for place in 1...count { unsafe costs[place] = .max }
    for first in 0..<count {
      histogram.clear()
      var literals = 0
      let start = first == 0 ? 0 : portions[first - 1].end
      for last in first..<count {
        let portion = portions[last]
        literals += portion.literals
        guard literals <= Format.mostLiteralsWritten,
          portion.end - start <= Format.mostTripletsWritten
        else { break }
        unsafe histogram.add(counts.base + last * Alphabet.symbolCount)
        let cost =
          unsafe costs[first]
          + estimate.bits(
            histogram, literals: literals, triplets: portion.end - start)
        if unsafe cost < costs[last + 1] {
          unsafe costs[last + 1] = cost
          origins[last + 1] = first
        } else if unsafe cost - costs[last + 1] > margin {
          break
        }
      }
    }
    borders.removeAll(keepingCapacity: true)
    var place = count
    while place > 0 {
      borders.append(portions[place - 1].end)
      place = origins[place]
    }
  }

  /// Divides the list into portions and counts the symbols of each; returns the number of portions.
  @unsafe
  private func divide(
    _ list: borrowing TripletList, _ source: UnsafeRawPointer, _ codes: borrowing SymbolCodes
  ) -> Int {
    var portion = 0
    var literals = 0
    var first = 0
    var position = list.start
    var previous: UInt32 = 0
    var counts = unsafe counts.base
    unsafe counts.update(repeating: 0, count: Alphabet.symbolCount)
    for index in 0..<list.count {
      let triplet = list.triplets[index]
      let run = Int(triplet.literals)
      for offset in 0..<run {
        let byte = unsafe Int(source.load(fromByteOffset: position + offset, as: UInt8.self))
        unsafe counts[Alphabet.literal.firstSymbol + byte] &+= 1
      }
      let coded = triplet.match == 0 || triplet.distance == previous ? 0 : triplet.distance
      if triplet.match > 0 { previous = triplet.distance }
      unsafe counts[codes.literalRun(run)] &+= 1
      unsafe counts[Alphabet.match.firstSymbol + codes.match(Int(triplet.match))] &+= 1
      unsafe counts[Alphabet.distance.firstSymbol + SymbolCodes.distance(Int(coded))] &+= 1
      literals += run
      position += run + Int(triplet.match)
      if index + 1 - first >= portionTriplets || literals >= portionLiterals
        || index + 1 == list.count
      {
        portions[portion] = Portion(end: index + 1, literals: literals)
        portion += 1
        first = index + 1
        literals = 0
        unsafe counts += Alphabet.symbolCount
        if index + 1 < list.count {
          assert(portion < maximumPortions)
          unsafe counts.update(repeating: 0, count: Alphabet.symbolCount)
        }
      }
    }
    return portion
  }
}
