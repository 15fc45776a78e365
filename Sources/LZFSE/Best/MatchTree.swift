/// Finds, for each position, the nearest match of every length.
///
/// There is one binary tree for each hash of four bytes. It contains the positions in the window
/// with that hash, sorted by the bytes that follow them.
///
/// Memory: 2 MiB for the trees, 0.75 MiB for their roots.
struct MatchTree: ~Copyable {
  /// One more than the longest distance, rounded up to a power of two.
  private static let window = 1 << 18
  private static let rootBits: UInt32 = 17
  private static let nearBits: UInt32 = 16
  /// The number of the first byte of the input.
  ///
  /// The number 0 represents no position: the distance from it to every position exceeds the
  /// maximum.
  private static let first = UInt32(Format.maximumDistance + 1)

  /// The trees do not compare beyond this length.
  let niceLength: Int
  let depth: Int
  private let roots = Storage<UInt32>(count: 1 << Int(Self.rootBits), filledWith: 0)
  private let near = Storage<UInt32>(count: 1 << Int(Self.nearBits), filledWith: 0)
  private let sons = Storage<UInt32>(count: 2 * Self.window, filledWith: 0)

  init(niceLength: Int, depth: Int) {
    self.niceLength = niceLength
    self.depth = depth
  }

  /// Removes all positions, for a new input.
  func clear() {
    unsafe roots.base.update(repeating: 0, count: roots.count)
    unsafe near.base.update(repeating: 0, count: near.count)
  }

  /// Enters a position and writes its matches, the longest last; returns their number.
  ///
  /// There must be at least eight bytes between the position and `count`; `target` has room for
  /// `maximum` matches.
  @unsafe
  func find(
    _ source: UnsafeRawPointer, _ position: Int, count: Int, maximum: Int,
    into target: UnsafeMutablePointer<FoundMatch>
  ) -> Int {
    assert(position >= 0 && position + 8 <= count && maximum > 0)
    let here = unsafe source + position
    let number = UInt32(truncatingIfNeeded: position) &+ Self.first
    let word = unsafe here.loadUnaligned(as: UInt32.self).littleEndian
    var found = 0
    var longest = 2

    let nearSlot = Int(((word &<< 8) &* 0x9E37_79B1) &>> (32 &- Self.nearBits))
    let nearDistance = number &- near[nearSlot]
    near[nearSlot] = number
    let limit = min(count &- position, niceLength)
    if nearDistance <= UInt32(Format.maximumDistance) {
      assert(nearDistance > 0 && Int(nearDistance) <= position)
      let length = unsafe MatchLength.of(here, here - Int(nearDistance), limit: limit)
      if length > longest {
        longest = length
        unsafe target[found] = FoundMatch(length: UInt32(length), distance: nearDistance)
        found &+= 1
      }
    }

    let rootSlot = Int((word &* 0x9E37_79B1) &>> (32 &- Self.rootBits))
    var current = roots[rootSlot]
    roots[rootSlot] = number
    let trees = unsafe sons.base
    let mask = Self.window &- 1
    var smaller = 2 &* (position & mask)
    var larger = smaller &+ 1
    var smallerLength = 0
    var largerLength = 0
    var left = depth
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
      let there = unsafe here - Int(distance)
      let agreed = min(smallerLength, largerLength)
      let length =
        unsafe agreed &+ MatchLength.of(here + agreed, there + agreed, limit: limit &- agreed)
      if length > longest {
        longest = length
        if found < maximum {
          unsafe target[found] = FoundMatch(length: UInt32(length), distance: distance)
          found &+= 1
        } else {
          unsafe target[found &- 1] = FoundMatch(length: UInt32(length), distance: distance)
        }
      }
      if length >= limit {
        unsafe trees[sons.checked(smaller)] = trees[sons.checked(pair)]
        unsafe trees[sons.checked(larger)] = trees[sons.checked(pair &+ 1)]
        break
      }
      if unsafe there.load(fromByteOffset: length, as: UInt8.self)
        < here.load(fromByteOffset: length, as: UInt8.self)
      {
        unsafe trees[sons.checked(smaller)] = current
        smaller = pair &+ 1
        current = unsafe trees[sons.checked(smaller)]
        smallerLength = length
      } else {
        unsafe trees[sons.checked(larger)] = current
        larger = pair
        current = unsafe trees[sons.checked(larger)]
        largerLength = length
      }
    }
    // The trees stop comparing at `niceLength`; the full length of the longest match is found here.
    if found > 0, longest == niceLength {
      let last = unsafe target[found &- 1]
      let whole = unsafe MatchLength.of(
        here, here - Int(last.distance),
        limit: min(count &- position, Format.maximumMatch))
      unsafe target[found &- 1].length = UInt32(whole)
    }
    return found
  }
}

struct FoundMatch: BitwiseCopyable {
  var length: UInt32
  var distance: UInt32
}
