/// Copies that write more than was asked for, in 16-byte steps: the caller knows there is room.
enum WideCopy {
  /// How far beyond the last byte a copy may write.
  static let slack = 32

  /// Copies `count` bytes that do not overlap, and up to 16 more.
  @unsafe @inline(__always)
  static func literals(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int
  ) {
    unsafe copy16(source, target)
    var done = 16
    while done < count {
      unsafe copy16(source + done, target + done)
      done &+= 16
    }
  }

  /// Repeats what lies `distance` bytes back, `count` bytes and up to 31 more.
  @unsafe @inline(__always)
  static func match(_ target: UnsafeMutableRawPointer, distance: Int, count: Int) {
    if distance >= 16 {
      let source = unsafe UnsafeRawPointer(target - distance)
      unsafe literals(source, to: target, count: count)
    } else {
      unsafe period(target, distance: distance, count: count)
    }
  }

  /// A match that overlaps its own result: after 16 bytes one by one, the source is moved back by
  /// whole periods until it is 16 bytes away.
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

  /// Copies byte by byte, exactly, whatever overlaps.
  @unsafe
  static func exact(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
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
