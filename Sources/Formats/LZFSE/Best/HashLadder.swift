/// Finds, for each position, the nearest earlier position with the same prefix, for prefixes of
/// several lengths.
///
/// There is one table for each length of a prefix, with the latest position of each hash. A search
/// takes several times less time than in ``MatchTree``, and finds most of the same matches.
///
/// Memory: 1.1 MiB. Larger tables find more, but leave the cache of a core.
struct HashLadder: ~Copyable, PositionIndex {
  /// The number of the first byte of the input.
  ///
  /// The number 0 represents no position: the distance from it to every position exceeds the
  /// maximum.
  private static let first = UInt32(Format.maximumDistance + 1)
  static var neededByteCount: Int { 32 }
  /// Inside a match with a rest of this length, only longer matches are searched for.
  private static let longRest = 32

  private let threes = Storage<UInt32>(count: 1 << 14, filledWith: 0)
  private let fours = Storage<UInt32>(count: 1 << 16, filledWith: 0)
  private let sixes = Storage<UInt32>(count: 1 << 16, filledWith: 0)
  private let eights = Storage<UInt32>(count: 1 << 16, filledWith: 0)
  private let sixteens = Storage<UInt32>(count: 1 << 15, filledWith: 0)
  private let longest = Storage<UInt32>(count: 1 << 15, filledWith: 0)
  private let group = Storage<Candidates>(count: MatchFinder.groupSize, filledWith: .none)
  /// The rest of the longest match of the position before.
  private let rest = Storage<FoundMatch>(count: 1, filledWith: .none)

  func clear() {
    unsafe threes.base.update(repeating: 0, count: threes.count)
    unsafe fours.base.update(repeating: 0, count: fours.count)
    unsafe sixes.base.update(repeating: 0, count: sixes.count)
    unsafe eights.base.update(repeating: 0, count: eights.count)
    unsafe sixteens.base.update(repeating: 0, count: sixteens.count)
    unsafe longest.base.update(repeating: 0, count: longest.count)
    rest[0] = .none
  }

  @unsafe
  func prepare(_ source: UnsafeRawPointer, from start: Int, to end: Int) {
    for position in start..<end {
      group[position & (MatchFinder.groupSize &- 1)] = unsafe exchange(source + position, position)
    }
  }

  @unsafe
  func find(
    _ source: UnsafeRawPointer, _ position: Int, count: Int,
    into target: UnsafeMutablePointer<FoundMatch>
  ) -> Int {
    assert(position >= 0 && position + Self.neededByteCount <= count)
    let here = unsafe source + position
    let candidates = group[position & (MatchFinder.groupSize &- 1)]
    var search = unsafe Search(here, position, limit: count &- position, target)
    let rest = rest[0]
    if rest.length >= Self.longRest {
      unsafe search.offer(rest.length, rest.distance)
      unsafe search.compareLonger(candidates.eight)
      unsafe search.compareLonger(candidates.sixteen)
      unsafe search.compareLonger(candidates.longest)
      self.rest[0] = unsafe search.restOfLongest
      return unsafe search.found
    }
    unsafe search.compareEight(candidates.three)
    unsafe search.compareEight(candidates.four)
    unsafe search.compareEight(candidates.six)
    unsafe search.compareEight(candidates.eight)
    if unsafe search.longest == 8 {
      unsafe search.extendLast()
      unsafe search.compare(candidates.sixteen, prefix: 16)
      unsafe search.compare(candidates.longest, prefix: 32)
    }
    unsafe search.offer(rest.length, rest.distance)
    self.rest[0] = unsafe search.restOfLongest
    return unsafe search.found
  }

  @unsafe
  func skip(_ source: UnsafeRawPointer, _ position: Int, count: Int) {
    rest[0] = .none
  }

  /// The numbers of the latest positions with the same prefixes.
  struct Candidates: BitwiseCopyable {
    var three, four, six, eight, sixteen, longest: UInt32

    static let none = Candidates(three: 0, four: 0, six: 0, eight: 0, sixteen: 0, longest: 0)
  }

  /// Enters a position and returns the previous positions of its slots.
  @unsafe @inline(__always)
  private func exchange(_ here: UnsafeRawPointer, _ position: Int) -> Candidates {
    let number = UInt32(truncatingIfNeeded: position) &+ Self.first
    let word = unsafe here.loadUnaligned(as: UInt64.self).littleEndian
    let second = unsafe here.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
    let third = unsafe here.loadUnaligned(fromByteOffset: 16, as: UInt64.self).littleEndian
    let fourth = unsafe here.loadUnaligned(fromByteOffset: 24, as: UInt64.self).littleEndian
    let mixed = word &* 0x9FB2_1C65_1E98_DF25
    let sixteen = (mixed ^ (mixed &>> 31) ^ second) &* 0xC2B2_AE3D_27D4_EB4F
    let longest = sixteen ^ (sixteen &>> 29) ^ third ^ (fourth &* 0x9E37_79B9_7F4A_7C15)
    return unsafe Candidates(
      three: exchange(threes.base, 14, word &<< 40, number),
      four: exchange(fours.base, 16, word &<< 32, number),
      six: exchange(sixes.base, 16, word &<< 16, number),
      eight: exchange(eights.base, 16, word, number),
      sixteen: exchange(sixteens.base, 15, sixteen, number),
      longest: exchange(self.longest.base, 15, longest, number))
  }

  /// Enters a number for a prefix and returns the previous number.
  @unsafe @inline(__always)
  private func exchange(
    _ table: UnsafeMutablePointer<UInt32>, _ bits: UInt64, _ prefix: UInt64, _ number: UInt32
  ) -> UInt32 {
    let hash = prefix &* 0xCF1B_BCDC_B7A5_6463
    let slot = unsafe table + Int(truncatingIfNeeded: hash &>> (64 &- bits))
    let old = unsafe slot.pointee
    unsafe slot.pointee = number
    return old
  }

  /// The matches of one position; candidates with shorter prefixes are compared first.
  @unsafe
  private struct Search {
    private let here: UnsafeRawPointer
    private let word: UInt64
    private let number: UInt32
    private let limit: Int
    private let target: UnsafeMutablePointer<FoundMatch>
    private(set) var longest = 2
    private(set) var found = 0
    private var distance: UInt32 = 0

    @inline(__always)
    init(
      _ here: UnsafeRawPointer, _ position: Int, limit: Int,
      _ target: UnsafeMutablePointer<FoundMatch>
    ) {
      unsafe self.here = here
      unsafe word = here.loadUnaligned(as: UInt64.self).littleEndian
      unsafe number = UInt32(truncatingIfNeeded: position) &+ HashLadder.first
      unsafe self.limit = min(limit, Format.maximumMatch)
      unsafe self.target = target
    }

    /// The rest of the longest match at the next position.
    var restOfLongest: FoundMatch {
      unsafe found > 0
        ? FoundMatch(length: longest &- 1, distance: distance) : .none
    }

    /// Compares the first eight bytes of a candidate, without a branch: most results cannot be
    /// predicted.
    @inline(__always)
    mutating func compareEight(_ candidate: UInt32) {
      let named = unsafe number &- candidate
      let isPresent = named <= UInt32(Format.maximumDistance)
      let distance = isPresent ? named : 0
      let other = unsafe (here - Int(distance)).loadUnaligned(as: UInt64.self).littleEndian
      let equal = unsafe (word ^ other).trailingZeroBitCount &>> 3
      unsafe offer(isPresent ? equal : 0, distance)
    }

    /// Compares a candidate, unless a match of that length was found: it would be the same one.
    @inline(__always)
    mutating func compare(_ candidate: UInt32, prefix: Int) {
      let distance = unsafe number &- candidate
      guard unsafe prefix > longest, distance <= UInt32(Format.maximumDistance) else { return }
      unsafe offer(MatchLength.of(here, here - Int(distance), limit: limit), distance)
    }

    /// Compares a candidate if the byte after the longest match is also equal.
    @inline(__always)
    mutating func compareLonger(_ candidate: UInt32) {
      let distance = unsafe number &- candidate
      guard distance <= UInt32(Format.maximumDistance), unsafe longest < limit else { return }
      let there = unsafe here - Int(distance)
      guard
        unsafe here.load(fromByteOffset: longest, as: UInt8.self)
          == there.load(fromByteOffset: longest, as: UInt8.self)
      else { return }
      unsafe offer(MatchLength.of(here, there, limit: limit), distance)
    }

    /// Adds a match if it is longer than the others; replaces the last one if that is a part of it.
    @inline(__always)
    mutating func offer(_ length: Int, _ distance: UInt32) {
      let isLonger = unsafe length > longest
      let place = unsafe isLonger && distance == self.distance ? found &- 1 : found
      unsafe target[place] = FoundMatch(length: length, distance: distance)
      unsafe found = isLonger ? place &+ 1 : found
      unsafe longest = isLonger ? length : longest
      unsafe self.distance = isLonger ? distance : self.distance
    }

    /// Finds the whole length of the last match, of which eight bytes were compared.
    @inline(__always)
    mutating func extendLast() {
      unsafe longest = MatchLength.of(here, here - Int(distance), limit: limit)
      unsafe target[found &- 1] = FoundMatch(length: longest, distance: distance)
    }
  }
}
