import SystemIO

/// The files of a pack by their paths as an app sees them: one piece of memory, sorted by bytes.
///
/// It takes the bytes of the paths and 12 more a file: 1,000,000 files of 60 bytes take 72 MB.
/// Digests and shares of the archive take 33 and 24 more, where they were asked for.
package struct PackContents: Sendable, Equatable {
  /// All paths, one behind the other.
  private var paths: [UInt8] = []
  /// Where each path ends.
  private var ends: [UInt32] = []
  private var sizes: [UInt64] = []
  /// For each file; empty where nobody asked for any.
  private var shares: [StoredShare] = []
  private var digests = DigestColumn()
  /// The size of all files together.
  package private(set) var unpackedSize: UInt64 = 0

  /// How much of an archive a file takes.
  package struct StoredShare: Sendable, Equatable {
    /// Its bytes there; where files share a block, it is divided by size.
    package var stored: UInt64
    /// How many of the file's bytes are in blocks that are not compressed.
    package var uncompressed: UInt64
    /// How many of the file's bytes are in blocks in which other files have bytes as well.
    package var shared: UInt64

    package init(stored: UInt64, uncompressed: UInt64, shared: UInt64 = 0) {
      self.stored = stored
      self.uncompressed = uncompressed
      self.shared = shared
    }
  }

  /// A pack without files.
  package init() {}

  /// The contents of a pack that is described by hand.
  package init(_ files: [String: UInt64]) {
    for (path, size) in files.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      append(AssetPath(unchecked: path.utf8), size: size)
    }
  }

  /// How many files there are.
  package var count: Int { ends.count }

  /// Adds a file.
  ///
  /// When all are there, ``sort()`` follows. Either all files have a share, or none.
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

  /// Whether another path fits: places have 32 bits.
  package func hasRoom(for path: AssetPath) -> Bool {
    paths.count + path.bytes.count <= Int(UInt32.max)
  }

  /// Puts the paths in order, where an archive has them in another one.
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

  /// The path of a file.
  package subscript(index: Int) -> AssetPath {
    AssetPath(unchecked: paths[(index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])])
  }

  /// The size of a file.
  package func size(at index: Int) -> UInt64 { sizes[index] }

  /// How much of the archive a file takes; nil where nobody asked.
  package func share(at index: Int) -> StoredShare? {
    index < shares.count ? shares[index] : nil
  }

  /// Whether most of a file is in blocks with other files: how well it was compressed is not known
  /// then, because a block is compressed as a whole.
  package func isInSharedBlocks(at index: Int) -> Bool {
    share(at: index).map { $0.shared > sizes[index] / 2 } ?? false
  }

  /// Notes that more of a file's bytes are in shared blocks.
  mutating func addShared(_ count: UInt64, at index: Int) {
    if count > 0, shares.indices.contains(index) { shares[index].shared += count }
  }

  /// The SHA-256 of a file; nil where nobody asked.
  package func digest(at index: Int) -> ArraySlice<UInt8>? { digests[index] }

  /// Notes the SHA-256 of a file.
  package mutating func set(_ digest: [UInt8], at index: Int) {
    digests.set(digest, at: index, of: count)
  }

  /// Where a path stands; nil if no file has it.
  package func index(of path: AssetPath) -> Int? {
    let index = firstIndex(notBefore: path)
    return index < count && self[index] == path ? index : nil
  }

  /// Whether a path is that of a folder with files in it.
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

/// SHA-256 digests of some of many files, one behind the other.
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
  /// Divides the localized ones among packs into groups, by their numbers.
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
  /// The files of a pack that is not made yet.
  package init(_ selection: Selection) {
    self.init()
    for index in selection.filesByPath() {
      append(selection.pathInContents(at: index), size: selection.size(at: index))
    }
  }
}
