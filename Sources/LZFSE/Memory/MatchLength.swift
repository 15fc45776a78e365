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

  /// Returns the number of bytes before a position that equal those before the match, at most
  /// `limit`.
  @unsafe @inline(__always)
  static func before(_ here: UnsafeRawPointer, _ distance: Int, limit: Int) -> Int {
    let there = unsafe here - distance
    var length = 0
    while length < limit,
      unsafe here.load(fromByteOffset: -1 &- length, as: UInt8.self)
        == there.load(fromByteOffset: -1 &- length, as: UInt8.self)
    {
      length &+= 1
    }
    return length
  }
}
