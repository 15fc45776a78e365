import AssetArchive
import SystemIO

/// The container of a pack's entries.
public struct PackContainer: Sendable, Equatable {
  /// The compression of the blocks: `lzfse`, `zlib`, `lzma`, `lz4`, `lzbitmap` or `none`.
  public var compression: String
  /// The decoded size of a block in bytes; the last block may be shorter.
  public var blockSize: UInt64
}

/// The contents of a pack and its compression.
public struct PackInspection: Sendable {
  /// The blocks of a container.
  public struct Blocks: Sendable, Equatable {
    /// The number of blocks.
    public var count = 0
    /// The number of compressed blocks; the others are stored.
    public var compressed = 0
    /// The decoded size of all blocks, in bytes.
    public var decodedSize: UInt64 = 0
    /// The size of all blocks in the file in bytes, without their headers.
    public var storedSize: UInt64 = 0
  }

  /// The files with the same suffix.
  public struct Group: Sendable, Equatable {
    /// The suffix in lower case, for example `.png`.
    ///
    /// It is empty for names without a suffix, or with a suffix of more than 32 bytes.
    public var suffix: String
    /// The number of files.
    public var fileCount = 0
    /// The total size of the files, in bytes.
    public var size: UInt64 = 0
    /// Their share of the archive in bytes; shared blocks are divided by size.
    public var storedSize: UInt64 = 0
    /// The number of their bytes in blocks that are not compressed.
    public var uncompressedSize: UInt64 = 0
    /// The number of their bytes in blocks with files of other groups.
    ///
    /// A block is compressed as a whole, so the compression of these bytes is unknown.
    public var sharedSize: UInt64 = 0

    /// Whether most of their bytes are in blocks with files of other groups.
    public var isInSharedBlocks: Bool { sharedSize > size / 2 }
  }

  /// The groups of files in one block, with their bytes in it.
  private struct BlockKinds {
    var block: UInt64
    var sizes: [String: UInt64]

    /// Adds the bytes of each group if the block contains several groups.
    func note(in groups: inout [String: Group]) {
      guard sizes.count > 1 else { return }
      for (suffix, size) in sizes {
        let shared = groups[suffix]?.sharedSize ?? 0
        groups[suffix]?.sharedSize = shared.addingSaturated(size)
      }
    }
  }

  /// The container of the entries; nil for an archive without a container.
  public var container: PackContainer?
  /// The size of the archive in bytes.
  public var fileSize: UInt64
  /// The blocks of the container.
  public var blocks = Blocks()
  /// The number of entries of all kinds.
  public var entryCount = 0
  /// Whether the archive contains `Contents`; without it, the archive is not an asset pack.
  public var hasContents = false
  /// The number of files in `Contents`.
  public var fileCount = 0
  /// The number of folders in `Contents`.
  public var directoryCount = 0
  /// The total size of the files in `Contents`, in bytes.
  public var contentSize: UInt64 = 0
  /// The files in `Contents` by suffix, the largest group first.
  public var groups: [Group] = []
  /// The manifest in the pack, if it is readable.
  package var manifest: ManifestDocument?
  /// The error that stopped reading before the end of the pack.
  ///
  /// The other properties describe the part before it.
  public var error: PackError?

  /// Reads a pack's headers.
  ///
  /// Contents are decoded only if they share a block with a header.
  ///
  /// Damage after the start of the file is reported in ``error``.
  ///
  /// - Throws: ``PackError`` if the file cannot be read.
  package init(
    of path: String, memory: UInt64 = PackReader.defaultMemory
  ) throws(PackError) {
    try self.init(of: try ByteSource(opening: path), memory: memory)
  }

  init(of source: consuming ByteSource, memory: UInt64) throws(PackError) {
    var reader = try PackReader(source, memory: memory)
    container = reader.container
    fileSize = reader.fileSize
    do throws(PackError) {
      var cursor = BlockCursor(reader)
      var groups: [String: Group] = [:]
      var kinds = BlockKinds(block: 0, sizes: [:])
      while let entry = try reader.nextEntry() {
        try add(entry, &reader, &cursor, &groups, &kinds)
      }
      kinds.note(in: &groups)
      try cursor.finish()
      blocks = cursor.blocks
      self.groups = groups.values.sorted { ($1.size, $0.suffix) < ($0.size, $1.suffix) }
    } catch {
      self.error = error
    }
  }

  private mutating func add(
    _ entry: PackEntry, _ reader: inout PackReader, _ cursor: inout BlockCursor,
    _ groups: inout [String: Group], _ kinds: inout BlockKinds
  ) throws(PackError) {
    entryCount += 1
    hasContents = hasContents || entry.isInContents
    if entry.isManifest { manifest = try reader.manifest(in: entry) }
    guard let path = entry.pathInContents else { return }
    if entry.kind == .directory { directoryCount += 1 }
    guard entry.kind == .file else { return }
    fileCount += 1
    let size = entry.size ?? 0
    contentSize = contentSize.addingSaturated(size)
    let suffix = Self.suffix(of: path)
    var group = groups[suffix] ?? Group(suffix: suffix)
    group.fileCount += 1
    group.size = group.size.addingSaturated(size)
    let start = reader.streamOffset
    let share = try cursor.share(of: start..<start.addingSaturated(size))
    group.storedSize += share.stored
    group.uncompressedSize += share.uncompressed
    groups[suffix] = group
    guard size > 0, let last = cursor.last else { return }
    // The file begins in the block in which the previous file ended.
    if share.shared > 0 {
      kinds.sizes[suffix] = (kinds.sizes[suffix] ?? 0).addingSaturated(share.shared)
      if kinds.block == last.block { return }
    }
    kinds.note(in: &groups)
    kinds = BlockKinds(block: last.block, sizes: [suffix: last.bytes])
  }

  private static func suffix(of path: AssetPath) -> String {
    let name = path.name.bytes
    guard let end = name.suffix(32).lastIndex(of: dot), end > name.startIndex else { return "" }
    return shownBytes(name[end...]).lowercased()
  }
}
