/// Copies that read and write more bytes than requested, in steps of 16.
///
/// The caller ensures that there is room, and specifies it: `readable` bytes from the source on,
/// `writable` bytes from the target on. A debug build checks that; an optimised build does not even
/// compute it.
enum WideCopy {
  /// The maximum number of bytes after the last byte that a copy may read and write.
  static let slack = 32

  /// Copies `count` bytes that do not overlap, and up to 16 more.
  @unsafe @inline(__always)
  static func literals(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int,
    readable: @autoclosure () -> Int, writable: @autoclosure () -> Int
  ) {
    assert(count >= 0 && count + 16 <= readable(), "a copy reads beyond its source")
    assert(count + 16 <= writable(), "a copy writes beyond its target")
    unsafe copySteps(source, target, count)
  }

  /// Copies the bytes, after the bounds were checked.
  @unsafe @inline(__always)
  private static func copySteps(
    _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int
  ) {
    unsafe copy16(source, target)
    var done = 16
    while done < count {
      unsafe copy16(source + done, target + done)
      done &+= 16
    }
  }

  /// Repeats the bytes from `distance` bytes before: `count` bytes and up to 31 more.
  ///
  /// `history` bytes precede the target.
  @unsafe @inline(__always)
  static func match(
    _ target: UnsafeMutableRawPointer, distance: Int, count: Int,
    history: @autoclosure () -> Int, writable: @autoclosure () -> Int
  ) {
    assert(distance > 0 && distance <= history(), "a match reads before the output")
    assert(count >= 0 && count + slack <= writable(), "a match writes beyond the output")
    if distance >= 16 {
      let source = unsafe UnsafeRawPointer(target - distance)
      unsafe copySteps(source, target, count)
    } else {
      unsafe period(target, distance: distance, count: count)
    }
  }

  /// Copies a match that overlaps its own result.
  ///
  /// After 16 single bytes, the source is moved back by whole periods, until it is at least 16
  /// bytes away.
  @unsafe
  private static func period(_ target: UnsafeMutableRawPointer, distance: Int, count: Int) {
    let source = unsafe UnsafeRawPointer(target - distance)
    for index in 0..<16 {
      unsafe target.storeBytes(
        of: source.load(fromByteOffset: index, as: UInt8.self),
        toByteOffset: index, as: UInt8.self)
    }
    let whole = (15 &+ distance) / distance &* distance
    var done = 16
    while done < count {
      unsafe copy16(UnsafeRawPointer(target + done - whole), target + done)
      done &+= 16
    }
  }

  /// Copies byte by byte and exactly, even if source and target overlap.
  @unsafe @inline(__always)
  static func exact(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int,
    readable: @autoclosure () -> Int, writable: @autoclosure () -> Int
  ) {
    assert(count <= readable(), "a copy reads beyond its source")
    assert(count <= writable(), "a copy writes beyond its target")
    unsafe copyBytes(source, target, count)
  }

  @unsafe
  private static func copyBytes(
    _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int
  ) {
    for index in 0..<count {
      unsafe target.storeBytes(
        of: source.load(fromByteOffset: index, as: UInt8.self),
        toByteOffset: index, as: UInt8.self)
    }
  }

  @unsafe @inline(__always)
  private static func copy16(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) {
    let bytes = unsafe source.loadUnaligned(as: SIMD2<UInt64>.self)
    unsafe target.storeBytes(of: bytes, as: SIMD2<UInt64>.self)
  }
}
