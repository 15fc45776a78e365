/// The part of the caller's output that has not been written yet.
@unsafe
struct OutputCursor {
  var next: UnsafeMutableRawPointer
  let end: UnsafeMutableRawPointer

  var room: Int { unsafe end - next }

  /// Counts bytes that have already been written at `next`.
  mutating func skip(_ count: Int) {
    unsafe assert(count >= 0 && count <= room, "more was written than there is room")
    unsafe next += count
  }

  /// Appends bytes; returns false if there is no room.
  mutating func append(_ bytes: UnsafeRawPointer, count: Int) -> Bool {
    guard unsafe room >= count else { return false }
    unsafe next.copyMemory(from: bytes, byteCount: count)
    unsafe next += count
    return true
  }

  mutating func append(_ number: UInt32) -> Bool {
    guard unsafe room >= 4 else { return false }
    unsafe next.storeBytes(of: number.littleEndian, as: UInt32.self)
    unsafe next += 4
    return true
  }
}
