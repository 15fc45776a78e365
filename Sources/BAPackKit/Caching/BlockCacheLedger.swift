import AssetArchive
import Glibc
import SystemIO

/// How much of the disk the entries of a cache take, kept in a file of the cache, so that nobody has
/// to look at every entry to know.
///
/// Space is written down before it is taken: a packer books some, adds entries out of it, and gives
/// back what it did not need. So the sum is never too small, even if a packer is killed; then it is
/// too large for a while, and a count of everything, once a day, puts it right.
struct BlockCacheLedger: Equatable {
  /// When all entries were counted, in seconds since 1970.
  var counted: Int64 = 0
  /// What each shelf held when it was last looked at.
  var shelves: [UInt64]
  /// What was booked since then, on any shelf.
  var booked: UInt64 = 0
  /// The shelf to look at first when something has to go.
  var next: UInt64 = 0

  /// How many folders the entries are in.
  static let shelfCount = 256

  init() { shelves = [UInt64](repeating: 0, count: Self.shelfCount) }

  /// What the entries take.
  var space: UInt64 { shelves.reduce(booked) { $0.addingSaturated($1) } }

  /// Notes what a shelf really holds: what it gained since the last look was booked then.
  mutating func set(_ shelf: Int, to space: UInt64) {
    if space > shelves[shelf] { giveBack(space - shelves[shelf]) }
    shelves[shelf] = space
  }

  /// Takes away what was booked and is not needed.
  mutating func giveBack(_ space: UInt64) { booked -= min(booked, space) }
}

extension BlockCacheLedger {
  private static let magic = Array("BAPKSPC1".utf8)

  var bytes: [UInt8] {
    let numbers = [UInt64(bitPattern: counted), booked, next] + shelves
    return Self.magic
      + numbers.flatMap { number in
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
      }
  }

  /// Nil when the bytes are not those of a ledger.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.magic.count + 8 * (3 + Self.shelfCount),
      bytes.starts(with: Self.magic)
    else { return nil }
    let numbers = stride(from: Self.magic.count, to: bytes.count, by: 8).map { start in
      bytes[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    counted = Int64(bitPattern: numbers[0])
    booked = numbers[1]
    next = numbers[2] % UInt64(Self.shelfCount)
    shelves = Array(numbers[3...])
  }
}

// MARK: - In the folder of a cache

extension BlockCacheFolder {
  private static let ledger = FileName("SPACE")
  private static let day: Int64 = 86_400

  /// Books up to `wanted` bytes for new entries, at least `needed`, and says how many; 0 when there is
  /// no room for them within `limit`, because all that is there was used from `start` on.
  func book(
    _ needed: UInt64, upTo wanted: UInt64, within limit: UInt64, since start: Int64
  ) throws(Failure) -> UInt64 {
    try withLedger { ledger throws(Failure) in
      if ledger.space.addingSaturated(needed) > limit {
        try makeRoom(for: wanted, within: limit, usedBefore: start, &ledger)
      }
      let free = limit - min(limit, ledger.space)
      guard free >= needed else { return 0 }
      let granted = min(free, wanted)
      ledger.booked = ledger.booked.addingSaturated(granted)
      return granted
    }
  }

  /// Gives back what was booked and not used, and removes what was used least recently until the
  /// entries are within `limit`.
  func sweep(to limit: UInt64, givingBack unused: UInt64) throws(Failure) {
    try withLedger { ledger throws(Failure) in
      ledger.giveBack(unused)
      if ledger.space > limit {
        try makeRoom(for: 0, within: limit, usedBefore: .max, &ledger)
      }
    }
  }

  /// Lends the ledger to one packer at a time.
  private func withLedger<Success>(
    _ body: (inout BlockCacheLedger) throws(Failure) -> Success
  ) throws(Failure) -> Success {
    let lock = try folder.open(Self.marker, for: .reading)
    // On a file system without locks two packers may book the same space: a day later it is counted.
    try? lock.lock()
    var ledger = try readLedger() ?? BlockCacheLedger()
    let before = ledger
    let now = Int64(time(nil))
    if !(ledger.counted...ledger.counted.addingSaturated(Self.day)).contains(now) {
      for shelf in ledger.shelves.indices {
        let count = try count(shelf) { _ in }
        ledger.shelves[shelf] = count.space
      }
      ledger.booked = 0
      ledger.counted = now
    }
    let result = try body(&ledger)
    if ledger != before { try folder.place(ledger.bytes, as: Self.ledger) }
    return result
  }

  private func readLedger() throws(Failure) -> BlockCacheLedger? {
    do throws(Failure) {
      let file = try ByteSource(try folder.open(Self.ledger, for: .reading))
      return BlockCacheLedger(try file.read(at: 0, count: 1 << 12))
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }
}

// MARK: - Making room

extension BlockCacheFolder {
  /// How many entries are looked at, at least, to find those that were used least recently.
  private static let leastSample = 1024
  /// How much more than has to go is looked at.
  private static let sampleFactor: UInt64 = 8

  /// Removes entries that were used least recently, and before the second `start`, until there is
  /// room for `space` more.
  ///
  /// So many shelves are looked at that what has to go is an eighth of what is on them: which shelf
  /// an entry is on is chance, so the oldest of these are nearly the oldest of all, and the work grows
  /// with what was added and not with the cache. A cache of few entries is looked at whole.
  private func makeRoom(
    for space: UInt64, within limit: UInt64, usedBefore start: Int64,
    _ ledger: inout BlockCacheLedger
  ) throws(Failure) {
    var left = BlockCacheLedger.shelfCount
    func excess() -> UInt64 {
      let wanted = ledger.space.addingSaturated(space)
      return wanted - min(wanted, limit)
    }
    while left > 0, excess() > 0 {
      var shelves: [Int] = []
      var (seen, entries) = (UInt64(0), 0)
      var spaceBySecond: [Int64: UInt64] = [:]
      while left > 0,
        entries < Self.leastSample || seen / Self.sampleFactor < excess()
      {
        let shelf = Int(ledger.next)
        ledger.next = (ledger.next + 1) % UInt64(BlockCacheLedger.shelfCount)
        left -= 1
        let count = try count(shelf) { entry in
          guard entry.second < start else { return }
          spaceBySecond[entry.second, default: 0].addSaturated(entry.space)
        }
        ledger.set(shelf, to: count.space)
        shelves.append(shelf)
        seen.addSaturated(count.space)
        entries += count.entries
      }
      try remove(excess(), from: shelves, spaceBySecond, &ledger)
    }
  }

  /// Removes the oldest entries of some shelves, `excess` bytes of them or as much as there is.
  ///
  /// Entries are counted by the second of their last use, not listed, so that memory does not grow
  /// with the cache; among those of one second, the order is that of their names.
  private func remove(
    _ excess: UInt64, from shelves: [Int], _ spaceBySecond: [Int64: UInt64],
    _ ledger: inout BlockCacheLedger
  ) throws(Failure) {
    var excess = excess
    var last = Int64.min
    var left: UInt64 = 0
    for (second, space) in spaceBySecond.sorted(by: { $0.key < $1.key }) where excess > 0 {
      (last, left) = (second, excess)
      excess -= min(excess, space)
    }
    guard last > .min else { return }
    for shelf in shelves.sorted() {
      try forEachEntry(on: shelf) { folder, name, entry throws(Failure) in
        guard entry.second < last || entry.second == last && left > 0 else { return }
        if entry.second == last { left -= min(left, entry.space) }
        try folder.remove(name)
        ledger.shelves[shelf] -= min(ledger.shelves[shelf], entry.space)
      }
    }
  }

  /// What counts of an entry when something has to go.
  struct Entry {
    /// When it was last used.
    var second: Int64
    var space: UInt64
  }

  private func count(
    _ shelf: Int, _ body: (Entry) -> Void
  ) throws(Failure) -> (space: UInt64, entries: Int) {
    var sum = (space: UInt64(0), entries: 0)
    try forEachEntry(on: shelf) { _, _, entry in
      sum.space.addSaturated(entry.space)
      sum.entries += 1
      body(entry)
    }
    return sum
  }

  /// Calls `body` with the folder and the name of each entry on a shelf, and takes away what packers
  /// left there that were killed.
  ///
  /// Only files that have the names of entries, in folders that have the names of ours, are touched.
  private func forEachEntry(
    on shelf: Int, _ body: (borrowing FileDescriptor, FileName, Entry) throws(Failure) -> Void
  ) throws(Failure) {
    let longAgo = Int64(time(nil)) - 3600
    guard let folder = try openIfPresent(Self.shelf(shelf)) else { return }
    let listing = try folder.list()
    for item in listing.items {
      let isEntry = Self.isEntryName(listing.name(of: item))
      guard isEntry || TemporaryName.matches(listing.name(of: item)),
        // It may have gone since the folder was listed.
        let status = try? folder.status(of: item, in: listing), status.kind == .file
      else { continue }
      let name = listing.fileName(of: item)
      if isEntry {
        try body(
          folder, name, Entry(second: status.modified.seconds, space: Self.space(of: status)))
      } else if status.modified.seconds < longAgo {
        try folder.remove(name)
      }
    }
  }

  private func openIfPresent(_ name: FileName) throws(Failure) -> FileDescriptor? {
    do throws(Failure) {
      return try folder.open(name, for: .directory)
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }

  /// How much of the disk an entry of a size takes: file systems give space in whole pages.
  static func space(ofSize size: UInt64) -> UInt64 { size.addingSaturated(4095) & ~4095 }

  /// How much an entry takes that is there: what somebody made of holes takes nothing.
  private static func space(of status: FileStatus) -> UInt64 {
    min(space(ofSize: status.size), max(4096, status.allocated))
  }
}
