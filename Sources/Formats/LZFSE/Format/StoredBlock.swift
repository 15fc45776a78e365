/// The stored form, for bytes that cannot be made smaller.
enum StoredBlock {
  static let headerSize = 8

  /// Returns the size of a stream that has only stored blocks.
  static func streamSize(_ count: Int) -> Int {
    max(1, (count + Int(UInt32.max) - 1) / Int(UInt32.max)) * headerSize + count + 4
  }

  /// Writes the block; returns false if there is no room.
  @unsafe
  static func write(
    _ source: UnsafeRawPointer, count: Int, to output: inout OutputCursor
  ) -> Bool {
    unsafe output.append(Magic.stored)
      && output.append(UInt32(truncatingIfNeeded: count))
      && output.append(source, count: count)
  }
}
