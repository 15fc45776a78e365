import SystemIO

/// The entries of an archive, in its order, in little memory: 48 bytes for each, and its path.
///
/// Links, devices and entries with flaws are rare, and are stored whole.
package struct ForeignEntries: Sendable {
  private struct Traits: OptionSet {
    let rawValue: UInt8
    static let isDirectory = Traits(rawValue: 1)
    static let hasSize = Traits(rawValue: 2)
    static let hasOwner = Traits(rawValue: 4)
    static let hasPermissions = Traits(rawValue: 8)
    static let hasTime = Traits(rawValue: 16)
    static let isEncrypted = Traits(rawValue: 32)
    static let isWhole = Traits(rawValue: 64)
  }

  private struct Row {
    var pathStart: UInt64
    var size: UInt64 = 0
    var seconds: Int64 = 0
    var nanoseconds: UInt32 = 0
    var userID: UInt32 = 0
    var groupID: UInt32 = 0
    var contents: UInt32 = 0
    var pathSize: UInt32
    var permissions: UInt16 = 0
    var traits = Traits.isWhole
  }

  /// The paths, one after the other.
  package private(set) var paths: [UInt8] = []
  private var rows: [Row] = []
  private var whole: [Int: ForeignEntry] = [:]

  package init() {}

  mutating func append(_ entry: ForeignEntry) {
    let place = rows.count
    rows.append(Row(pathStart: UInt64(paths.count), pathSize: UInt32(entry.path.count)))
    paths += entry.path
    guard entry.index == place, let row = row(of: entry, in: rows[place]) else {
      whole[place] = entry
      return
    }
    rows[place] = row
  }

  /// Returns the row of a file or folder; nil if an entry has other properties.
  private func row(of entry: ForeignEntry, in place: Row) -> Row? {
    guard entry.kind == .file || entry.kind == .directory, entry.flaw == nil,
      entry.pathFlaw == nil, let userID = UInt32(exactly: entry.userID),
      let groupID = UInt32(exactly: entry.groupID), let contents = UInt32(exactly: entry.contents),
      let permissions = UInt16(exactly: entry.permissions)
    else { return nil }
    var row = place
    row.size = entry.size ?? 0
    row.seconds = entry.modified?.seconds ?? 0
    row.nanoseconds = entry.modified?.nanoseconds ?? 0
    (row.userID, row.groupID, row.contents) = (userID, groupID, contents)
    row.permissions = permissions
    row.traits = []
    if entry.kind == .directory { row.traits.insert(.isDirectory) }
    if entry.size != nil { row.traits.insert(.hasSize) }
    if entry.hasOwner { row.traits.insert(.hasOwner) }
    if entry.hasPermissions { row.traits.insert(.hasPermissions) }
    if entry.modified != nil { row.traits.insert(.hasTime) }
    if entry.isEncrypted { row.traits.insert(.isEncrypted) }
    return row
  }

  /// The place in ``paths`` of the path of an entry.
  package func path(at place: Int) -> Range<Int> {
    let start = Int(rows[place].pathStart)
    return start..<start + Int(rows[place].pathSize)
  }

  /// Returns the reason why a file cannot have the path of an entry.
  package func pathFlaw(at place: Int) -> String? {
    rows[place].traits.contains(.isWhole) ? whole[place]?.pathFlaw : nil
  }

  /// Whether an entry is a folder.
  package func isDirectory(at place: Int) -> Bool {
    let traits = rows[place].traits
    return traits.contains(.isWhole)
      ? whole[place]?.kind == .directory : traits.contains(.isDirectory)
  }
}

extension ForeignEntries: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { rows.count }

  package internal(set) subscript(place: Int) -> ForeignEntry {
    get {
      if let entry = rows[place].traits.contains(.isWhole) ? whole[place] : nil { return entry }
      let row = rows[place]
      var entry = ForeignEntry(
        index: place, path: Array(paths[path(at: place)]),
        kind: row.traits.contains(.isDirectory) ? .directory : .file,
        size: row.traits.contains(.hasSize) ? row.size : nil,
        permissions: UInt32(row.permissions), userID: UInt64(row.userID),
        groupID: UInt64(row.groupID),
        modified: row.traits.contains(.hasTime)
          ? Moment(seconds: row.seconds, nanoseconds: row.nanoseconds) : nil,
        isEncrypted: row.traits.contains(.isEncrypted))
      entry.contents = Int(row.contents)
      entry.hasOwner = row.traits.contains(.hasOwner)
      entry.hasPermissions = row.traits.contains(.hasPermissions)
      return entry
    }
    set {
      rows[place].traits = .isWhole
      whole[place] = newValue
    }
  }
}
