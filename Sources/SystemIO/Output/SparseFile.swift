import Glibc

/// A new file, written from its beginning to its end, in which long runs of zeros become holes:
/// they read as zeros and take no space on the disk.
package struct SparseFile: ~Copyable {
  /// What becomes a hole: this many zeros, at a place that is a multiple of this size.
  package static let cellSize: UInt64 = 64 << 10
  /// After this many bytes the disk begins to write, so that less is left to wait for in the end.
  private static let stride: UInt64 = 8 << 20

  private let file: FileDescriptor
  /// The size of the file so far.
  private var size: UInt64 = 0
  /// Where the last bytes end that are not in a hole.
  private var written: UInt64 = 0
  /// Up to where the disk was told to begin.
  private var begun: UInt64 = 0

  /// Writes to an empty file.
  package init(_ file: consuming FileDescriptor) { self.file = file }

  /// Appends the bytes.
  package mutating func write(_ bytes: RawSpan) throws(Failure) {
    let start = size
    var dirty = 0
    var done = 0
    while done < bytes.byteCount {
      let place = start + UInt64(done)
      let end = min(bytes.byteCount, done + Int(Self.cellSize - place % Self.cellSize))
      if bytes.extracting(done..<end).isZero {
        try writeThrough(bytes.extracting(dirty..<done), at: start + UInt64(dirty))
        dirty = end
      }
      done = end
    }
    try writeThrough(bytes.extracting(dirty..<done), at: start + UInt64(dirty))
    size = start + UInt64(done)
    // A hole at the end comes into being when the file is made that long.
    if written < size { try file.truncate(to: size) }
    if size - begun >= Self.stride {
      file.startWriting(begun, count: size - begun)
      begun = size
    }
  }

  private mutating func writeThrough(_ bytes: RawSpan, at place: UInt64) throws(Failure) {
    guard bytes.byteCount > 0 else { return }
    if place != written { try file.seek(to: place) }
    try file.write(bytes)
    written = place + UInt64(bytes.byteCount)
  }

  /// Returns the file, with everything in it.
  package consuming func finish() -> FileDescriptor { file }
}
