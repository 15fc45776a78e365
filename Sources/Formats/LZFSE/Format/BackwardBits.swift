/// Reads a bit string from its end to its start, the order of both payloads of a block.
///
/// The next bits are the highest bits of `window`. `refill` ensures that there are at least 56 of
/// them, without a branch; it may load up to 16 bytes before the string, where the block's header
/// is.
@unsafe
struct BackwardBits {
  private(set) var window: UInt64
  /// The number of bits in `window` that belong to the string.
  private var valid: UInt64
  /// The bytes before this address have not been loaded.
  private var cursor: UnsafeRawPointer
  private let start: UnsafeRawPointer

  /// Fails if the unused bits of the last byte are not zero.
  ///
  /// `spare` specifies the use of the last byte, as in the format: minus the number of its unused
  /// bits, from -7 to 0. At least 32 bytes before `start` can be read.
  @inline(__always)
  init?(start: UnsafeRawPointer, byteCount: Int, spare: Int) {
    assert(byteCount >= 0 && (-7...0).contains(spare))
    let end = unsafe start + byteCount
    let last = unsafe (end - 8).loadUnaligned(as: UInt64.self)
    let unused = UInt64(-spare)
    if byteCount > 0, unused > 0, last >> (64 &- unused) != 0 { return nil }
    unsafe self.start = start
    // The eighth byte counts as not loaded: loading it again has no effect.
    unsafe cursor = end - 7
    unsafe window = last << unused
    unsafe valid = 56 &- unused
  }

  /// Whether a refill loads only bytes of the block.
  var canRefill: Bool {
    @inline(__always) get { unsafe cursor >= start - 8 }
  }

  /// Whether no more bits were read than the string has.
  var isWithinString: Bool { unsafe (cursor - start) * 8 + Int(valid) >= 0 }

  @inline(__always)
  mutating func refill() {
    unsafe assert(canRefill, "a refill below the block")
    unsafe window |= (cursor - 8).loadUnaligned(as: UInt64.self) &>> valid
    unsafe cursor -= Int((63 &- valid) &>> 3)
    unsafe valid |= 56
  }

  /// Returns the `count` bits after the next `skipped` ones, without consuming them; `count` may be
  /// 0.
  @inline(__always)
  func peek(_ count: UInt64, after skipped: UInt64) -> UInt64 {
    assert(count < 64 && skipped < 64)
    return unsafe ((window &<< skipped) &>> 1) &>> (63 &- count)
  }

  /// Returns the window rotated by `count` bits, so that its lowest bits are the last ones of the
  /// next `count` bits; only the lowest six bits of `count` are used.
  @inline(__always)
  func rotated(by count: UInt64) -> UInt64 {
    unsafe window &<< count | window &>> (0 &- count)
  }

  @inline(__always)
  mutating func drop(_ count: UInt64) {
    unsafe window <<= count
    unsafe valid &-= count
  }
}
