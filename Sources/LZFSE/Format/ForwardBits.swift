/// Writes a bit string, low bits first.
///
/// Each flush stores eight bytes, so the target needs that much room beyond the string.
@unsafe
struct ForwardBits {
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

  /// Adds the lowest `bitCount` bits of `bits`; its other bits are zero.
  ///
  /// At most 56 bits fit between two flushes.
  @inline(__always)
  mutating func push(_ bits: UInt64, _ bitCount: UInt64) {
    unsafe assert(count &+ bitCount < 64 && bits >> bitCount == 0)
    unsafe window |= bits &<< count
    unsafe count &+= bitCount
  }

  @inline(__always)
  mutating func flush() {
    #if DEBUG
      unsafe assert(end - cursor >= 8, "a bit string grows beyond its memory")
    #endif
    unsafe cursor.storeBytes(of: window, as: UInt64.self)
    unsafe cursor += Int(truncatingIfNeeded: count &>> 3)
    unsafe window &>>= count & 56
    unsafe count &= 7
  }

  /// Writes the remaining bits; `spare` is minus the number of unused bits in the last byte.
  mutating func finish() -> (byteCount: Int, spare: Int) {
    unsafe flush()
    let whole = unsafe cursor - start
    return unsafe count == 0 ? (whole, 0) : (whole + 1, Int(count) - 8)
  }
}
