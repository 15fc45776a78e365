import AssetArchive
import BlockCodecs
package import SystemIO

/// A reader of a pack, entry by entry, in bounded memory.
///
/// ```
/// var reader = try PackReader(opening: "Tutorial.aar")
/// while let entry = try reader.nextEntry() {
///   if entry.kind == .file { try reader.readContents { bytes in … } }
/// }
/// ```
/// Contents that are not read are skipped, and blocks that contain only such contents are not
/// decoded. The reader checks the format of the archive. Callers that write files must check that a
/// path is safe.
package struct PackReader: ~Copyable {
  private var reader: ArchiveReader
  /// The entry that ``peekEntry()`` has read and ``nextEntry()`` returns.
  private var peeked: PackEntry??
  /// The current entry; nil before the first one.
  private var current: PackEntry?
  /// The pack's name in messages: its path, as specified by the caller.
  package let name: String

  /// The default maximum memory for one block of a pack: 512 MiB.
  package static let defaultMemory = BlockStreamReader.Parallelism.defaultMemory

  /// Opens a pack; with several threads, blocks are decoded ahead.
  ///
  /// The file is opened once, so the reader always reads the same file. Reading a block that needs
  /// more than `memory` bytes is an error.
  package init(
    opening path: String, threads: Int = 1, memory: UInt64 = Self.defaultMemory
  ) throws(PackError) {
    try self.init(try ByteSource(opening: path), threads: threads, memory: memory)
  }

  package init(
    _ bytes: [UInt8], named name: String, threads: Int = 1, memory: UInt64 = Self.defaultMemory
  ) throws(PackError) {
    try self.init(ByteSource(bytes, name: name), threads: threads, memory: memory)
  }

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

  /// The container of the entries; nil for an archive without a container.
  package var container: PackContainer? {
    reader.container.map {
      PackContainer(
        compression: $0.algorithm == .stored ? "none" : "\($0.algorithm)", blockSize: $0.blockSize)
    }
  }

  /// The size of the archive in bytes.
  package var fileSize: UInt64 { reader.fileSize }

  /// The place of a short block that other blocks follow, among the blocks that were read.
  var shortInnerBlock: UInt64? { reader.shortInnerBlock }

  /// The offset of the next byte in the decoded stream.
  package var streamOffset: UInt64 { reader.place.streamOffset ?? 0 }

  /// Returns the next entry; nil at the end of the pack.
  package mutating func nextEntry() throws(PackError) -> PackEntry? {
    current =
      if let peeked = peeked.take() {
        peeked
      } else {
        try mapFailure(.reading) { () throws(Failure) in
          try reader.nextEntry().map(PackEntry.init)
        }
      }
    return current
  }

  /// Returns the entry that ``nextEntry()`` will return.
  ///
  /// The contents of the current entry can no longer be read.
  mutating func peekEntry() throws(PackError) -> PackEntry? {
    let next = try nextEntry()
    peeked = .some(next)
    return next
  }

  /// Passes the contents of the current entry to `body`, in chunks.
  ///
  /// - Throws: ``PackError`` if the contents differ from a size or digest that the entry records.
  package mutating func readContents(
    _ body: (RawSpan) throws(PackError) -> Void
  ) throws(PackError) {
    let path = current?.archivePath.shown ?? ""
    if let fault = try readContentsForFaults(body).first {
      throw PackError(.malformed(offset: nil), reading: name, "the entry '\(path)' \(fault)")
    }
  }

  /// Passes the contents of the current entry to `body`, in chunks; returns descriptions of the
  /// recorded sizes and digests that differ from the contents.
  mutating func readContentsForFaults(
    _ body: (RawSpan) throws(PackError) -> Void
  ) throws(PackError) -> [String] {
    let entry = current
    var recorded = try RecordedDigests(entry?.kind == .file ? entry?.recorded ?? [] : [])
    while true {
      let chunk = try mapFailure(.reading) { () throws(Failure) in try reader.nextChunk() }
      guard let chunk else { return recorded.faults() }
      guard chunk.key == .data else { continue }
      try reader.withChunk { bytes throws(PackError) in
        recorded.update(bytes)
        try body(bytes)
      }
    }
  }

  /// Returns the contents of the current entry; nil if they exceed `limit` bytes.
  package mutating func contents(
    of entry: PackEntry, atMost limit: Int
  ) throws(PackError) -> [UInt8]? {
    guard let size = entry.size, size <= UInt64(limit) else { return nil }
    var bytes: [UInt8] = []
    try readContents { bytes.append(copying: $0) }
    return bytes
  }

  /// The headers of all blocks of the same open file; the position in the pack does not change.
  var blockHeaders: BlockHeaders { reader.blockHeaders }

  /// Returns the decoded size of all blocks, from their headers, without decoding.
  ///
  /// - Throws: ``PackError`` if the file ends inside a block.
  func decodedSize() throws(PackError) -> UInt64 {
    try mapFailure(.reading) { () throws(Failure) in
      var blocks = blockHeaders
      while try blocks.next() != nil {}
      return blocks.decodedSize
    }
  }

  /// Returns to the first entry.
  package mutating func restart() throws(PackError) {
    peeked = nil
    current = nil
    try mapFailure(.reading) { () throws(Failure) in try reader.seek(to: 0) }
  }
}

extension ByteSource {
  /// Opens a file that supports reads at any offset.
  package init(opening path: String) throws(PackError) {
    self = try mapFailure(.reading) { () throws(Failure) in
      try ByteSource(try FileDescriptor.open(path, for: .reading))
    }
  }

  /// Returns a second source of the same bytes, even if the file was replaced.
  package borrowing func second() throws(PackError) -> ByteSource {
    do throws(Failure) {
      return try duplicate()
    } catch {
      throw PackError(error, while: .reading)
    }
  }
}

extension PackReader {
  /// Whether a file with this start is an asset pack, or another archive of the same format.
  package static func isPack(_ start: [UInt8]) -> Bool { FileFormat(start) == .pack }
}

extension ByteSource {
  /// Throws if the file is not a pack, with the actual format in the error.
  func checkIsPack() throws(PackError) {
    let form = try mapFailure(.reading) { () throws(Failure) in
      // For a pack, four bytes are sufficient.
      let few = FileFormat(try read(at: 0, count: 4))
      return few == .pack ? few : FileFormat(try read(at: 0, count: FileFormat.startSize))
    }
    if let refusal = form.refusal(asPack: name) { throw refusal }
  }
}
