import AssetArchive
import SystemIO

/// What is in a pack, and how well it compressed.
package struct PackInspection: Sendable {
  /// The blocks of a container.
  package struct Blocks: Sendable, Equatable {
    /// How many there are.
    package var count = 0
    /// How many of them are compressed; the others are stored as they are.
    package var compressed = 0
    /// The decoded size of all blocks, in bytes.
    package var decodedSize: UInt64 = 0
    /// The size of all blocks in the file, without their headers.
    package var storedSize: UInt64 = 0
  }

  /// The files whose names have the same end.
  package struct Group: Sendable, Equatable {
    /// The end of the names, in lower case: `.png`.
    ///
    /// It is empty for names without one, or with one of more than 32 bytes.
    package var suffix: String
    /// How many files there are.
    package var fileCount = 0
    /// Their total size, in bytes.
    package var size: UInt64 = 0
    /// Their share of the file; where files share a block, it is divided by size.
    package var storedSize: UInt64 = 0
    /// How many of their bytes are in blocks that are not compressed.
    package var uncompressedSize: UInt64 = 0
    /// How many of their bytes are in blocks with files of other kinds.
    ///
    /// A block is compressed as a whole: how well these bytes compressed is not known.
    package var sharedSize: UInt64 = 0

    /// Whether most of their bytes are in blocks with files of other kinds.
    package var isInSharedBlocks: Bool { sharedSize > size / 2 }
  }

  /// The kinds of files in one block, with their bytes in it.
  private struct BlockKinds {
    var block: UInt64
    var sizes: [String: UInt64]

    /// Notes the bytes of each kind if there are several kinds.
    func note(in groups: inout [String: Group]) {
      guard sizes.count > 1 else { return }
      for (suffix, size) in sizes {
        let shared = groups[suffix]?.sharedSize ?? 0
        groups[suffix]?.sharedSize = shared.addingSaturated(size)
      }
    }
  }

  /// How the entries are wrapped; nil for an archive without a container.
  package var container: PackContainer?
  /// The size of the file.
  package var fileSize: UInt64
  /// The blocks of the container.
  package var blocks = Blocks()
  /// How many entries there are, of all kinds.
  package var entryCount = 0
  /// Whether there is a `Contents`; without it, it is an archive but not an asset pack.
  package var hasContents = false
  /// How many files are in `Contents`.
  package var fileCount = 0
  /// How many folders are in `Contents`.
  package var directoryCount = 0
  /// The total size of the files in `Contents`, in bytes.
  package var contentSize: UInt64 = 0
  /// The files in `Contents` by the end of their names, the largest group first.
  package var groups: [Group] = []
  /// The pack's own manifest, if it has one that can be read.
  package var manifest: ManifestDocument?
  /// What stopped the reading before the end of the pack; the other properties have what came
  /// before.
  package var trouble: PackError?

  /// Reads a pack's headers; contents are decoded only if they share a block with a header.
  ///
  /// It throws if the file cannot be read at all; damage further on is reported in `trouble`.
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
      trouble = error
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
    // The file begins in the block in which the file before ended.
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
