import ForeignArchives
import Glibc
import SystemIO

/// A source root that is an archive: its list as a tree, so that the same rules hold as on disk.
///
/// Folders that the archive does not list, but that something lies in, are there too.
struct ArchiveTree: SourceTree {
  private struct Node: Sendable {
    var parent: Int
    var status: FileStatus
    var target: [UInt8] = []
    var isEncrypted = false
    var children: [[UInt8]: Int] = [:]
  }

  /// A folder is a place in `nodes`.
  private var nodes: [Node]
  let root = 0

  init(_ listing: ForeignListing) {
    nodes = [Node(parent: 0, status: Self.folderStatus(at: 0))]
    var byPath: [[UInt8]: ForeignEntry] = [:]
    for entry in listing.entries {
      if case .hardLink = entry.kind { byPath.reserveCapacity(listing.entries.count) }
    }
    if byPath.capacity > 0 {
      for entry in listing.entries { byPath[Array(entry.path.utf8)] = entry }
    }
    for entry in listing.entries { insert(entry, contents: Self.original(of: entry, in: byPath)) }
  }

  /// The entry that holds the contents of a second name; any other entry holds its own.
  private static func original(
    of entry: ForeignEntry, in byPath: [[UInt8]: ForeignEntry]
  ) -> ForeignEntry {
    var entry = entry
    var steps = 0
    while case .hardLink(let target) = entry.kind, let next = byPath[Array(target.utf8)],
      steps < 1000
    {
      entry = next
      steps += 1
    }
    return entry
  }

  private mutating func insert(_ entry: ForeignEntry, contents: ForeignEntry) {
    var place = root
    for name in entry.path.utf8.split(separator: slash).map(Array.init) {
      if let child = nodes[place].children[name] {
        place = child
      } else {
        nodes[place].children[name] = nodes.count
        nodes.append(Node(parent: place, status: Self.folderStatus(at: nodes.count)))
        place = nodes.count - 1
      }
    }
    let folderIdentity = nodes[place].status.identity
    nodes[place].status = Self.status(of: contents)
    if contents.kind == .directory { nodes[place].status.identity = folderIdentity }
    nodes[place].isEncrypted = contents.isEncrypted
    if case .symbolicLink(let target) = contents.kind { nodes[place].target = Array(target.utf8) }
  }

  private static func folderStatus(at place: Int) -> FileStatus {
    FileStatus(
      identity: FileIdentity(device: 1, inode: UInt64(place)), kind: .directory, size: 0,
      permissions: 0o755, userID: 0, groupID: 0, modified: FileTime(seconds: 0),
      changed: FileTime(seconds: 0))
  }

  private static func status(of entry: ForeignEntry) -> FileStatus {
    let kind: FileKind =
      switch entry.kind {
      case .file: .file
      case .directory: .directory
      case .symbolicLink: .symbolicLink
      case .hardLink, .special: .characterDevice
      }
    let time = entry.modified.map { FileTime(seconds: $0.seconds, nanoseconds: $0.nanoseconds) }
    return FileStatus(
      identity: FileIdentity(device: 0, inode: UInt64(entry.index)), kind: kind,
      size: entry.size ?? 0, permissions: entry.permissions & 0o7777,
      userID: UInt32(clamping: entry.userID), groupID: UInt32(clamping: entry.groupID),
      modified: time ?? FileTime(seconds: 0), changed: time ?? FileTime(seconds: 0))
  }
}

extension ArchiveTree {
  func parent(of folder: Int) -> Int? { folder == root ? nil : nodes[folder].parent }

  func list(_ folder: Int) throws(SystemError) -> DirectoryListing {
    DirectoryListing(nodes[folder].children.map { ($0.key, nodes[$0.value].status.kind) })
  }

  func status(of folder: Int) throws(SystemError) -> FileStatus { nodes[folder].status }

  func status(of item: DirectoryListing.Item, in listing: DirectoryListing, of folder: Int)
    throws(SystemError) -> FileStatus
  {
    try status(of: listing.fileName(of: item), in: folder)
  }

  func status(of name: FileName, in folder: Int) throws(SystemError) -> FileStatus {
    nodes[try place(of: name, in: folder)].status
  }

  func linkTarget(of name: FileName, in folder: Int) throws(SystemError) -> [UInt8] {
    nodes[try place(of: name, in: folder)].target
  }

  func open(_ name: FileName, in folder: Int) throws(SystemError) -> Int {
    try place(of: name, in: folder)
  }

  func checkReadable(_ name: FileName, _ status: FileStatus, in folder: Int) throws(SystemError) {
    if nodes[try place(of: name, in: folder)].isEncrypted {
      throw SystemError("decrypt", name.shown, code: ENOKEY)
    }
  }

  private func place(of name: FileName, in folder: Int) throws(SystemError) -> Int {
    guard let place = nodes[folder].children[name.bytes] else {
      throw SystemError("examine", name.shown, code: ENOENT)
    }
    return place
  }
}
