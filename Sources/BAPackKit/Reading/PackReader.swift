import AssetArchive
import BlockCodecs
package import SystemIO

/// How a pack wraps its entries.
package struct PackContainer: Sendable, Equatable {
  /// How blocks are encoded: `lzfse`, `zlib`, `lzma`, `lz4`, `lzbitmap` or `none`.
  package var compression: String
  /// The decoded size of a block; the last one may be shorter.
  package var blockSize: UInt64
}

/// Reads a pack entry by entry, in bounded memory.
///
/// ```
/// var reader = try PackReader(opening: "Tutorial.aar")
/// while let entry = try reader.nextEntry() {
///   if entry.kind == .file { try reader.readContents { bytes in … } }
/// }
/// ```
/// Contents that are not asked for are skipped, and blocks with nothing else in them are not
/// decoded. The reader checks the format of the archive; whoever writes files has to check that a
/// path is safe.
package struct PackReader: ~Copyable {
  private var reader: ArchiveReader
  /// What ``peekEntry()`` has read; ``nextEntry()`` returns it.
  private var peeked: PackEntry??
  /// The pack's name in messages: its path as it was given.
  package let name: String

  /// The most memory that one block of a pack may take by default: 2 GiB.
  package static let defaultMemory = BlockStreamReader.Parallelism.defaultMemory

  /// Opens a pack; with several threads, blocks are decoded ahead.
  ///
  /// The file is opened once, so the reader always sees the same file. If a block takes more than
  /// `memory` bytes, reading it is an error.
  package init(
    opening path: String, threads: Int = 1, memory: UInt64 = Self.defaultMemory
  ) throws(PackError) {
    try self.init(try ByteSource(opening: path), threads: threads, memory: memory)
  }

  /// Reads a pack from memory.
  package init(
    _ bytes: [UInt8], named name: String, threads: Int = 1, memory: UInt64 = Self.defaultMemory
  ) throws(PackError) {
    try self.init(ByteSource(bytes, name: name), threads: threads, memory: memory)
  }

  /// Reads a pack from any source of bytes.
  package init(
    _ source: consuming ByteSource, threads: Int = 1, memory: UInt64 = Self.defaultMemory
  ) throws(PackError) {
    name = source.name
    try source.checkIsPack()
    let parallelism = BlockStreamReader.Parallelism(threads: threads, memory: memory)
    do throws(Failure) {
      reader = try ArchiveReader(source, parallelism: parallelism)
    } catch {
      throw PackError(error)
    }
  }

  /// How the entries are wrapped; nil for an archive without a container.
  package var container: PackContainer? {
    reader.container.map {
      PackContainer(
        compression: $0.algorithm == .stored ? "none" : "\($0.algorithm)", blockSize: $0.blockSize)
    }
  }

  /// The size of the file.
  package var fileSize: UInt64 { reader.fileSize }

  /// Where a short block is followed by others, among those read so far.
  var shortInnerBlock: UInt64? { reader.shortInnerBlock }

  /// Where the next byte is in the decoded stream.
  package var streamOffset: UInt64 { reader.place.streamOffset ?? 0 }

  /// The next entry; nil at the end of the pack.
  package mutating func nextEntry() throws(PackError) -> PackEntry? {
    if let peeked = peeked.take() { return peeked }
    return try mapFailure(.reading) { () throws(Failure) in
      try reader.nextEntry().map(PackEntry.init)
    }
  }

  /// The entry that ``nextEntry()`` will return; the contents of the current entry can no longer be
  /// read.
  mutating func peekEntry() throws(PackError) -> PackEntry? {
    let next = try nextEntry()
    peeked = .some(next)
    return next
  }

  /// Passes the contents of the current entry to `body`, piece by piece.
  package mutating func readContents(
    _ body: (RawSpan) throws(PackError) -> Void
  ) throws(PackError) {
    while true {
      let chunk = try mapFailure(.reading) { () throws(Failure) in try reader.nextChunk() }
      guard let chunk else { return }
      if chunk.key == .data { try reader.withChunk(body) }
    }
  }

  /// The contents of the current entry; nil if they have more than `limit` bytes.
  package mutating func contents(
    of entry: PackEntry, atMost limit: Int
  ) throws(PackError) -> [UInt8]? {
    guard let size = entry.size, size <= UInt64(limit) else { return nil }
    var bytes: [UInt8] = []
    try readContents { bytes.append(copying: $0) }
    return bytes
  }

  /// The headers of all blocks of the same open file; the place in the pack does not change.
  var blockHeaders: BlockHeaders { reader.blockHeaders }

  /// The decoded size of all blocks, from their headers.
  ///
  /// It throws if the file ends inside a block; nothing is decoded for that.
  func decodedSize() throws(PackError) -> UInt64 {
    try mapFailure(.reading) { () throws(Failure) in
      var blocks = blockHeaders
      while try blocks.next() != nil {}
      return blocks.decodedSize
    }
  }

  /// Goes back to the first entry.
  package mutating func restart() throws(PackError) {
    peeked = nil
    try mapFailure(.reading) { () throws(Failure) in try reader.seek(to: 0) }
  }
}

extension ByteSource {
  /// Opens a file that can be read at any place.
  package init(opening path: String) throws(PackError) {
    self = try mapFailure(.reading) { () throws(Failure) in
      try ByteSource(try FileDescriptor.open(path, for: .reading))
    }
  }

  /// A second source of the same bytes, even if the file's name means another file by now.
  package borrowing func second() throws(PackError) -> ByteSource {
    do throws(Failure) {
      return try duplicate()
    } catch {
      throw PackError(error, while: .reading)
    }
  }
}

extension PackReader {
  /// Whether a file that begins so is an asset pack, or another archive of the same format.
  package static func isPack(_ start: [UInt8]) -> Bool { FileForm(start) == .pack }
}

extension ByteSource {
  /// Throws if this is not a pack; the error says what it is instead.
  func checkIsPack() throws(PackError) {
    let form = try mapFailure(.reading) { () throws(Failure) in
      // A pack needs no further look.
      let few = FileForm(try read(at: 0, count: 4))
      return few == .pack ? few : FileForm(try read(at: 0, count: FileForm.startSize))
    }
    if let refusal = form.refusal(asPack: name) { throw refusal }
  }
}
