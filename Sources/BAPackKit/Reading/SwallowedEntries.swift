import AssetArchive
import SystemIO

/// Finds entries that a damaged length has made part of the file in front of them.
///
/// The format holds no digest. When the length of a file's contents is changed so that it ends
/// exactly where a later entry ends, the archive reads on as if nothing were missing. But then the
/// contents end in whole entries, one behind the other, whose paths come just where the order of a
/// pack would have them: behind the file itself, and before the entry that comes next. That is a
/// suspicion and no proof: somebody may have packed a file that ends like that.
///
/// An archive that was packed as a file does not look like that, wherever in the file it begins: it
/// starts with its root, or with paths that do not continue those of the pack, and the entries
/// behind its first one belong to it. What could be mistaken is a file that holds a piece out of
/// the middle of an uncompressed pack, cut at both ends exactly between entries, with paths that
/// sort between those of its neighbours.
///
/// Bytes are looked at as they come. Memory is one header and at most ``mostChains`` chains of
/// entries. Headers that lie across each other are no entries: where there is more to read of what
/// looks like headers than contents can hold, the search ends.
struct SwallowedEntries {
  /// What was found in the contents of a file.
  struct Suspicion: Equatable {
    /// The path of the first entry.
    var first: [UInt8]
    var count: Int
    /// Where in the contents it begins.
    var offset: UInt64
  }

  /// Entries of which each begins where the one before it ends.
  private struct Chain {
    var start: UInt64
    var count = 1
    var first: [UInt8]
    var last: EntryOrder
    /// Whether its first entry could come behind the file, and all others could be in a pack.
    var continuesPack: Bool
  }

  static let mostChains = 64
  private static let window = EntryHeader.longestRecognized

  private let file: EntryOrder
  private let size: UInt64
  /// Where in the contents the next bytes belong.
  private var position: UInt64 = 0
  /// The end of what was looked at: a header may begin there and go on in the next bytes.
  private var tail: [UInt8] = []
  /// The chains by where their next entry would have to begin.
  private var chains: [UInt64: Chain] = [:]
  /// How many bytes of headers may still be read.
  private var effort = 1 << 16

  /// Prepares to look at the contents of a file.
  init(in entry: PackEntry) {
    file = EntryOrder(entry.pathBytes, isFolder: false)
    size = entry.size ?? 0
  }

  /// Looks at the next bytes of the contents.
  mutating func look(at bytes: RawSpan) {
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
        // Small pieces are put together first, so that no byte is moved more than a few times.
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

  /// What was found, once all bytes were looked at.
  ///
  /// `next` is the entry that the archive has behind the file; nil at the end of the archive.
  func found(before next: PackEntry?) -> Suspicion? {
    guard let chain = chains[size], chain.continuesPack else { return nil }
    if let next, !EntryOrder(next).comes(after: chain.last) { return nil }
    return Suspicion(first: chain.first, count: chain.count, offset: chain.start)
  }

  /// Whether ``found(before:)`` has anything to say.
  var areSuspected: Bool { chains[size]?.continuesPack ?? false }

  /// Notes the headers that begin in the first `end` bytes.
  private mutating func examine(_ bytes: RawSpan, _ base: UInt64, upTo end: Int) {
    let searched = bytes.extracting(first: min(bytes.byteCount, end + 3))
    var from = 0
    while let start = EntryHeader.possibleStart(in: searched, from: from) {
      from = start + 1
      if let (header, length) = EntryHeader.recognize(in: bytes, at: start, effort: &effort) {
        note(header, length, at: base + UInt64(start))
      }
    }
  }

  private mutating func note(_ header: EntryHeader, _ length: Int, at offset: UInt64) {
    let reached = chains.removeValue(forKey: offset)
    let end = header.blobs.reduce(offset + UInt64(length)) { $0.addingSaturated($1.size) }
    guard end <= size else { return }
    let place = EntryOrder(header.path, isFolder: header.type == .directory)
    var chain = Chain(
      start: offset, first: header.path, last: place,
      continuesPack: place.isInPack && place.comes(after: file))
    if let reached, place.comes(after: reached.last) {
      chain = Chain(
        start: reached.start, count: reached.count + 1, first: reached.first, last: place,
        continuesPack: reached.continuesPack && place.isInPack)
    }
    // Of two chains that meet, the one that began earlier holds the other in its contents.
    if let other = chains[end], other.start < chain.start { return }
    if chains.count >= Self.mostChains { chains = chains.filter { $0.key > offset } }
    if chains.count < Self.mostChains { chains[end] = chain }
  }
}

/// Where an entry comes in a pack: folders before what is in them, names in the order of bytes.
private struct EntryOrder {
  let path: [UInt8]
  let isFolder: Bool

  init(_ path: [UInt8], isFolder: Bool) {
    self.path = path
    self.isFolder = isFolder
  }

  init(_ entry: PackEntry) { self.init(entry.pathBytes, isFolder: entry.kind == .directory) }

  var isInPack: Bool {
    path.starts(with: PackEntry.contentsPrefix) || (path == PackEntry.manifest && !isFolder)
  }

  /// Whether it could be the next entry behind `other`: in that folder, or in one around it.
  func comes(after other: EntryOrder) -> Bool {
    let parent = path[..<(path.lastIndex(of: slash) ?? 0)]
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
  /// Lends the contents of the present entry piece by piece, and finds out whether other entries
  /// got into them.
  ///
  /// Then, and only then, the header of the next entry is read, too.
  mutating func readContents(
    judging entry: PackEntry, _ body: (RawSpan) throws(PackError) -> Void
  ) throws(PackError) -> SwallowedEntries.Suspicion? {
    guard entry.kind == .file, entry.pathBytes.starts(with: PackEntry.contentsPrefix) else {
      try readContents(body)
      return nil
    }
    var search = SwallowedEntries(in: entry)
    try readContents { bytes throws(PackError) in
      search.look(at: bytes)
      try body(bytes)
    }
    guard search.areSuspected else { return nil }
    return search.found(before: try peekEntry())
  }
}
