import AssetArchive
public import SystemIO

/// Exactly what is in a pack: each file with where it comes from, and each folder that must exist.
///
/// The entries stand in the order of the archive: depth first, parents before children, siblings by
/// the bytes of their names. The root of the pack itself is not among them. An entry costs 96 bytes
/// and its paths, which lie together in one piece of memory, as they will stand in the archive;
/// where a file keeps its path, source and destination are the same bytes.
public struct Selection: Sendable {
  var records: [SelectionRecord] = []
  /// All paths, each checked when it came in.
  var paths = PackPathBuffer()

  /// An empty selection.
  public init() {}

  /// The total size of the files in bytes; an archive may claim more than can be counted.
  public var totalSize: UInt64 { records.lazy.map(\.size).saturatedSum }

  /// How many of the entries are files.
  public var fileCount: Int { records.count { $0.kind == .file } }
}

extension Selection {
  /// One file or folder of a pack.
  public struct Entry: Sendable, Equatable {
    /// What an entry is: packs have nothing else.
    public enum Kind: Sendable {
      case file, directory
    }

    /// Its path as the app sees it.
    public var destination: FilePath
    /// Whether it is a file or a folder.
    public var kind: Kind
    /// The number of bytes in a file; 0 for a folder.
    public var size: UInt64
    /// Whether the owner of a file may execute it.
    public var isExecutable: Bool
    /// The index of the first selector that chose it; nil for a folder that is only needed for its
    /// contents.
    public var selector: Int?
    /// Its path below the source root; nil for a folder that is not in the source.
    public var source: FilePath?
    /// Other facts from the source; nil for a folder that is not in the source.
    public var metadata: Metadata?
  }

  /// What the source knows about a file or a folder beside its contents; an archive may not know
  /// all of it.
  public struct Metadata: Sendable, Equatable {
    /// The lower twelve bits of the mode.
    public var permissions: UInt16?
    /// The number of its owner.
    public var userID: UInt32?
    /// The number of its group.
    public var groupID: UInt32?
    /// When it was last modified.
    public var modified: Moment?

    /// Makes a value without any facts.
    public init() {}
  }
}

extension Selection {
  /// Something that a selector chose and exclusions dropped, with everything in it.
  ///
  /// It was not examined: whether it is a folder follows from the selector, or from the folder
  /// around it.
  public struct Excluded: Sendable, Equatable {
    /// Its path below the source root.
    public var source: FilePath
    /// Whether it is a folder.
    public var isFolder: Bool
    /// The index of the selector that chose it.
    public var selector: Int
    /// The indices, among all selectors, of the exclusions that dropped it.
    public var exclusions: [Int]
  }
}

extension Selection: RandomAccessCollection {
  /// The index of the first entry.
  public var startIndex: Int { 0 }
  /// The number of entries.
  public var endIndex: Int { records.count }

  /// The entry at `index`, made on demand.
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

  /// What the source knows about an entry, without making the entry.
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

  /// Whether the owner of a file may execute it, without making the entry.
  func isExecutable(at index: Int) -> Bool {
    records[index].kind == .file && records[index].permissions & 0o100 != 0
  }

  /// The path in the archive: a view.
  func path(at index: Int) -> PackPath { paths[records[index].place] }

  /// The path that the app sees: a view, too.
  package func pathInContents(at index: Int) -> AssetPath {
    AssetPath(unchecked: paths.bytes[records[index].destination])
  }

  /// The bytes of the path below the source root, without making the entry.
  package func sourceBytes(at index: Int) -> ArraySlice<UInt8> {
    paths.bytes[records[index].source]
  }

  /// The selector that an entry comes from: its own, or for a folder that is only needed for its
  /// contents that of the first entry in it.
  func selector(around index: Int) -> Int {
    Int(records[index...].first { $0.selector != .max }?.selector ?? .max)
  }

  /// Whether the entry is a file, without making it.
  package func isFile(at index: Int) -> Bool { records[index].kind == .file }

  /// The number of bytes in the file, without making the entry.
  package func size(at index: Int) -> UInt64 { records[index].size }
}

extension Selection {
  /// The indices of the files, sorted by the bytes of the paths that the app sees.
  package func filesByPath() -> [Int] {
    let bytes = paths.bytes
    return indices.filter { isFile(at: $0) }.sorted {
      bytes.precedes(records[$0].destination, records[$1].destination)
    }
  }
}

extension [UInt8] {
  /// Whether one path in these bytes comes before another, compared byte by byte.
  fileprivate func precedes(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    for (first, second) in zip(left, right) where self[first] != self[second] {
      return self[first] < self[second]
    }
    return left.count < right.count
  }
}
