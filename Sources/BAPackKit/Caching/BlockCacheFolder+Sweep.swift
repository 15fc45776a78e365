import Glibc
import SystemIO

extension BlockCacheFolder {
  /// How much of the disk an entry takes: file systems give space in whole pages.
  static func space(ofSize size: UInt64) -> UInt64 { (size + 4095) & ~4095 }

  /// Removes the entries that were used least recently until the others fit into `limit`, and what
  /// packers left behind that were killed.
  ///
  /// One packer at a time does this; another one that comes meanwhile leaves it to the first. Only
  /// files that have the names of entries, in folders that have the names of ours, are ever touched.
  /// Entries are counted by the second of their last use, not listed, so that memory does not grow
  /// with the cache; among those of one second, the order is that of their names.
  func sweep(to limit: UInt64) throws(SystemError) {
    let lock = try folder.open(Self.marker, for: .reading)
    // A file system without locks: two packers that sweep at once remove more, and nothing wrong.
    guard (try? lock.tryLock()) ?? true else { return }
    var spaceBySecond: [Int64: UInt64] = [:]
    try forEachEntry { _, _, second, space in spaceBySecond[second, default: 0] += space }
    let total = spaceBySecond.values.reduce(0, +)
    guard total > limit else { return }
    var excess = total - limit
    var last = Int64.min
    var left: UInt64 = 0
    for (second, space) in spaceBySecond.sorted(by: { $0.key < $1.key }) where excess > 0 {
      (last, left) = (second, excess)
      excess -= min(excess, space)
    }
    try forEachEntry { shelf, name, second, space throws(SystemError) in
      guard second < last || second == last && left > 0 else { return }
      if second == last { left -= min(left, space) }
      try shelf.remove(name)
    }
  }

  /// Calls `body` with the folder, the name, the second of the last use and the space of each entry.
  private func forEachEntry(
    _ body: (borrowing FileDescriptor, FileName, Int64, UInt64) throws(SystemError) -> Void
  ) throws(SystemError) {
    let longAgo = Int64(time(nil)) - 3600
    for name in Self.shelves {
      guard let shelf = try openIfPresent(name) else { continue }
      let listing = try shelf.list()
      for item in listing.items {
        let isEntry = Self.isEntryName(listing.name(of: item))
        guard isEntry || TemporaryName.matches(listing.name(of: item)),
          // It may have gone since the folder was listed.
          let status = try? shelf.status(of: item, in: listing), status.kind == .file
        else { continue }
        let name = listing.fileName(of: item)
        if isEntry {
          try body(shelf, name, status.modified.seconds, Self.space(ofSize: status.size))
        } else if status.modified.seconds < longAgo {
          try shelf.remove(name)
        }
      }
    }
  }

  private func openIfPresent(_ name: FileName) throws(SystemError) -> FileDescriptor? {
    do throws(SystemError) {
      return try folder.open(name, for: .directory)
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }
}
