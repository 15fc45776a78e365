import AssetArchive
import SystemIO

/// A search for entries that a damaged length has made part of the preceding file.
///
/// The format has no digests. If the length of a file's contents is changed so that it ends at the
/// end of a later entry, reading continues without an error. The contents then end with complete,
/// consecutive entries whose paths are in the order of the pack: after the file itself and before
/// the next entry. This is a suspicion, not a proof: the file may have been packed with these
/// contents.
///
/// A file that is itself an archive, at any offset, does not match. It starts with its root, or
/// with paths that do not continue the paths of the pack, and all later entries belong to it. The
/// only file that could match is a part of an uncompressed pack, cut exactly between entries at
/// both ends, whose paths are between the adjacent paths.
///
/// Bytes are examined during reading. Memory is one header and at most ``mostChains`` chains of
/// entries. Overlapping headers are not entries: the search ends when more bytes of apparent
/// headers were read than real ones could have.
struct SwallowedEntries {
  /// The entries that were found in the contents of a file.
  struct Suspicion: Equatable {
    /// The path of the first entry.
    var first: PackPath
    var count: Int
    /// The offset of the first entry in the contents.
    var offset: UInt64
  }

  /// A sequence of entries that each begin at the end of the previous one.
  private struct Chain {
    var start: UInt64
    var count = 1
    var first: PackPath
    var last: EntryOrder
    /// Whether the first entry could follow the file, and all others could be in a pack.
    var continuesPack: Bool
  }

  static let mostChains = 64
  private static let window = EntryHeader.longestRecognized

  private let file: EntryOrder
  private let size: UInt64
  /// The offset of the next bytes in the contents.
  private var position: UInt64 = 0
  /// The last bytes, in which a header may begin that continues in the next bytes.
  private var tail: [UInt8] = []
  /// The chains, by the offset at which their next entry would begin.
  private var chains: [UInt64: Chain] = [:]
  /// The number of bytes of headers that may still be read.
  private var effort = 1 << 16

  /// Creates a search in the contents of a file.
  init(in entry: PackEntry) {
    file = EntryOrder(entry.storedPath, isFolder: false)
    size = entry.size ?? 0
  }

  /// Examines the next bytes of the contents.
  mutating func inspect(_ bytes: RawSpan) {
    let count = bytes.byteCount
    let start = position
    position += UInt64(count)
    effort += min(4 * count, .max - effort)
    let isLast = position >= size
    if !tail.isEmpty {
      let joined = min(count, Self.window)
      tail.append(copying: bytes.extracting(first: joined))
      let base = start + UInt64(joined) - UInt64(tail.count)
      if joined == count {
        let examined = isLast ? tail.count : tail.count - Self.window + 1
        // Small chunks are collected first, so that no byte is moved more than a few times.
        guard isLast || tail.count >= 4 * Self.window else { return }
        tail.withRawSpan { examine($0, base, upTo: examined) }
        tail.removeFirst(examined)
        return
      }
      tail.withRawSpan { examine($0, base, upTo: $0.byteCount - joined) }
      tail.removeAll(keepingCapacity: true)
    }
    let kept = isLast ? 0 : min(count, Self.window - 1)
    examine(bytes, start, upTo: count - kept)
    tail.append(copying: bytes.extracting(last: kept))
  }

  /// Returns the result, after all bytes were examined.
  ///
  /// - Parameter next: The entry after the file in the archive; nil at the end of the archive.
  func found(before next: PackEntry?) -> Suspicion? {
    guard let chain = chains[size], chain.continuesPack else { return nil }
    if let next, !EntryOrder(next).comes(after: chain.last) { return nil }
    return Suspicion(first: chain.first, count: chain.count, offset: chain.start)
  }

  /// Whether ``found(before:)`` may return a result.
  var hasSuspicion: Bool { !chains.isEmpty && chains[size]?.continuesPack ?? false }

  /// Records the headers that begin in the first `end` bytes.
  private mutating func examine(_ bytes: RawSpan, _ base: UInt64, upTo end: Int) {
    let searched = bytes.extracting(first: min(bytes.byteCount, end + 3))
    var from = 0
    while let start = EntryHeader.possibleStart(in: searched, from: from) {
      from = start + 1
      if let (header, path, length) = EntryHeader.recognize(
        in: bytes, at: start, effort: &effort)
      {
        note(header, path, length, at: base + UInt64(start))
      }
    }
  }

  private mutating func note(
    _ header: StoredHeader, _ path: PackPath, _ length: Int, at offset: UInt64
  ) {
    let reached = chains.removeValue(forKey: offset)
    let end = (offset + UInt64(length)).addingSaturated(header.fields.blobs.size)
    guard end <= size else { return }
    let place = EntryOrder(StoredPath(path), isFolder: header.type == .directory)
    var chain = Chain(
      start: offset, first: path, last: place,
      continuesPack: place.isInPack && place.comes(after: file))
    if let reached, place.comes(after: reached.last) {
      chain = Chain(
        start: reached.start, count: reached.count + 1, first: reached.first, last: place,
        continuesPack: reached.continuesPack && place.isInPack)
    }
    // If two chains meet, the one with the earlier start contains the other.
    if let other = chains[end], other.start < chain.start { return }
    if chains.count >= Self.mostChains { chains = chains.filter { $0.key > offset } }
    if chains.count < Self.mostChains { chains[end] = chain }
  }
}

/// The order of an entry in a pack: folders precede their contents, names are in byte order.
private struct EntryOrder {
  let path: ArraySlice<UInt8>
  let isFolder: Bool
  /// Whether a pack may contain the entry: below `Contents`, or as its manifest.
  let isInPack: Bool

  init(_ path: StoredPath, isFolder: Bool) {
    self.path = path.bytes
    self.isFolder = isFolder
    isInPack = path.bytesInContents != nil || (path == .manifest && !isFolder)
  }

  init(_ entry: PackEntry) { self.init(entry.storedPath, isFolder: entry.kind == .directory) }

  /// Whether the entry could directly follow `other`: in the same folder, or in a parent folder.
  func comes(after other: EntryOrder) -> Bool {
    let parent = path[..<(path.lastIndex(of: slash) ?? path.startIndex)]
    let isInParent =
      parent.isEmpty || (other.isFolder && parent.elementsEqual(other.path))
      || (other.path.starts(with: parent) && other.path.dropFirst(parent.count).first == slash)
    return isInParent
      && other.path.lexicographicallyPrecedes(path) { left, right in
        left != right && (left == slash || (right != slash && left < right))
      }
  }
}

extension PackReader {
  /// Passes the contents of the current entry to `body`, in chunks, and searches them for other
  /// entries; also returns descriptions of the recorded sizes and digests that differ.
  ///
  /// The header of the next entry is read only if the contents may contain entries.
  mutating func readContents(
    judging entry: PackEntry, _ body: (RawSpan) throws(PackError) -> Void
  ) throws(PackError) -> (suspicion: SwallowedEntries.Suspicion?, faults: [String]) {
    guard entry.kind == .file, entry.pathInContents != nil else {
      return (nil, try readContentsForFaults(body))
    }
    var search = SwallowedEntries(in: entry)
    let faults = try readContentsForFaults { bytes throws(PackError) in
      search.inspect(bytes)
      try body(bytes)
    }
    guard search.hasSuspicion else { return (nil, faults) }
    return (search.found(before: try peekEntry()), faults)
  }
}
