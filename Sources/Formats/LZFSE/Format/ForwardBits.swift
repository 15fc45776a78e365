/// Writes a bit string, low bits first.
///
/// Each flush stores eight bytes, so the target needs that much room beyond the string.
@unsafe
struct ForwardBits {
  /// Its highest `count` bits are not stored yet; the others have no meaning.
  private var window: UInt64 = 0
  private var count: UInt64 = 0
  private var cursor: UnsafeMutableRawPointer
  private let start: UnsafeMutableRawPointer
  #if DEBUG
    private let end: UnsafeMutableRawPointer
  #endif

  /// Begins a string at `target`, where `room` bytes may be written; a debug build checks this
  /// limit.
  @inline(__always)
  init(_ target: UnsafeMutableRawPointer, room: @autoclosure () -> Int) {
    unsafe cursor = target
    unsafe start = target
    #if DEBUG
      unsafe end = target + room()
    #endif
  }

  /// Adds the lowest `bitCount` bits of `bits`, and returns the 32 bits above them.
  ///
  /// A rotation moves the added bits to the top of the window and the others to its bottom, where
  /// they are shifted out: so no mask is needed. The bits that are not stored yet and all bits of
  /// `bits` must fit the window together; after a flush, at most seven are not stored.
  @inline(__always) @discardableResult
  mutating func push(_ bits: UInt64, _ bitCount: UInt64) -> UInt32 {
    unsafe assert(count &+ UInt64(64 - bits.leadingZeroBitCount) <= 64 && count &+ bitCount < 64)
    let rotated = bits &>> bitCount | bits &<< (0 &- bitCount)
    unsafe window = window &>> bitCount | rotated
    unsafe count &+= bitCount
    return UInt32(truncatingIfNeeded: rotated)
  }

  @inline(__always)
  mutating func flush() {
    #if DEBUG
      unsafe assert(end - cursor >= 8, "a bit string grows beyond its memory")
    #endif
    // Two shifts, because there may be no bits.
    unsafe cursor.storeBytes(of: (window &>> 1) &>> (63 &- count), as: UInt64.self)
    unsafe cursor += Int(truncatingIfNeeded: count &>> 3)
    unsafe count &= 7
  }

  /// Writes the remaining bits; `spare` is minus the number of unused bits in the last byte.
  mutating func finish() -> (byteCount: Int, spare: Int) {
    unsafe flush()
    let whole = unsafe cursor - start
    return unsafe count == 0 ? (whole, 0) : (whole + 1, Int(count) - 8)
  }
}
