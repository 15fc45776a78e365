import AssetArchive
import BlockCodecs
import Glibc
import SystemIO
import TerminalText

/// The folder of a cache: one file for each entry, in 256 folders named after the first byte of the
/// key.
///
/// An entry consists of a magic number, the SHA-256 of key and payload, and the payload. The
/// payload is the encoded block, or empty if the block is stored unencoded. Damage and wrong names
/// are therefore detected when an entry is read. Such an entry counts as missing, and is replaced
/// when the block is written next. Entries do not need to be synced.
///
/// An entry is written under a temporary name and renamed, so that other packers never see an
/// incomplete entry. The modification time of an entry is the time of its last use. It is set when
/// the entry is read, because file systems rarely store the time of the last access.
///
/// Every writer of the folder is trusted like a writer of the sources: a forged entry is
/// indistinguishable from a real one.
///
/// The space of the entries is recorded in a separate file (``BlockCacheLedger``).
struct BlockCacheFolder: ~Copyable, Sendable {
  let folder: FileDescriptor

  /// The file that makes backup programs skip the folder (bford.info/cachedir) and identifies a
  /// cache.
  static let marker = FileName("CACHEDIR.TAG")
  private static let markerText = Array(
    """
    Signature: 8a477f597d28d172789f06886806bc55
    # This folder holds blocks of asset packs that were encoded before. BAPackKit created it.
    # It may be removed at any time.

    """.utf8)
  /// The size of the line of the marker that all programs use, without the line break.
  private static let signatureSize = 43
  private static let magic = Array("BAPKBLK1".utf8)
  /// The size of an entry without its payload.
  static let headSize = magic.count + 32

  private init(_ folder: consuming FileDescriptor) { self.folder = folder }

  /// Opens a cache, or creates one if the folder is missing or empty; returns nil if it has other
  /// contents.
  static func open(_ path: String) throws(Failure) -> BlockCacheFolder? {
    let folder = try FileDescriptor.openFolder(making: path)
    switch try contents(of: folder) {
    case .others: return nil
    case .nothing, .damaged: try folder.place(markerText, as: marker, syncing: true)
    case .cache: break
    }
    return BlockCacheFolder(folder)
  }

  /// The kinds of contents of a folder.
  enum Contents {
    case cache, nothing, others
    /// A cache whose marker was cut, for example in a power failure.
    case damaged
  }

  static func contents(of folder: borrowing FileDescriptor) throws(Failure) -> Contents {
    let listing = try folder.list()
    let names = listing.items.map { listing.fileName(of: $0) }
    if names.contains(marker) {
      let file = try ByteSource(try folder.open(marker, for: .reading))
      let text = try file.read(at: 0, count: markerText.count + 1)
      if text == markerText { return .cache }
      // The signature alone is the complete marker of other programs.
      let isCut =
        markerText.starts(with: text) && ![signatureSize, signatureSize + 1].contains(text.count)
      return isCut && names.allSatisfy(isOwnName) ? .damaged : .others
    }
    // Another packer that is creating the same cache may have a temporary file there.
    return names.allSatisfy { TemporaryName.matches($0.bytes) } ? .nothing : .others
  }

  /// Reads the payload of an entry into `payload`, which is empty, and marks the entry as used;
  /// returns false if the entry is missing or damaged.
  func read(_ key: BlockKey, into payload: inout ByteBuffer) throws(Failure) -> Bool {
    do throws(Failure) {
      let place = EntryLocation(key)
      let shelf = try folder.open(place.shelf, for: .directory)
      let file = try ByteSource(try shelf.open(place.name, for: .reading))
      let size = file.size.subtractingReportingOverflow(UInt64(Self.headSize))
      guard !size.overflow, size.partialValue <= payload.capacity else { return false }
      let head = try file.read(at: 0, count: Self.headSize)
      try file.read(at: UInt64(Self.headSize), count: Int(size.partialValue), into: &payload)
      guard payload.withBytes({ Self.head(of: key, $0) }) == head else { return false }
      // If this fails, the cache is still readable.
      try? shelf.touch(place.name)
      return true
    } catch {
      guard error.code == ENOENT else { throw error }
      return false
    }
  }

  /// Writes an entry, and replaces an existing one.
  func write(_ key: BlockKey, _ payload: RawSpan) throws(Failure) {
    guard let head = Self.head(of: key, payload) else { return }
    let place = EntryLocation(key)
    try shelf(place.shelf).place(head, payload, as: place.name)
  }

  private func shelf(_ name: FileName) throws(Failure) -> FileDescriptor {
    if let shelf = try openIfPresent(name) { return shelf }
    _ = try folder.makeMissingFolder(name)
    return try folder.open(name, for: .directory)
  }

  /// Returns the bytes before a payload; nil if there is no memory for a digest.
  private static func head(of key: BlockKey, _ payload: RawSpan) -> [UInt8]? {
    guard var digest = try? Digest(.sha256) else { return nil }
    key.bytes.withRawSpan { digest.update($0) }
    digest.update(payload)
    return magic + digest.finish()
  }
}

// MARK: - Names

extension BlockCacheFolder {
  /// The place of an entry: a folder and a name.
  private struct EntryLocation {
    let shelf: FileName
    let name: FileName

    init(_ key: BlockKey) {
      shelf = FileName(hexadecimal(key.bytes.prefix(1)).utf8)
      name = FileName(hexadecimal(key.bytes.dropFirst()).utf8)
    }
  }

  /// Returns the name of a shelf: a folder with entries.
  static func shelf(_ number: Int) -> FileName {
    FileName(hexadecimal(CollectionOfOne(UInt8(truncatingIfNeeded: number))).utf8)
  }

  /// Whether a cache can have a file or folder with this name.
  private static func isOwnName(_ name: FileName) -> Bool {
    name == marker || name == ledger || TemporaryName.matches(name.bytes)
      || (0..<BlockCacheLedger.shelfCount).contains { shelf($0) == name }
  }

  /// Whether the bytes can be the name of an entry.
  static func isEntryName(_ name: some Collection<UInt8>) -> Bool {
    name.count == 62 && name.allSatisfy(\.isLowercaseHexadecimalDigit)
  }
}

extension FileDescriptor {
  /// Writes a file to this folder atomically, and replaces an existing one.
  ///
  /// Entries are not synced: an entry that is lost in a crash is only missing from the cache.
  func place(
    _ first: [UInt8], _ second: RawSpan = RawSpan(), as name: FileName, syncing: Bool = false
  ) throws(Failure) {
    let file = try AtomicFile(replacing: name, in: duplicate())
    try file.write(first)
    try file.descriptor.write(second)
    try file.publish(syncing: syncing)
  }
}
