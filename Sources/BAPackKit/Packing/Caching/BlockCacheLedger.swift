import AssetArchive
import Glibc
import SystemIO

/// How much of the disk the entries of a cache take, kept in a file, so that the entries need not
/// be counted each time.
///
/// Space is reserved before it is used: a packer reserves some, adds entries, and gives back what
/// it did not need. So the sum is never too small. If a packer is killed, the sum is too large for
/// a while; all entries are counted once a day, which corrects it.
struct BlockCacheLedger: Equatable {
  /// When all entries were last counted, in seconds since 1970.
  var counted: Int64 = 0
  /// What each shelf had when it was last counted.
  var shelves: [UInt64]
  /// What has been reserved since then, on any shelf.
  var booked: UInt64 = 0
  /// The shelf that is searched first the next time space is needed.
  var next: UInt64 = 0

  /// The number of folders that entries are in; we call them shelves.
  static let shelfCount = 256

  init() { shelves = [UInt64](repeating: 0, count: Self.shelfCount) }

  /// What the entries take together.
  var space: UInt64 { shelves.reduce(booked) { $0.addingSaturated($1) } }

  /// Sets what a shelf has; what it gained since it was last counted is in `booked`.
  mutating func set(_ shelf: Int, to space: UInt64) {
    if space > shelves[shelf] { giveBack(space - shelves[shelf]) }
    shelves[shelf] = space
  }

  /// Gives back what was reserved and is not needed.
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

  /// Nil if the bytes are not those of a ledger.
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

  /// Reserves up to `wanted` bytes for new entries, at least `needed`; returns how many.
  ///
  /// 0 means that there is no room within `limit`, because all entries were used since `start`.
  func book(
    _ needed: UInt64, upTo wanted: UInt64, within limit: UInt64, since start: Int64, _ work: Work
  ) throws(Failure) -> UInt64 {
    try withLedger(work) { ledger throws(Failure) in
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

  /// Gives back what was reserved and not used, and removes the entries that were not used for the
  /// longest time until the rest is within `limit`.
  func sweep(to limit: UInt64, givingBack unused: UInt64, _ work: Work) throws(Failure) {
    try withLedger(work) { ledger throws(Failure) in
      ledger.giveBack(unused)
      if ledger.space > limit {
        try makeRoom(for: 0, within: limit, usedBefore: .max, &ledger)
      }
    }
  }

  /// Gives the ledger to one packer at a time.
  private func withLedger<Success>(
    _ work: Work, _ body: (inout BlockCacheLedger) throws(Failure) -> Success
  ) throws(Failure) -> Success {
    let lock = try folder.open(Self.marker, for: .reading)
    // On a file system without locks two packers may reserve the same space; the daily count
    // corrects that.
    do throws(Failure) {
      try lock.lock(work)
    } catch {
      if error.kind == .interrupted { throw error }
    }
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
  /// At least so many entries are compared to find those that were not used for the longest time.
  private static let leastSample = 1024
  /// How many times the needed space the compared entries take.
  private static let sampleFactor: UInt64 = 8

  /// Removes entries that were not used for the longest time, and not since `start`, until there is
  /// room for `space` more.
  ///
  /// Only as many shelves are searched as hold eight times what has to go. Entries are on the
  /// shelves at random, so the oldest on these shelves are nearly the oldest of all, and the time
  /// this takes depends on what was added and not on the size of the cache. A small cache is
  /// searched completely.
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

  /// Removes the oldest entries of some shelves: `excess` bytes of them, or as much as there is.
  ///
  /// To keep memory small in a large cache, entries are not listed but counted by the second of
  /// their last use; entries of the same second are removed in the order of their names.
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

  /// What matters about an entry when space is needed.
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

  /// Calls `body` with the folder and the name of each entry on a shelf, and removes what killed
  /// packers left there.
  ///
  /// It touches only files with the names of entries, in folders with the names of shelves.
  private func forEachEntry(
    on shelf: Int, _ body: (borrowing FileDescriptor, FileName, Entry) throws(Failure) -> Void
  ) throws(Failure) {
    let longAgo = Int64(time(nil)) - 3600
    guard let folder = try openIfPresent(Self.shelf(shelf)) else { return }
    let listing = try folder.list()
    for item in listing.items {
      let isEntry = Self.isEntryName(listing.name(of: item))
      guard isEntry || TemporaryName.matches(listing.name(of: item)),
        // The entry may have been removed since the folder was listed.
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

  /// How much of the disk an entry of this size takes: file systems use whole pages.
  static func space(ofSize size: UInt64) -> UInt64 { size.addingSaturated(4095) & ~4095 }

  /// How much an existing entry takes; holes in a file take nothing.
  private static func space(of status: FileStatus) -> UInt64 {
    min(space(ofSize: status.size), max(4096, status.allocated))
  }
}
