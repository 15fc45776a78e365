import ForeignArchives
import Glibc
import SystemIO

/// A source root that is an archive: its list as a tree, so that the same rules apply as for a
/// folder.
///
/// The tree corresponds to the unpacked archive: of several entries with the same path it contains
/// the last, and it contains unlisted folders with entries. Entries that could not exist on a disk
/// are stored separately, and are reported only if a selector selects them.
struct ArchiveTree: SourceTree {
  private struct Node: Sendable {
    var parent: Int
    var status: FileStatus
    var target: [UInt8] = []
    var isEncrypted = false
    var flaw: String?
    var children: [[UInt8]: Int] = [:]
  }

  /// A folder is an index in `nodes`.
  private var nodes: [Node]
  private var strays: [Int: [Stray]] = [:]
  let root = 0

  init(_ listing: ForeignListing) {
    nodes = [Node(parent: 0, status: Self.folderStatus(at: 0))]
    for entry in listing.entries where entry.pathFlaw == nil { insert(entry) }
    // Parent folders are created as needed, so even the deepest path costs only its bytes.
    for entry in listing.entries {
      if let flaw = entry.pathFlaw { addStray(entry, flaw) }
    }
  }

  private mutating func insert(_ entry: ForeignEntry) {
    var place = root
    let names = entry.path.split(separator: slash).map(Array.init)
    for (depth, name) in names.enumerated() {
      if nodes[place].status.kind != .directory {
        let above = names[..<depth].joined(separator: [slash])
        addStray(entry, "is below '\(shownBytes(above))', which is not a folder")
        return
      }
      if let child = nodes[place].children[name] {
        place = child
      } else {
        nodes[place].children[name] = nodes.count
        nodes.append(Node(parent: place, status: Self.folderStatus(at: nodes.count)))
        place = nodes.count - 1
      }
    }
    guard entry.kind == .directory || nodes[place].children.isEmpty else {
      addStray(entry, "is both a folder and a file")
      return
    }
    let folderIdentity = FileIdentity(device: 1, number: UInt64(place))
    nodes[place].status = Self.status(of: entry)
    if entry.kind == .directory { nodes[place].status.identity = folderIdentity }
    nodes[place].isEncrypted = entry.isEncrypted
    nodes[place].flaw = entry.flaw
    nodes[place].target = if case .symbolicLink(let target) = entry.kind { target } else { [] }
  }

  /// Stores an entry that cannot be in the tree, at the deepest existing folder of its path.
  private mutating func addStray(_ entry: ForeignEntry, _ flaw: String) {
    var place = root
    var rest = entry.path.split(separator: slash)[...]
    while rest.count > 1, let name = rest.first, let child = nodes[place].children[Array(name)],
      nodes[child].status.kind == .directory
    {
      place = child
      rest = rest.dropFirst()
    }
    let path = Array(rest.joined(separator: [slash]))
    strays[place, default: []].append(Stray(path: path, flaw: flaw))
  }

  private static func folderStatus(at place: Int) -> FileStatus {
    FileStatus(
      identity: FileIdentity(device: 1, number: UInt64(place)), kind: .directory, size: 0,
      permissions: 0o755, userID: 0, groupID: 0, modified: Moment(seconds: 0),
      changed: Moment(seconds: 0), unknown: [.permissions, .owner, .time])
  }

  private static func status(of entry: ForeignEntry) -> FileStatus {
    let kind: FileKind =
      switch entry.kind {
      case .file, .hardLink: .file
      case .directory: .directory
      case .symbolicLink: .symbolicLink
      case .special: .characterDevice
      }
    var unknown: FileStatus.Unknown = []
    if !entry.hasPermissions { unknown.insert(.permissions) }
    if !entry.hasOwner { unknown.insert(.owner) }
    if entry.modified == nil { unknown.insert(.time) }
    return FileStatus(
      identity: FileIdentity(device: 0, number: UInt64(entry.contents)), kind: kind,
      size: entry.size ?? 0, permissions: entry.permissions & 0o7777,
      userID: UInt32(clamping: entry.userID), groupID: UInt32(clamping: entry.groupID),
      modified: entry.modified ?? Moment(seconds: 0),
      changed: entry.modified ?? Moment(seconds: 0),
      unknown: unknown)
  }
}

extension ArchiveTree {
  func parent(of folder: Int) -> Int? { folder == root ? nil : nodes[folder].parent }

  func list(_ folder: Int) throws(Failure) -> DirectoryListing {
    DirectoryListing(nodes[folder].children.map { ($0.key, nodes[$0.value].status.kind) })
  }

  func status(of folder: Int) throws(Failure) -> FileStatus { nodes[folder].status }

  func status(of item: DirectoryListing.Item, in listing: DirectoryListing, of folder: Int)
    throws(Failure) -> FileStatus
  {
    try status(of: listing.fileName(of: item), in: folder)
  }

  func status(of name: FileName, in folder: Int) throws(Failure) -> FileStatus {
    nodes[try place(of: name, in: folder)].status
  }

  func linkTarget(of name: FileName, in folder: Int) throws(Failure) -> [UInt8] {
    let node = nodes[try place(of: name, in: folder)]
    if node.flaw != nil { throw Failure(.follow, name.shown, code: EBADMSG) }
    return node.target
  }

  func open(_ name: FileName, in folder: Int) throws(Failure) -> Int {
    try place(of: name, in: folder)
  }

  func checkReadable(_ name: FileName, _ status: FileStatus, in folder: Int) throws(Failure) {
    if nodes[try place(of: name, in: folder)].isEncrypted {
      throw Failure(.decrypt, name.shown, code: ENOKEY)
    }
  }

  func flaw(of name: FileName, in folder: Int) -> String? {
    nodes[folder].children[name.bytes].flatMap { nodes[$0].flaw }
  }

  func strays(in folder: Int) -> [Stray] { strays[folder] ?? [] }

  private func place(of name: FileName, in folder: Int) throws(Failure) -> Int {
    guard let place = nodes[folder].children[name.bytes] else {
      throw Failure(.status, name.shown, code: ENOENT)
    }
    return place
  }
}
