package import SystemIO

/// Reads an archive entry by entry, in bounded memory, with any container.
///
/// ```
/// var reader = try ArchiveReader(ByteSource(file))
/// while let entry = try reader.nextEntry() {
///   while let chunk = try reader.nextChunk() {
///     reader.withChunk { bytes in … }   // the bytes of `chunk.key`, from `chunk.offset` on
///   }
/// }
/// ```
///
/// Data that the caller does not read are skipped, and blocks that are skipped whole are not
/// decoded. The reader checks the format, and whether each path is valid; a ``StoredPath`` has the
/// result.
package struct ArchiveReader: ~Copyable {
  /// An entry, and where it is.
  package struct Entry: Sendable {
    package var header: StoredHeader
    /// The offset of its header in the decoded stream, for ``ArchiveReader/seek(to:)``.
    package var offset: UInt64
    /// The position of its header in the file, for messages.
    package var place: Failure.Place
  }

  /// A piece of a blob within one decoded block.
  package struct Chunk: Sendable {
    /// The key of the blob.
    package var key: FieldKey
    /// The offset of the piece in the blob.
    package var offset: UInt64
    package var count: Int
  }

  private var stream: BlockStreamReader
  /// The current entry's blobs that are not fully read, and how much of the first one was read.
  private var blobs = StoredHeader.Blobs()
  private var blobOffset: UInt64 = 0
  /// The number of available bytes in the current chunk.
  private var chunkSize = 0

  package init(
    _ source: consuming ByteSource, parallelism: BlockStreamReader.Parallelism = .none
  ) throws(Failure) {
    stream = try BlockStreamReader(source, parallelism: parallelism)
  }

  /// The header of the container; nil for an archive without a container.
  package var container: ContainerHeader? { stream.container }

  /// The size of the file in bytes.
  package var fileSize: UInt64 { stream.fileSize }

  /// The headers of all blocks of the file; the place in the archive does not change.
  package var blockHeaders: BlockHeaders { stream.blockHeaders }

  /// The place of the next byte, for messages; after the last entry, the end of the archive.
  package var place: Failure.Place { stream.place }

  /// The file offset of a short block with others after it, among the blocks that were read.
  ///
  /// Apple's sequential reader accepts such blocks; the reader with random access rejects them.
  package var shortInnerBlock: UInt64? { stream.shortInnerBlock }

  /// Returns the next entry; nil at the end of the archive.
  package mutating func nextEntry() throws(Failure) -> Entry? {
    try skipData()
    guard try stream.available() > 0 else { return nil }
    let place = stream.place
    let offset = stream.position
    let bytes = try headerBytes(at: place)
    let header = try explaining({ stream.naming($0) }) { () throws(Failure) in
      try StoredHeader(decoding: bytes, at: place)
    }
    blobs = header.fields.blobs
    return Entry(header: header, offset: offset, place: place)
  }

  /// Returns all bytes of the next header, which starts at `place`.
  private mutating func headerBytes(at place: Failure.Place) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    // Enough for most headers, so that they are allocated once.
    bytes.reserveCapacity(160)
    try stream.take(EntryHeader.prefixSize, appendingTo: &bytes)
    guard bytes.count == EntryHeader.prefixSize else {
      throw stream.malformed("\(bytes.count) bytes follow the last entry", at: place)
    }
    let length = try explaining({ stream.naming($0) }) { () throws(Failure) in
      try StoredHeader.length(prefix: bytes, at: place)
    }
    try stream.take(length - bytes.count, appendingTo: &bytes)
    guard bytes.count == length else {
      throw stream.malformed("the archive ends inside an entry's header", at: place)
    }
    return bytes
  }

  /// Returns the next piece of the current entry's blobs; nil when all have been read.
  package mutating func nextChunk() throws(Failure) -> Chunk? {
    passChunk()
    while let blob = blobs.first, blob.size == blobOffset { passBlob() }
    guard let blob = blobs.first else { return nil }
    let ready = try stream.available()
    guard ready > 0 else { throw endsInside(blob.key) }
    chunkSize = Int(min(UInt64(ready), blob.size - blobOffset))
    return Chunk(key: blob.key, offset: blobOffset, count: chunkSize)
  }

  /// Calls a function with the bytes of the chunk that ``nextChunk()`` returned.
  package func withChunk<Success, Thrown: Error>(
    _ body: (RawSpan) throws(Thrown) -> Success
  ) throws(Thrown) -> Success {
    try stream.withBytes(chunkSize, body)
  }

  /// Skips the rest of the current entry's data.
  package mutating func skipData() throws(Failure) {
    passChunk()
    while let blob = blobs.first {
      let left = blob.size - blobOffset
      guard try stream.skip(left) == left else { throw endsInside(blob.key) }
      passBlob()
    }
  }

  /// Moves to the entry whose header starts at `offset` of the decoded stream.
  package mutating func seek(to offset: UInt64) throws(Failure) {
    chunkSize = 0
    blobs = StoredHeader.Blobs()
    blobOffset = 0
    guard try stream.seek(to: offset) else {
      throw stream.malformed("the archive ends before byte \(offset)", at: stream.place)
    }
  }

  private mutating func passChunk() {
    stream.advance(chunkSize)
    blobOffset += UInt64(chunkSize)
    chunkSize = 0
  }

  private mutating func passBlob() {
    blobs.removeFirst()
    blobOffset = 0
  }

  private func endsInside(_ key: FieldKey) -> Failure {
    stream.malformed("the archive ends inside the \(key) data of an entry", at: stream.place)
  }
}
