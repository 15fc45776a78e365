import AssetArchive
import BlockCodecs
package import SystemIO

/// How a pack wraps its entries.
public struct PackContainer: Sendable, Equatable {
  /// How blocks are encoded: `lzfse`, `zlib`, `lzma`, `lz4`, `lzbitmap` or `none`.
  public var compression: String
  /// How many bytes a block decodes to; the last one may have fewer.
  public var blockSize: UInt64
}

/// Reads a pack entry by entry, in bounded memory.
///
/// ```
/// var reader = try PackReader(opening: "Tutorial.aar")
/// while let entry = try reader.nextEntry() {
///   if entry.kind == .file { try reader.readContents { bytes in … } }
/// }
/// ```
/// Contents that nobody asks for are skipped, and blocks that hold nothing else are not decoded. The
/// reader checks the form of an archive; whether a path is safe is for whoever writes files.
public struct PackReader: ~Copyable {
  private var reader: ArchiveReader
  /// What ``peekEntry()`` has read, until it is asked for.
  private var peeked: PackEntry??
  /// What messages call the pack: its path as it was given.
  public let name: String

  /// What one block of a pack may take in memory, unless somebody says otherwise: 2 GiB.
  public static let defaultMemory = BlockStreamReader.Parallelism.defaultMemory

  /// Opens a pack; several threads decode ahead of what is asked for.
  ///
  /// The file is opened once: whatever is asked of the reader is about the same file. One block takes
  /// at most `memory` bytes, or reading it is an error.
  public init(
    opening path: String, threads: Int = 1, memory: UInt64 = Self.defaultMemory
  ) throws(PackError) {
    try self.init(try ByteSource(opening: path), threads: threads, memory: memory)
  }

  /// Reads a pack that is in memory.
  public init(
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

  /// How the entries are wrapped; nil for an archive that stands alone.
  public var container: PackContainer? {
    reader.container.map {
      PackContainer(
        compression: $0.algorithm == .stored ? "none" : "\($0.algorithm)", blockSize: $0.blockSize)
    }
  }

  /// How many bytes the file has.
  public var fileSize: UInt64 { reader.fileSize }

  /// Where a block that is not full has others behind it, as far as was read.
  var shortInnerBlock: UInt64? { reader.shortInnerBlock }

  /// Where the next byte is in what the blocks decode to.
  var streamOffset: UInt64 { reader.place.streamOffset ?? 0 }

  /// The next entry; nil at the end of the pack.
  public mutating func nextEntry() throws(PackError) -> PackEntry? {
    if let peeked = peeked.take() { return peeked }
    return try during(.reading) { () throws(Failure) in
      try reader.nextEntry().map(PackEntry.init)
    }
  }

  /// What ``nextEntry()`` will give; the contents of the present entry are over.
  mutating func peekEntry() throws(PackError) -> PackEntry? {
    let next = try nextEntry()
    peeked = .some(next)
    return next
  }

  /// Lends the contents of the present entry, piece by piece.
  public mutating func readContents(
    _ body: (RawSpan) throws(PackError) -> Void
  ) throws(PackError) {
    while true {
      let chunk = try during(.reading) { () throws(Failure) in try reader.nextChunk() }
      guard let chunk else { return }
      if chunk.key == .data { try reader.withChunk(body) }
    }
  }

  /// The contents of the present entry; nil when they have more than `limit` bytes.
  public mutating func contents(
    of entry: PackEntry, atMost limit: Int
  ) throws(PackError) -> [UInt8]? {
    guard let size = entry.size, size <= UInt64(limit) else { return nil }
    var bytes: [UInt8] = []
    try readContents { bytes.append(copying: $0) }
    return bytes
  }

  /// The headers of all blocks, of the same open file, without moving in it.
  var blockHeaders: BlockHeaders { reader.blockHeaders }

  /// What all blocks decode to together, by their headers.
  ///
  /// A file that ends inside a block is found out at once, without decoding anything.
  func decodedSize() throws(PackError) -> UInt64 {
    try during(.reading) { () throws(Failure) in
      var blocks = blockHeaders
      while try blocks.next() != nil {}
      return blocks.decodedSize
    }
  }

  /// Goes back to the first entry.
  public mutating func restart() throws(PackError) {
    peeked = nil
    try during(.reading) { () throws(Failure) in try reader.seek(to: 0) }
  }
}

extension ByteSource {
  /// Opens a file to be read at any place.
  init(opening path: String) throws(PackError) {
    self = try during(.reading) { () throws(Failure) in
      try ByteSource(try FileDescriptor.open(path, for: .reading))
    }
  }
}
