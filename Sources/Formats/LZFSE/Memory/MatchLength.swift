/// Functions that count equal bytes at two positions of the input.
enum MatchLength {
  /// Compares eight bytes at a time; reads no byte at or beyond `limit`.
  @unsafe @inline(__always)
  static func of(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, limit: Int) -> Int {
    var length = 0
    while length &+ 8 <= limit {
      let one = unsafe left.loadUnaligned(fromByteOffset: length, as: UInt64.self)
      let other = unsafe right.loadUnaligned(fromByteOffset: length, as: UInt64.self)
      let difference = (one ^ other).littleEndian
      if difference != 0 { return length &+ difference.trailingZeroBitCount &>> 3 }
      length &+= 8
    }
    while length < limit,
      unsafe left.load(fromByteOffset: length, as: UInt8.self)
        == right.load(fromByteOffset: length, as: UInt8.self)
    {
      length &+= 1
    }
    return length
  }

  /// Returns the number of equal bytes, where `difference` is that of the first eight.
  ///
  /// The first 16 bytes need no branch, because most matches are shorter; they are below `limit`.
  @unsafe @inline(__always)
  static func of(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, difference: UInt64, limit: Int
  ) -> Int {
    assert(limit >= 16)
    let one = unsafe left.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    let other = unsafe right.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    let first = difference.trailingZeroBitCount &>> 3
    let second = (one ^ other).littleEndian.trailingZeroBitCount &>> 3
    // The mask has all bits only if the first eight bytes are equal.
    let length = first &+ second & (0 &- first &>> 3)
    guard length == 16 else { return length }
    return unsafe 16 &+ of(left + 16, right + 16, limit: limit &- 16)
  }

  /// Returns the number of bytes before a position that equal those before the match, at most
  /// `limit`.
  ///
  /// The input has at least `history` bytes before the match. With eight, most results need no
  /// loop.
  @unsafe @inline(__always)
  static func before(
    _ here: UnsafeRawPointer, _ distance: Int, history: Int, limit: Int
  ) -> Int {
    assert(limit <= history)
    let there = unsafe here - distance
    var length = 0
    if history >= 8 {
      let one = unsafe (here - 8).loadUnaligned(as: UInt64.self)
      let other = unsafe (there - 8).loadUnaligned(as: UInt64.self)
      length = min((one ^ other).littleEndian.leadingZeroBitCount &>> 3, limit)
      if length < 8 { return length }
    }
    while length < limit,
      unsafe here.load(fromByteOffset: -1 &- length, as: UInt8.self)
        == there.load(fromByteOffset: -1 &- length, as: UInt8.self)
    {
      length &+= 1
    }
    return length
  }
}
