import Glibc

/// A file that is written sequentially in large pieces and published atomically.
///
/// One thread writes a piece while the caller fills the next one; a file that is shorter than a
/// piece needs no thread. Pieces bypass the page cache if the file system allows that. An archive
/// is synced before it gets its name, so the cache has no benefit, and for gigabytes the copy into
/// the cache takes most of the time. The last bytes, fewer than a piece, use the cache.
package struct SequentialFile: ~Copyable {
  /// The file and the piece before the one that is being filled; nil while that piece is written.
  private var writing: PieceWriting?
  /// The failure of a write; the file cannot be completed after it.
  private var failure: Failure?
  /// The bytes that are written next.
  private var piece: ByteBuffer
  private var thread: WorkRing<PieceWriting, Void>?

  package static let pieceSize = 2 << 20

  /// Begins to write an empty file.
  package init(_ file: consuming AtomicFile) throws(Failure) {
    piece = try ByteBuffer(capacity: Self.pieceSize)
    writing = PieceWriting(file)
  }

  /// Appends the bytes.
  package mutating func write(_ bytes: RawSpan) throws(Failure) {
    var start = 0
    while start < bytes.byteCount {
      start += piece.append(bytes.extracting(start..<bytes.byteCount))
      if piece.freeCapacity == 0 { try startWriting() }
    }
  }

  /// Writes the remaining bytes; the file is then complete, but has no name yet.
  package consuming func complete() throws(Failure) -> AtomicFile {
    var last = try takeWritten()
    last.leaveDirect()
    last.piece = exchange(&piece, with: ByteBuffer())
    last.write()
    if let failure = last.failure { throw failure }
    return last.file
  }

  /// Waits for the piece before, and gives this one to the thread.
  private mutating func startWriting() throws(Failure) {
    var next = try takeWritten()
    next.enterDirect()
    swap(&next.piece, &piece)
    try piece.reserve(Self.pieceSize)
    if thread == nil {
      thread = try WorkRing(window: 1, threads: 2, makeWorker: {}) { _, next in next.write() }
    }
    thread?.give(next)
  }

  /// Waits until the piece before is written, and returns the file; throws if a write failed.
  private mutating func takeWritten() throws(Failure) -> PieceWriting {
    if let failure { throw failure }
    guard let written = writing.take() ?? thread?.takeOldest() else {
      throw Failure(.interrupted)
    }
    failure = written.failure
    if let failure { throw failure }
    return written
  }
}

/// A file and the next piece of it, which one thread has at a time.
private struct PieceWriting: ~Copyable {
  let file: AtomicFile
  /// The bytes to write; their memory begins at a page and has a whole number of pages.
  var piece = ByteBuffer()
  private(set) var failure: Failure?
  /// The number of bytes that were written before this piece.
  private var written: UInt64 = 0
  private var way = Way.unknown

  private enum Way {
    /// No whole piece has been written yet.
    case unknown
    case pastCache, throughCache
  }

  private static let pageSize = 4096

  init(_ file: consuming AtomicFile) { self.file = file }

  /// Writes the piece, and discards its bytes; a failure is stored.
  mutating func write() {
    do throws(Failure) {
      try writePiece()
    } catch {
      failure = error
    }
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

  /// Bypasses the page cache from the first whole piece on, if the file system allows that.
  mutating func enterDirect() {
    if way == .unknown { way = file.descriptor.setDirect(true) ? .pastCache : .throughCache }
  }

  /// Switches to the page cache, which accepts any number of bytes.
  mutating func leaveDirect() {
    guard way == .pastCache else { return }
    _ = file.descriptor.setDirect(false)
    way = .throughCache
  }
}
