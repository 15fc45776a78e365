/// Finds, for each position, the nearest match of every length.
///
/// There is one binary tree for each hash of four bytes. It contains the positions in the window
/// with that hash, sorted by the bytes that follow them.
///
/// Memory: 2 MiB for the trees, 0.75 MiB for their roots.
struct MatchTree: ~Copyable, PositionIndex {
  /// One more than the longest distance, rounded up to a power of two.
  private static let window = 1 << 18
  private static let rootBits: UInt32 = 17
  private static let nearBits: UInt32 = 16
  /// The number of the first byte of the input.
  ///
  /// The number 0 represents no position: the distance from it to every position exceeds the
  /// maximum.
  private static let first = UInt32(Format.maximumDistance + 1)

  /// The maximum number of nodes that are compared with a position.
  private static let depth = 48

  private let roots = Storage<UInt32>(count: 1 << Int(Self.rootBits), filledWith: 0)
  private let near = Storage<UInt32>(count: 1 << Int(Self.nearBits), filledWith: 0)
  private let sons = Storage<UInt32>(count: 2 * Self.window, filledWith: 0)
  private let group = Storage<Candidates>(
    count: MatchFinder.groupSize, filledWith: Candidates(near: 0, root: 0))

  // Not private: Swift 6.3.1 crashes on a private type inside generic storage of another file.
  struct Candidates: BitwiseCopyable {
    var near: UInt32
    var root: UInt32
  }

  /// Removes all positions, for a new input.
  func clear() {
    unsafe roots.base.update(repeating: 0, count: roots.count)
    unsafe near.base.update(repeating: 0, count: near.count)
  }

  static var neededByteCount: Int { 8 }

  @unsafe
  func prepare(_ source: UnsafeRawPointer, from start: Int, to end: Int) {
    for position in start..<end {
      let number = UInt32(truncatingIfNeeded: position) &+ Self.first
      let word = unsafe source.loadUnaligned(fromByteOffset: position, as: UInt32.self)
        .littleEndian
      let nearSlot = Int(((word &<< 8) &* 0x9E37_79B1) &>> (32 &- Self.nearBits))
      let rootSlot = Int((word &* 0x9E37_79B1) &>> (32 &- Self.rootBits))
      let root = roots[rootSlot]
      group[position & (MatchFinder.groupSize &- 1)] = Candidates(near: near[nearSlot], root: root)
      near[nearSlot] = number
      roots[rootSlot] = number
    }
  }

  @unsafe
  func find(
    _ source: UnsafeRawPointer, _ position: Int, count: Int,
    into target: UnsafeMutablePointer<FoundMatch>
  ) -> Int {
    assert(position >= 0 && position + 8 <= count)
    let here = unsafe source + position
    let number = UInt32(truncatingIfNeeded: position) &+ Self.first
    var found = 0
    var longest = 2

    let candidates = group[position & (MatchFinder.groupSize &- 1)]
    let nearDistance = number &- candidates.near
    let limit = min(count &- position, OptimalParser.niceLength)
    if nearDistance <= UInt32(Format.maximumDistance) {
      assert(nearDistance > 0 && Int(nearDistance) <= position)
      let length = unsafe MatchLength.of(here, here - Int(nearDistance), limit: limit)
      if length > longest {
        longest = length
        unsafe target[found] = FoundMatch(length: length, distance: nearDistance)
        found &+= 1
      }
    }

    var current = candidates.root
    let trees = unsafe sons.base
    let mask = Self.window &- 1
    var smaller = 2 &* (position & mask)
    var larger = smaller &+ 1
    var smallerLength = 0
    var largerLength = 0
    var left = Self.depth
    while true {
      let distance = number &- current
      if distance > UInt32(Format.maximumDistance) || left == 0 {
        unsafe trees[sons.checked(smaller)] = 0
        unsafe trees[sons.checked(larger)] = 0
        break
      }
      left &-= 1
      let pair = 2 &* ((position &- Int(distance)) & mask)
      assert(distance > 0 && Int(distance) <= position)
      // Both are loaded before the comparison, which takes as long.
      let lower = unsafe trees[sons.checked(pair)]
      let upper = unsafe trees[sons.checked(pair &+ 1)]
      let there = unsafe here - Int(distance)
      let agreed = min(smallerLength, largerLength)
      let length =
        unsafe agreed &+ MatchLength.of(here + agreed, there + agreed, limit: limit &- agreed)
      if length > longest {
        longest = length
        if found < FoundMatch.maximumCount { found &+= 1 }
        unsafe target[found &- 1] = FoundMatch(length: length, distance: distance)
      }
      if length >= limit {
        unsafe trees[sons.checked(smaller)] = lower
        unsafe trees[sons.checked(larger)] = upper
        break
      }
      // No branch: it could not be predicted.
      let isSmaller =
        unsafe there.load(fromByteOffset: length, as: UInt8.self)
        < here.load(fromByteOffset: length, as: UInt8.self)
      unsafe trees[sons.checked(isSmaller ? smaller : larger)] = current
      smaller = isSmaller ? pair &+ 1 : smaller
      larger = isSmaller ? larger : pair
      smallerLength = isSmaller ? length : smallerLength
      largerLength = isSmaller ? largerLength : length
      current = isSmaller ? upper : lower
    }
    // The trees stop comparing at the nice length; the full length of the longest match is found
    // here.
    if found > 0, longest == OptimalParser.niceLength {
      let last = unsafe target[found &- 1]
      let whole = unsafe MatchLength.of(
        here, here - Int(last.distance),
        limit: min(count &- position, Format.maximumMatch))
      unsafe target[found &- 1] = FoundMatch(length: whole, distance: last.distance)
    }
    return found
  }

  @unsafe
  func skip(_ source: UnsafeRawPointer, _ position: Int, count: Int) {
    let maximum = FoundMatch.maximumCount
    unsafe withUnsafeTemporaryAllocation(of: FoundMatch.self, capacity: maximum) { unused in
      guard let start = unused.baseAddress else { return }
      _ = unsafe find(source, position, count: count, into: start)
    }
  }
}
