import Glibc

/// A new file, written sequentially, in which long runs of zeros become holes: they read as zeros
/// and use no space on the disk.
package struct SparseFile: ~Copyable {
  /// The size and the alignment of a cell in bytes; a cell of zeros becomes a hole.
  package static let cellSize: UInt64 = 64 << 10
  /// The number of bytes after which writing to the disk starts, so that the final wait is shorter.
  private static let stride: UInt64 = 8 << 20

  private let file: FileDescriptor
  /// The current size of the file.
  private var size: UInt64 = 0
  /// The end of the last bytes that are not in a hole.
  private var written: UInt64 = 0
  /// The end of the bytes that are being written to the disk.
  private var begun: UInt64 = 0

  /// Creates a value that writes to an empty file.
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
    // A hole at the end is created by setting the length of the file.
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

  /// Returns the file, complete.
  package consuming func finish() -> FileDescriptor { file }
}
