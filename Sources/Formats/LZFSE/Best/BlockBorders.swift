/// Chooses the borders of blocks, so that each block has suitable tables.
///
/// The size of a block is estimated from the entropy of its symbols and the size of its tables. The
/// triplets are divided into portions, and the cheapest chain of blocks of whole portions is found
/// from left to right.
struct BlockBorders: ~Copyable {
  /// The sizes of portions, and the end of the search for borders.
  struct Precision {
    /// A portion ends at this many triplets or literals.
    var triplets: Int
    var literals: Int
    /// A block whose chain costs this many bytes more than another chain is not made longer.
    var margin: Int
  }

  let maximumPortions: Int

  private let counts: Storage<UInt16>
  let portions: Storage<Portion>
  /// The cost of the cheapest chain up to the end of each portion, and where its last block begins.
  private let costs: Storage<Int>
  private let origins: Storage<Int>
  private let histogram = Histogram()
  private let estimate = EntropyEstimate()

  /// Creates the memory for the highest precision that is used.
  init(finest: Precision) {
    maximumPortions =
      TripletList.capacity / finest.triplets
      + (OptimalParser.maximumStretch + Format.mostLiteralsWritten) / finest.literals + 2
    counts = Storage(count: maximumPortions * Alphabet.symbolCount, filledWith: 0)
    portions = Storage(
      count: maximumPortions + 1, filledWith: Portion(end: 0, byteEnd: 0, literals: 0))
    costs = Storage(count: maximumPortions + 1, filledWith: 0)
    origins = Storage(count: maximumPortions + 1, filledWith: 0)
  }

  struct Portion: BitwiseCopyable {
    /// The number of the triplet after the last one, and the position of its literals in the input.
    var end: Int
    var byteEnd: Int
    var literals: Int
  }

  /// Replaces `borders` by the end of each block, as the number of portions before it.
  ///
  /// The last block is the first element.
  func choose(
    _ list: borrowing TripletList, _ source: UnsafeRawPointer, _ codes: borrowing SymbolCodes,
    _ precision: Precision, into borders: inout [Int]
  ) {
    let count = unsafe divide(list, source, codes, precision)
    let margin = precision.margin * 8 * FixedLogarithm.one
    assert(count < self.costs.count)
    let costs = unsafe costs.base
    unsafe costs[0] = 0
    for place in 0..<count { unsafe costs[place + 1] = .max }
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
      borders.append(place)
      place = origins[place]
    }
  }

  /// Adds the symbols of some portions to the counts of a histogram.
  func add(portions: Range<Int>, to histogram: borrowing Histogram) {
    for place in portions { unsafe histogram.add(counts.base + place * Alphabet.symbolCount) }
  }

  /// Divides the list into portions and counts the symbols of each; returns the number of portions.
  @unsafe
  private func divide(
    _ list: borrowing TripletList, _ source: UnsafeRawPointer, _ codes: borrowing SymbolCodes,
    _ precision: Precision
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
      if index + 1 - first >= precision.triplets || literals >= precision.literals
        || index + 1 == list.count
      {
        portions[portion] = Portion(end: index + 1, byteEnd: position, literals: literals)
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
