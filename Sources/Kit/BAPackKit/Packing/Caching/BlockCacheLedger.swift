import AssetArchive
import Glibc
import SystemIO

/// The disk space of a cache's entries, recorded in a file, so that the entries are not counted
/// each time.
///
/// Space is reserved before it is used: a packer reserves space, adds entries, and releases the
/// rest. The sum is therefore never too small. If a packer is killed, the sum is too large. All
/// entries are counted once a day, which corrects it.
struct BlockCacheLedger: Equatable {
  /// The time of the last count of all entries, in seconds since 1970.
  var counted: Int64 = 0
  /// The space of each shelf at its last count.
  var shelves: [UInt64]
  /// The space that was reserved since then, on any shelf.
  var booked: UInt64 = 0
  /// The shelf that is searched first when space is needed.
  var next: UInt64 = 0

  /// The number of shelves: folders with entries.
  static let shelfCount = 256

  init() { shelves = [UInt64](repeating: 0, count: Self.shelfCount) }

  /// The space of all entries.
  var space: UInt64 { shelves.reduce(booked) { $0.addingSaturated($1) } }

  /// Sets the space of a shelf.
  ///
  /// Space that was added after its last count is part of `booked`.
  mutating func set(_ shelf: Int, to space: UInt64) {
    if space > shelves[shelf] { release(space - shelves[shelf]) }
    shelves[shelf] = space
  }

  /// Releases reserved space that was not used.
  mutating func release(_ space: UInt64) { booked -= min(booked, space) }
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

  /// Reads a ledger; nil if the bytes are invalid.
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
  static let ledger = FileName("SPACE")
  private static let day: Int64 = 86_400

  /// Reserves up to `wanted` bytes for new entries, at least `needed`, and returns the reserved
  /// number.
  ///
  /// The result is 0 if `limit` leaves no space, because all entries were used since `start`.
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

  /// Releases reserved space that was not used, and removes the least recently used entries until
  /// the rest is within `limit`.
  func sweep(to limit: UInt64, givingBack unused: UInt64, _ work: Work) throws(Failure) {
    try withLedger(work) { ledger throws(Failure) in
      ledger.release(unused)
      if ledger.space > limit {
        try makeRoom(for: 0, within: limit, usedBefore: .max, &ledger)
      }
    }
  }

  /// Counts all entries again, for example after entries were removed.
  func recount(_ work: Work) throws(Failure) {
    try withLedger(work) { ledger throws(Failure) in
      for shelf in ledger.shelves.indices {
        ledger.set(shelf, to: try count(shelf) { _ in }.space)
      }
    }
  }

  /// Locks the ledger during `body`.
  private func withLedger<Success>(
    _ work: Work, _ body: (inout BlockCacheLedger) throws(Failure) -> Success
  ) throws(Failure) -> Success {
    let lock = try folder.open(Self.marker, for: .reading)
    // On a file system without locks, two packers may reserve the same space. The daily count
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
    try ifPresent { () throws(Failure) in
      let file = try ByteSource(try folder.open(Self.ledger, for: .reading))
      return BlockCacheLedger(try file.read(at: 0, count: 1 << 12))
    } ?? nil
  }
}

// MARK: - Making room

extension BlockCacheFolder {
  /// The minimum number of entries to compare in the search for the least recently used ones.
  private static let leastSample = 1024
  /// The ratio of the space of the compared entries to the needed space.
  private static let sampleFactor: UInt64 = 8

  /// Removes the least recently used entries, but none used since `start`, until `space` more bytes
  /// are free.
  ///
  /// Only shelves with about eight times the needed space are searched. Entries are distributed
  /// randomly over the shelves, so the oldest entries on some shelves are nearly the oldest of all.
  /// The duration depends on the added space, not on the size of the cache. A small cache is
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

  /// Removes the oldest entries of some shelves: `excess` bytes of them, or all.
  ///
  /// To limit memory in a large cache, entries are not listed but counted by the second of their
  /// last use. Entries of the same second are removed in the order of their names.
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

  /// The properties of an entry that matter when space is needed.
  struct Entry {
    /// The time of its last use, in seconds.
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

  /// Calls `body` with the folder and the name of each entry on a shelf, and removes temporary
  /// files of killed packers, unless `removesLeftovers` is false.
  ///
  /// Only files with names of entries, in folders with names of shelves, are touched.
  func forEachEntry(
    on shelf: Int, removingLeftovers removesLeftovers: Bool = true,
    _ body: (borrowing FileDescriptor, FileName, Entry) throws(Failure) -> Void
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
      } else if removesLeftovers, status.modified.seconds < longAgo {
        try folder.remove(name)
      }
    }
  }

  /// Opens a shelf; nil if it does not exist.
  func openIfPresent(_ name: FileName) throws(Failure) -> FileDescriptor? {
    try ifPresent { () throws(Failure) in try folder.open(name, for: .directory) }
  }

  /// Returns the disk space of an entry of this size: file systems use whole pages.
  static func space(ofSize size: UInt64) -> UInt64 { size.addingSaturated(4095) & ~4095 }

  /// Returns the disk space of an existing entry; holes in a file use no space.
  private static func space(of status: FileStatus) -> UInt64 {
    min(space(ofSize: status.size), max(4096, status.allocated))
  }
}
