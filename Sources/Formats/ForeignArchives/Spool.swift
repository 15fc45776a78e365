import SystemIO

/// Contents that are kept for later, in one temporary file without a name.
struct Spool: ~Copyable {
  /// The position of data in the file.
  struct Stretch { var offset: UInt64, count: UInt64 }

  private var file: TemporaryFile

  init() throws(Failure) {
    file = try TemporaryFile()
  }

  /// Appends bytes at the end.
  mutating func append(_ bytes: RawSpan) throws(Failure) {
    try file.append(bytes)
  }

  /// The offset of the next byte.
  var position: UInt64 { file.size }

  /// Reads from the start of a stretch, and shortens the stretch by the bytes that were read.
  func read(_ stretch: inout Stretch, into output: inout OutputRawSpan) throws(Failure) {
    guard stretch.count > 0, !output.isFull else { return }
    let count = try file.read(
      into: &output, at: stretch.offset, upTo: Int(clamping: stretch.count))
    guard count > 0 else {
      throw .malformed("another process truncated it", "the temporary file")
    }
    stretch.offset += UInt64(count)
    stretch.count -= UInt64(count)
  }
}
