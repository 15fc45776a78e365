import ForeignArchives
import Glibc
import SystemIO

/// A source root that is an archive: its list as a tree, so that the same rules apply as for a
/// folder.
///
/// The tree corresponds to the unpacked archive: of several entries with the same path it contains
/// the last, and it contains unlisted folders with entries. Entries that could not exist on a disk
/// are stored separately, and are reported only if a selector selects them.
///
/// Memory is 24 bytes for each file and folder, in addition to the list, and 4 bytes for each of at
/// least a third more slots.
struct ArchiveTree: SourceTree {
  private struct Node: Sendable {
    static let none = UInt32.max

    /// The place of the name in the paths of the list: its start times 65,536, and its size, which
    /// is at most that of the longest path.
    private let place: UInt64
    let parent: UInt32
    /// The index of its entry in the list; `none` for a folder without an entry.
    var entry = Node.none
    /// The child that was added last, and the sibling that was added before this node.
    var lastChild = Node.none
    var previous = Node.none

    init(_ name: Range<Int>, parent: UInt32) {
      place = UInt64(name.lowerBound) << 16 | UInt64(name.count)
      self.parent = parent
    }

    var name: Range<Int> {
      let start = Int(place >> 16)
      return start..<start + Int(place & 0xFFFF)
    }
  }

  private let entries: ForeignEntries
  /// A folder is an index in `nodes`.
  private var nodes = [Node(0..<0, parent: Node.none)]
  /// The nodes by the hashes of their parents and names; `none` is a free slot.
  private var slots: [UInt32]
  private var strays: [Int: [Stray]] = [:]
  let root = 0

  init(_ listing: ForeignListing) {
    entries = listing.entries
    nodes.reserveCapacity(entries.count + 1)
    // At most three quarters are used, if no folder is missing.
    slots = [UInt32](repeating: Node.none, count: entries.count / 3 * 4 + 64)
    for place in entries.indices where entries.pathFlaw(at: place) == nil { insert(place) }
    // Parent folders are created as needed, so even the deepest path costs only its bytes.
    for place in entries.indices {
      if let flaw = entries.pathFlaw(at: place) { addStray(place, flaw) }
    }
  }

  private mutating func insert(_ entry: Int) {
    var place = root
    let path = entries.path(at: entry)
    var rest = path
    while let name = nextName(&rest) {
      if !isDirectory(place) {
        let above = shownBytes(entries.paths[path.lowerBound..<name.lowerBound].dropLast())
        addStray(entry, "is below '\(above)', which is not a folder")
        return
      }
      if let child = self.child(name, of: place) {
        place = child
      } else {
        place = add(name, to: place)
      }
    }
    guard entries.isDirectory(at: entry) || nodes[place].lastChild == Node.none else {
      addStray(entry, "is both a folder and a file")
      return
    }
    nodes[place].entry = UInt32(entry)
  }

  /// Removes the first name from a place of a path; returns the place of the name.
  private func nextName(_ rest: inout Range<Int>) -> Range<Int>? {
    guard !rest.isEmpty else { return nil }
    let end = entries.paths[rest].firstIndex(of: slash) ?? rest.upperBound
    let name = rest.lowerBound..<end
    rest = min(end + 1, rest.upperBound)..<rest.upperBound
    return name
  }

  /// Stores an entry that cannot be in the tree, at the deepest existing folder of its path.
  private mutating func addStray(_ entry: Int, _ flaw: String) {
    var place = root
    let names = entries.paths[entries.path(at: entry)].split(separator: slash)
    var rest = names[...]
    while rest.count > 1, let name = rest.first,
      let child = self.child(name.startIndex..<name.endIndex, of: place), isDirectory(child)
    {
      place = child
      rest = rest.dropFirst()
    }
    let path = Array(rest.joined(separator: [slash]))
    strays[place, default: []].append(Stray(path: path, flaw: flaw))
  }

  // MARK: - Children

  private func isDirectory(_ place: Int) -> Bool {
    let entry = nodes[place].entry
    return entry == Node.none || entries.isDirectory(at: Int(entry))
  }

  private func name(at place: Int) -> ArraySlice<UInt8> {
    entries.paths[nodes[place].name]
  }

  private func child(_ name: Range<Int>, of parent: Int) -> Int? {
    child(named: entries.paths[name], of: parent)
  }

  private func child(named name: ArraySlice<UInt8>, of parent: Int) -> Int? {
    let slot = slots[self.slot(of: name, in: parent)]
    return slot == Node.none ? nil : Int(slot)
  }

  /// Returns the slot of a child, or the free slot for it.
  private func slot(of name: ArraySlice<UInt8>, in parent: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(parent)
    hasher.combine(bytes: name)
    let hash = UInt(bitPattern: hasher.finalize())
    // The part of the slots that corresponds to the hash as a fraction.
    var slot = Int(hash.multipliedFullWidth(by: UInt(slots.count)).high)
    while slots[slot] != Node.none {
      let place = Int(slots[slot])
      if Int(nodes[place].parent) == parent, self.name(at: place) == name { return slot }
      slot = slot + 1 == slots.count ? 0 : slot + 1
    }
    return slot
  }

  /// Adds a child that does not exist.
  private mutating func add(_ name: Range<Int>, to parent: Int) -> Int {
    let place = nodes.count
    var node = Node(name, parent: UInt32(parent))
    node.previous = nodes[parent].lastChild
    nodes[parent].lastChild = UInt32(place)
    nodes.append(node)
    if nodes.count > slots.count / 4 * 3 {
      slots = [UInt32](repeating: Node.none, count: 2 * slots.count)
      for place in nodes.indices.dropFirst() { link(place) }
    } else {
      link(place)
    }
    return place
  }

  private mutating func link(_ place: Int) {
    slots[slot(of: name(at: place), in: Int(nodes[place].parent))] = UInt32(place)
  }

  // MARK: - Status

  /// Returns the entry of a file or folder; nil for a folder without an entry.
  private func entry(at place: Int) -> ForeignEntry? {
    nodes[place].entry == Node.none ? nil : entries[Int(nodes[place].entry)]
  }

  private func status(at place: Int) -> FileStatus {
    let folder = Self.folderStatus(at: place)
    guard let entry = entry(at: place) else { return folder }
    var status = Self.status(of: entry)
    if entry.kind == .directory { status.identity = folder.identity }
    return status
  }

  private func kind(at place: Int) -> FileKind {
    isDirectory(place) ? .directory : status(at: place).kind
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
  func parent(of folder: Int) -> Int? { folder == root ? nil : Int(nodes[folder].parent) }

  func list(_ folder: Int) throws(Failure) -> DirectoryListing {
    let children = sequence(first: nodes[folder].lastChild) { nodes[Int($0)].previous }
      .prefix { $0 != Node.none }
    return DirectoryListing(
      children.map { (name: Array(name(at: Int($0))), kind: kind(at: Int($0))) })
  }

  func status(of folder: Int) throws(Failure) -> FileStatus { status(at: folder) }

  func status(of item: DirectoryListing.Item, in listing: DirectoryListing, of folder: Int)
    throws(Failure) -> FileStatus
  {
    try status(of: listing.fileName(of: item), in: folder)
  }

  func status(of name: FileName, in folder: Int) throws(Failure) -> FileStatus {
    status(at: try place(of: name, in: folder))
  }

  func linkTarget(of name: FileName, in folder: Int) throws(Failure) -> [UInt8] {
    let entry = entry(at: try place(of: name, in: folder))
    if entry?.flaw != nil { throw Failure(.follow, name.shown, code: EBADMSG) }
    return if case .symbolicLink(let target) = entry?.kind { target } else { [] }
  }

  func open(_ name: FileName, in folder: Int) throws(Failure) -> Int {
    try place(of: name, in: folder)
  }

  func checkReadable(_ name: FileName, _ status: FileStatus, in folder: Int) throws(Failure) {
    if entry(at: try place(of: name, in: folder))?.isEncrypted == true {
      throw Failure(.decrypt, name.shown, code: ENOKEY)
    }
  }

  func flaw(of name: FileName, in folder: Int) -> String? {
    child(named: name.bytes[...], of: folder).flatMap { entry(at: $0)?.flaw }
  }

  func strays(in folder: Int) -> [Stray] { strays[folder] ?? [] }

  var listedSize: (entries: Int, pathBytes: Int)? { (entries.count, entries.paths.count) }

  private func place(of name: FileName, in folder: Int) throws(Failure) -> Int {
    guard let place = child(named: name.bytes[...], of: folder) else {
      throw Failure(.status, name.shown, code: ENOENT)
    }
    return place
  }
}
