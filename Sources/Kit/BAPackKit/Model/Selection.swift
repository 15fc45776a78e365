import AssetArchive
public import SystemIO

/// The files and folders of a pack, with their sources.
///
/// The entries are in the order of the archive: depth first, parents before children, siblings by
/// the bytes of their names. The root of the pack is not an entry. An entry uses 88 bytes of
/// memory, in addition to its paths, which are stored in one buffer. If a file keeps its path, the
/// bytes of the source and the destination are stored once.
public struct Selection: Sendable {
  var records: [SelectionRecord] = []
  /// All paths, which were validated when they were added.
  var paths = PackPathBuffer()

  /// Creates an empty selection.
  public init() {}

  /// Reserves address space for this many entries and for their paths.
  ///
  /// Memory that is not used costs nothing. Growth by doubling would need it one and a half times.
  mutating func reserve(_ count: Int, pathBytes: Int) {
    records.reserveCapacity(count)
    paths.reserve(count, pathBytes: pathBytes)
  }

  /// The total size of the files in bytes, without overflow.
  public var totalSize: UInt64 {
    var total: UInt64 = 0
    for index in records.indices { total.addSaturated(records[index].size) }
    return total
  }

  /// The number of files.
  public var fileCount: Int { records.indices.count { isFile(at: $0) } }
}

extension Selection {
  /// A file or folder of a pack.
  public struct Entry: Sendable, Equatable {
    /// The kind of an entry.
    public enum Kind: Sendable {
      case file, directory
    }

    /// The path as the app sees it.
    public var destination: FilePath
    /// Whether it is a file or a folder.
    public var kind: Kind
    /// The size of a file in bytes; 0 for a folder.
    public var size: UInt64
    /// Whether the owner of a file can execute it.
    public var isExecutable: Bool
    /// The index of the first selector that selected it; nil for a parent folder of selected files.
    public var selector: Int?
    /// The path in the source root; nil for a folder that is not in the source root.
    public var source: FilePath?
    /// Other metadata of the source; nil for a folder that is not in the source root.
    public var metadata: Metadata?
  }

  /// The metadata of a file or folder in the source root; some archives do not contain all of them.
  public struct Metadata: Sendable, Equatable {
    /// The lower twelve bits of the mode.
    public var permissions: UInt16?
    /// The user ID of the owner.
    public var userID: UInt32?
    /// The group ID.
    public var groupID: UInt32?
    /// The time of the last modification.
    public var modified: Moment?

    /// Creates empty metadata.
    public init() {}
  }
}

extension Selection {
  /// A file or folder that a selector selected and exclusions excluded, with its contents.
  ///
  /// It was not examined. Its kind is known from the selector, or from the parent folder.
  package struct Excluded: Sendable, Equatable {
    /// The path in the source root.
    package var source: FilePath
    package var isFolder: Bool
    /// The index of the selector that selected it.
    package var selector: Int
    /// The indices, among all selectors, of the exclusions that match it.
    package var exclusions: [Int]
  }
}

extension Selection: RandomAccessCollection {
  /// The index of the first entry.
  public var startIndex: Int { 0 }
  /// The number of entries.
  public var endIndex: Int { records.count }

  /// The entry at `index`, created on demand.
  public subscript(index: Int) -> Entry {
    let record = records[index]
    return Entry(
      destination: FilePath(paths.bytes[record.destination]),
      kind: record.kind == .file ? .file : .directory,
      size: record.size,
      isExecutable: isExecutable(at: index),
      selector: record.selector == .max ? nil : Int(record.selector),
      source: record.hasSource ? FilePath(paths.bytes[record.source]) : nil,
      metadata: metadata(at: index))
  }

  /// Returns the metadata of an entry, without creating the entry.
  func metadata(at index: Int) -> Metadata? {
    let record = records[index]
    guard record.hasSource else { return nil }
    var metadata = Metadata()
    if !record.unknown.contains(.permissions) { metadata.permissions = record.permissions }
    if !record.unknown.contains(.owner) {
      metadata.userID = record.userID
      metadata.groupID = record.groupID
    }
    if !record.unknown.contains(.time) { metadata.modified = record.modified }
    return metadata
  }

  /// Returns whether the owner of a file can execute it, without creating the entry.
  func isExecutable(at index: Int) -> Bool {
    records[index].kind == .file && records[index].permissions & 0o100 != 0
  }

  /// Returns the path in the archive.
  func path(at index: Int) -> PackPath { paths[records[index].place] }

  /// Returns the path that the app sees.
  package func pathInContents(at index: Int) -> AssetPath {
    AssetPath(unchecked: paths.bytes[records[index].destination])
  }

  /// Returns the bytes of the path in the source root, without creating the entry.
  package func sourceBytes(at index: Int) -> ArraySlice<UInt8> {
    paths.bytes[records[index].source]
  }

  /// Returns the index of the selector of an entry; for a parent folder of selected files, the
  /// selector of the first entry in it.
  func selector(around index: Int) -> Int {
    Int(records[index...].first { $0.selector != .max }?.selector ?? .max)
  }

  /// Returns whether an entry is a file, without creating it.
  package func isFile(at index: Int) -> Bool { records[index].kind == .file }

  /// Returns the size of a file in bytes, without creating the entry.
  package func size(at index: Int) -> UInt64 { records[index].size }
}

extension Selection {
  /// Returns the indices of the files, sorted by the bytes of the paths that the app sees.
  package func filesByPath() -> [Int] {
    let bytes = paths.bytes
    return indices.filter { isFile(at: $0) }.sorted {
      bytes.precedes(records[$0].destination, records[$1].destination)
    }
  }
}

extension [UInt8] {
  /// Returns whether a path in these bytes precedes another one.
  fileprivate func precedes(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    for (first, second) in zip(left, right) where self[first] != self[second] {
      return self[first] < self[second]
    }
    return left.count < right.count
  }
}
