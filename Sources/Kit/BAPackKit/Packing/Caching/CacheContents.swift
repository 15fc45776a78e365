import Glibc
package import SystemIO

/// The entries of a block cache: their number, their disk space, and the times of their last use.
package struct CacheContents: Sendable, Equatable {
  /// The number of entries.
  package private(set) var blocks = 0
  /// The disk space of the entries in bytes.
  package private(set) var bytes: UInt64 = 0
  /// The earliest time of a last use.
  package private(set) var oldest: Moment?
  /// The latest time of a last use.
  package private(set) var newest: Moment?

  package init() {}

  fileprivate mutating func add(_ entry: BlockCacheFolder.Entry) {
    let use = Moment(seconds: entry.second)
    blocks += 1
    bytes.addSaturated(entry.space)
    if oldest.map({ use < $0 }) ?? true { oldest = use }
    if newest.map({ use > $0 }) ?? true { newest = use }
  }

  /// Counts the entries of the cache in a folder; none if the folder is missing or empty.
  package init(at path: String, _ work: Work) throws(PackError) {
    guard let folder = try BlockCacheFolder.openExisting(path) else { return }
    self = try mapFailure(.reading) { () throws(Failure) in
      try folder.contents(work) { _ in }
    }
  }

  /// The entries to remove from a cache.
  package struct Removal: Sendable {
    /// Entries that were last used before this moment are removed; nil for none.
    package var before: Moment?
    /// The least recently used entries are removed until at most this disk space remains.
    package var limit: UInt64?

    package init(before: Moment? = nil, limit: UInt64? = nil) {
      self.before = before
      self.limit = limit
    }
  }

  /// Removes entries of the cache in a folder, and returns the removed and the remaining entries.
  ///
  /// Other programs can use the cache at the same time. In a dry run, all entries are kept.
  package static func remove(
    _ removal: Removal, at path: String, isDryRun: Bool, _ work: Work
  ) throws(PackError) -> (removed: CacheContents, left: CacheContents) {
    guard let folder = try BlockCacheFolder.openExisting(path) else {
      return (CacheContents(), CacheContents())
    }
    return try mapFailure(.writing) { () throws(Failure) in
      try folder.remove(removal, isDryRun: isDryRun, work)
    }
  }
}

extension BlockCacheFolder {
  /// Opens an existing cache; nil if the folder is missing or empty.
  fileprivate static func openExisting(_ path: String) throws(PackError) -> BlockCacheFolder? {
    do throws(Failure) {
      let folder = try FileDescriptor.open(path, for: .directory)
      switch try contents(of: folder) {
      case .nothing: return nil
      case .others: break
      case .cache, .damaged: return try open(path)
      }
    } catch {
      if error.code == ENOENT { return nil }
      guard error.code == ENOTDIR else { throw PackError(error) }
    }
    throw BlockCache.foreign(path)
  }

  fileprivate func contents(
    _ work: Work, _ visit: (Entry) -> Void
  ) throws(Failure) -> CacheContents {
    var contents = CacheContents()
    for shelf in 0..<BlockCacheLedger.shelfCount {
      try work.check()
      try forEachEntry(on: shelf, removingLeftovers: false) { _, _, entry in
        contents.add(entry)
        visit(entry)
      }
    }
    return contents
  }

  /// Removes entries: first by their age, then in the order of their last use.
  ///
  /// To limit memory, entries are counted by the second of their last use.
  fileprivate func remove(
    _ removal: CacheContents.Removal, isDryRun: Bool, _ work: Work
  ) throws(Failure) -> (removed: CacheContents, left: CacheContents) {
    var spaceBySecond: [Int64: UInt64] = [:]
    let all = try contents(work) { spaceBySecond[$0.second, default: 0].addSaturated($0.space) }
    let before = removal.before?.seconds ?? .min
    var excess = removal.limit.map { all.bytes - min($0, all.bytes) } ?? 0
    // All entries before `last` are removed, and of those in this second as many as necessary.
    var (last, part) = (before, UInt64(0))
    for (second, space) in spaceBySecond.sorted(by: { $0.key < $1.key }) {
      if second >= before {
        if excess == 0 { break }
        (last, part) = (second, excess)
      }
      excess -= min(excess, space)
    }
    var (removed, left) = (CacheContents(), CacheContents())
    for shelf in 0..<BlockCacheLedger.shelfCount {
      try work.check()
      try forEachEntry(on: shelf, removingLeftovers: !isDryRun) {
        folder, name, entry throws(Failure) in
        guard entry.second < last || entry.second == last && part > 0 else {
          return left.add(entry)
        }
        if entry.second == last { part -= min(part, entry.space) }
        if !isDryRun { try folder.remove(name) }
        removed.add(entry)
      }
    }
    if !isDryRun { try recount(work) }
    return (removed, left)
  }
}
