import BAPackKit
import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

/// What a cache takes of the disk, and what it costs to keep it so.
@Suite("The bounds of a cache")
struct BlockCacheBoundsTests {
  private static let page: UInt64 = 4096
  private static let settings = PackSettings(compression: .lz4, effort: .fast, blockSize: 4096)

  /// What the entries of a cache take.
  private static func space(_ path: String) -> UInt64 {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.utf8.count == 65 }.reduce(0) { sum, name in
      let size = (try? FileStatus(ofFileAt: path + "/" + name).size) ?? 0
      return sum + (size + 4095) / 4096 * 4096
    }
  }

  /// Bytes that shrink a little in every block, and are others in every file.
  private static func file(_ seed: Int, pages: Int) -> [UInt8] {
    var seeded = Seeded(seed: UInt64(seed))
    return (0..<pages * 4096).map { $0 & 3 == 0 ? 0 : UInt8(truncatingIfNeeded: seeded.next()) }
  }

  @Test(.heavy)
  func `the limit is what is on the disk, whoever adds, and hits take nothing of it`() async throws
  {
    let place = try TemporaryFolder()
    let path = place.path
    let limit = 40 * Self.page
    // The same blocks again and again, then others: as many hits as thirty times the limit.
    let folder = try TemporaryFolder()
    try folder.makeFile("a", Self.file(1, pages: 20))
    for _ in 0..<60 {
      let cache = try BlockCache(path, limit: limit)
      let pack = try CachedPackTests.pack(folder, cache, Self.settings)
      #expect(cache.trouble == nil)
      #expect(try #require(pack.hits) + #require(pack.misses) >= 20)
    }
    let cache = try BlockCache(path, limit: limit)
    for _ in 0..<100 { _ = try CachedPackTests.pack(folder, cache, Self.settings) }
    try folder.makeFile("a", Self.file(2, pages: 15))
    _ = try CachedPackTests.pack(folder, cache, Self.settings)
    let again = try CachedPackTests.pack(folder, cache, Self.settings)
    #expect(again.misses == 0, "it stopped adding")
    // Packers side by side, each with blocks of its own, more than the limit takes.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for packer in 0..<4 {
        group.addTask {
          let folder = try TemporaryFolder()
          for round in 0..<6 {
            let cache = try BlockCache(path, limit: limit)
            try folder.makeFile("a", Self.file(10 * packer + round + 3, pages: 9))
            _ = try CachedPackTests.pack(folder, cache, Self.settings)
            #expect(Self.space(path) <= limit)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(Self.space(path) > limit / 2)
  }

  @Test
  func `a packer that was killed takes no space for longer than a day`() throws {
    let place = try TemporaryFolder()
    let folder = try TemporaryFolder()
    let limit = 16 * Self.page
    try folder.makeFile("a", Self.file(1, pages: 4))
    _ = try CachedPackTests.pack(folder, BlockCache(place.path, limit: limit), Self.settings)
    // What it had booked is still in the book: all there is.
    var ledger = try place.contents("SPACE")
    ledger.replaceSubrange(16..<24, with: PackBytes.little(1 << 40, 8))
    try place.makeFile("SPACE", ledger)
    try folder.makeFile("a", Self.file(2, pages: 4))
    let full = try CachedPackTests.pack(
      folder, BlockCache(place.path, limit: limit), Self.settings)
    #expect(try #require(full.misses) > 3)
    // A day later everything is counted.
    ledger.replaceSubrange(8..<16, with: PackBytes.little(Int(time(nil)) - 90_000, 8))
    try place.makeFile("SPACE", ledger)
    for misses in [full.misses, 0] {
      let pack = try CachedPackTests.pack(
        folder, BlockCache(place.path, limit: limit), Self.settings)
      #expect(pack.misses == misses)
    }
    // Garbage in its place is a book that is not there.
    for garbage in [[], [1, 2, 3], [UInt8](repeating: 255, count: 2080), ledger + [0]] {
      try place.makeFile("SPACE", garbage)
      let cache = try BlockCache(place.path, limit: limit)
      #expect(try CachedPackTests.pack(folder, cache, Self.settings).misses == 0)
      #expect(cache.trouble == nil)
      #expect(Self.space(place.path) <= limit)
    }
  }

  @Test
  func `files of any size that are called like entries do no harm`() throws {
    let place = try TemporaryFolder()
    let folder = try TemporaryFolder()
    try folder.makeFile("a", Self.file(1, pages: 4))
    let cache = try BlockCache(place.path, limit: 64 * Self.page)
    for shelf in ["00", "01", "02"] {
      try place.makeHole(shelf + "/" + String(repeating: "0", count: 62), size: 1 << 42)
    }
    let first = try CachedPackTests.pack(folder, cache, Self.settings)
    let second = try CachedPackTests.pack(folder, cache, Self.settings)
    #expect(try #require(first.misses) > 3)
    // They take nothing, so nothing had to go for them.
    #expect(second.misses == 0)
    try BlockCache(place.path, limit: 0).sweep(.unstoppable)
    #expect(try CachedPackTests.entries(place) == [])
    #expect(cache.trouble == nil)
  }

  @Test(.heavy)
  func `to sweep costs what was added, not what is there`() throws {
    let place = try TemporaryFolder()
    let folder = try TemporaryFolder()
    _ = try BlockCache(place.path, limit: 0)
    let count = 20_000
    for index in 0..<count {
      let shelf = String(index & 255 | 256, radix: 16).suffix(2)
      if index < 256 { try place.makeFolder(String(shelf)) }
      let digits = String(index, radix: 16)
      let name = String(repeating: "0", count: 62 - digits.count) + digits
      let file = try FileDescriptor.open(
        place.path("\(shelf)/\(name)"), for: .creating(permissions: 0o600))
      try file.write([1])
      try file.close()
    }
    func pack(_ seed: Int, limit: UInt64) throws -> Int {
      try folder.makeFile("a", Self.file(seed, pages: 1))
      let counter = CallCount()
      try ForcedFailures.inject(ForcedFailure(.status, .run { counter.add() }, within: place.path))
      {
        let cache = try BlockCache(place.path, limit: limit)
        #expect(try CachedPackTests.pack(folder, cache, Self.settings).misses == 2)
        #expect(cache.trouble == nil)
      }
      return counter.value
    }
    // The first one counts everything, since nobody has.
    #expect(try pack(1, limit: 1 << 40) >= count)
    // With room, nothing is looked at but what is used.
    for seed in 2..<6 { #expect(try pack(seed, limit: 1 << 40) < 20) }
    // Without, a sample is, now and then: what goes at once is a share of the limit.
    let full = UInt64(count + 8) * Self.page
    var looks = 0
    for seed in 6..<20 { looks += try pack(seed, limit: full) }
    #expect(looks < 10_000, "\(looks)")
    #expect(Self.space(place.path) <= full)
    #expect(try CachedPackTests.entries(place).count > count - count / 50)
  }
}
