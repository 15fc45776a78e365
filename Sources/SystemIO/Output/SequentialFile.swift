import Glibc

/// A destination of sequential bytes.
package protocol ByteSink: ~Copyable {
  /// Appends the bytes.
  mutating func write(_ bytes: RawSpan) throws(Failure)
}

/// A file that is written sequentially in large pieces and published atomically.
///
/// Pieces bypass the page cache if the file system allows that. An archive is synced before it gets
/// its name, so the cache has no benefit, and for gigabytes the copy into the cache takes most of
/// the time. The last bytes, fewer than a piece, use the cache.
package struct SequentialFile: ByteSink, ~Copyable {
  private let file: AtomicFile
  /// The bytes that are written next; their memory begins at a page and has a whole number of
  /// pages.
  private var piece: ByteBuffer
  /// The number of bytes that were written.
  private var written: UInt64 = 0
  private var way = Way.unknown

  private enum Way {
    /// No whole piece has been written yet.
    case unknown
    case pastCache, throughCache
  }

  package static let pieceSize = 4 << 20
  private static let pageSize = 4096

  /// Begins to write an empty file.
  package init(_ file: consuming AtomicFile) throws(Failure) {
    piece = try ByteBuffer(capacity: Self.pieceSize)
    self.file = file
  }

  /// Appends the bytes.
  package mutating func write(_ bytes: RawSpan) throws(Failure) {
    var start = 0
    while start < bytes.byteCount {
      start += piece.append(bytes.extracting(start..<bytes.byteCount))
      guard piece.freeCapacity == 0 else { continue }
      if way == .unknown { way = file.descriptor.setDirect(true) ? .pastCache : .throughCache }
      try writePiece()
    }
  }

  /// Writes the remaining bytes; the file is then complete, but has no name yet.
  package consuming func complete() throws(Failure) -> AtomicFile {
    leaveDirect()
    try writePiece()
    return file
  }

  private mutating func writePiece() throws(Failure) {
    var done = 0
    while done < piece.count {
      do throws(Failure) {
        done += try piece.withBytes { bytes throws(Failure) in
          try file.descriptor.writeOnce(bytes.extracting(done..<bytes.byteCount))
        }
      } catch {
        // Some file systems accept the flag and then reject the write.
        guard error.code == EINVAL, way == .pastCache else { throw error }
        leaveDirect()
      }
      if done % Self.pageSize != 0 { leaveDirect() }
    }
    // With the cache, the system writes this piece to the disk while the next one is filled.
    if way == .throughCache { file.startWriting(written, count: UInt64(piece.count)) }
    written += UInt64(piece.count)
    piece.removeAll()
  }

  /// Switches to the page cache, which accepts any number of bytes.
  private mutating func leaveDirect() {
    guard way == .pastCache else { return }
    _ = file.descriptor.setDirect(false)
    way = .throughCache
  }
}
