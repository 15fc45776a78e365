import SystemIO

/// The files of a pack by their paths as the app sees them, in one memory region, sorted by bytes.
///
/// Memory is the bytes of the paths and 12 bytes for each file: 72 MB for 1,000,000 paths of 60
/// bytes. Digests add 33 bytes for each file, shares of the archive 24.
package struct PackContents: Sendable, Equatable {
  /// All paths, concatenated.
  private var paths: [UInt8] = []
  /// The end of each path.
  private var ends: [UInt32] = []
  private var sizes: [UInt64] = []
  /// The share of each file; empty if not requested.
  private var shares: [StoredShare] = []
  private var digests = DigestColumn()
  /// The size of all files, in bytes.
  package private(set) var unpackedSize: UInt64 = 0

  /// The share of a file in an archive.
  package struct StoredShare: Sendable, Equatable {
    /// The file's stored bytes; shared blocks are divided by size.
    package var stored: UInt64
    /// The number of the file's bytes in blocks that are not compressed.
    package var uncompressed: UInt64
    /// The number of the file's bytes in blocks that contain other files, too.
    package var shared: UInt64

    package init(stored: UInt64, uncompressed: UInt64, shared: UInt64 = 0) {
      self.stored = stored
      self.uncompressed = uncompressed
      self.shared = shared
    }
  }

  /// Creates a pack without files.
  package init() {}

  /// Creates contents from paths and sizes.
  package init(_ files: [String: UInt64]) {
    for (path, size) in files.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      append(AssetPath(unchecked: path.utf8), size: size)
    }
  }

  /// The number of files.
  package var count: Int { ends.count }

  /// Adds a file.
  ///
  /// Call ``sort()`` after the last file. Either all files have a share, or none.
  package mutating func append(
    _ path: AssetPath, size: UInt64, share: StoredShare? = nil, digest: [UInt8]? = nil
  ) {
    paths.append(contentsOf: path.bytes)
    ends.append(UInt32(truncatingIfNeeded: paths.count))
    sizes.append(size)
    if let share { shares.append(share) }
    if let digest { set(digest, at: count - 1) }
    unpackedSize = unpackedSize.addingSaturated(size)
  }

  /// Whether there is space for another path: offsets have 32 bits.
  package func hasRoom(for path: AssetPath) -> Bool {
    paths.count + path.bytes.count <= Int(UInt32.max)
  }

  /// Sorts the paths, if an archive has another order.
  package mutating func sort() {
    let isSorted = (1..<max(1, count)).allSatisfy { self[$0] >= self[$0 - 1] }
    if isSorted { return }
    let order = ends.indices.sorted { self[$0] < self[$1] }
    var sorted = PackContents()
    for index in order {
      sorted.append(
        self[index], size: sizes[index], share: share(at: index),
        digest: digest(at: index).map { Array($0) })
    }
    self = sorted
  }

  /// Returns the path of a file.
  package subscript(index: Int) -> AssetPath {
    AssetPath(unchecked: paths[(index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])])
  }

  /// Returns the size of a file in bytes.
  package func size(at index: Int) -> UInt64 { sizes[index] }

  /// Returns the share of a file in the archive; nil if not requested.
  package func share(at index: Int) -> StoredShare? {
    index < shares.count ? shares[index] : nil
  }

  /// Whether most of a file is in blocks with other files.
  ///
  /// Its compression is then unknown, because a block is compressed as a whole.
  package func isInSharedBlocks(at index: Int) -> Bool {
    share(at: index).map { $0.shared > sizes[index] / 2 } ?? false
  }

  /// Adds to the number of a file's bytes in shared blocks.
  mutating func addShared(_ count: UInt64, at index: Int) {
    if count > 0, shares.indices.contains(index) { shares[index].shared += count }
  }

  /// Returns the SHA-256 of a file; nil if not requested.
  package func digest(at index: Int) -> ArraySlice<UInt8>? { digests[index] }

  /// Sets the SHA-256 of a file.
  package mutating func set(_ digest: [UInt8], at index: Int) {
    digests.set(digest, at: index, of: count)
  }

  /// Returns the index of a path; nil if no file has it.
  package func index(of path: AssetPath) -> Int? {
    let index = firstIndex(notBefore: path)
    return index < count && self[index] == path ? index : nil
  }

  /// Whether a path is that of a folder that contains files.
  package func hasFolder(_ path: AssetPath) -> Bool {
    let folder = AssetPath(unchecked: path.bytes + [slash])
    let index = firstIndex(notBefore: folder)
    return index < count && self[index].bytes.starts(with: folder.bytes)
  }

  private func firstIndex(notBefore path: AssetPath) -> Int {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if self[middle] < path {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound
  }
}

/// The SHA-256 digests of some of the files, concatenated.
private struct DigestColumn: Sendable, Equatable {
  private static let size = 32
  private var bytes: [UInt8] = []
  private var isKnown: [Bool] = []

  subscript(index: Int) -> ArraySlice<UInt8>? {
    guard index < isKnown.count, isKnown[index] else { return nil }
    return bytes[index * Self.size..<(index + 1) * Self.size]
  }

  mutating func set(_ digest: [UInt8], at index: Int, of count: Int) {
    guard digest.count == Self.size else { return }
    if isKnown.count < count {
      isKnown += repeatElement(false, count: count - isKnown.count)
      bytes += repeatElement(0, count: (count * Self.size) - bytes.count)
    }
    isKnown[index] = true
    bytes.replaceSubrange(index * Self.size..<(index + 1) * Self.size, with: digest)
  }
}

extension LanguageFamilies {
  /// Divides localized packs into groups, by their numbers.
  package init(of packs: [(language: LanguageTag?, contents: PackContents?)]) {
    let members = packs.enumerated().compactMap { number, pack in
      pack.contents.map(\.count) ?? 0 == 0
        ? nil : pack.language.map { Member(number: number, language: $0) }
    }
    self.init(of: members) { number, visit in
      guard let contents = packs[number].contents else { return }
      for file in 0..<contents.count { visit(contents[file]) }
    }
  }
}

extension PackContents {
  /// Creates the contents of a pack that is not yet packed.
  package init(_ selection: Selection) {
    self.init()
    for index in selection.filesByPath() {
      append(selection.pathInContents(at: index), size: selection.size(at: index))
    }
  }
}
