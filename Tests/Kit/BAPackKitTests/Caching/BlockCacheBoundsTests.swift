import BAPackKit
import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

/// Tests of a cache's disk space, and of the cost of limiting it.
@Suite("The size limit of a cache")
struct BlockCacheBoundsTests {
  private static let page: UInt64 = 4096
  private static let settings = PackSettings(compression: .lz4, effort: .fast, blockSize: 4096)

  /// Returns the disk space of the entries of a cache.
  private static func space(_ path: String) -> UInt64 {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.utf8.count == 65 }.reduce(0) { sum, name in
      let size = (try? FileStatus(ofFileAt: path + "/" + name).size) ?? 0
      return sum + (size + 4095) / 4096 * 4096
    }
  }

  /// Returns bytes that compress slightly, with different contents in each file.
  private static func file(_ seed: Int, pages: Int) -> [UInt8] {
    var seeded = Seeded(seed: UInt64(seed))
    return (0..<pages * 4096).map { $0 & 3 == 0 ? 0 : UInt8(truncatingIfNeeded: seeded.next()) }
  }

  @Test(.heavy)
  func `the limit applies to the disk space for all writers, and hits use no space`() async throws {
    let place = try TemporaryFolder()
    let path = place.path
    let limit = 40 * Self.page
    // The same blocks repeatedly, then others: thirty times as many hits as the limit.
    let folder = try TemporaryFolder()
    try folder.makeFile("a", Self.file(1, pages: 20))
    for _ in 0..<60 {
      let cache = try BlockCache(path, limit: limit)
      let pack = try CachedPackTests.pack(folder, cache, Self.settings)
      #expect(cache.firstError == nil)
      #expect(try #require(pack.hits) + #require(pack.misses) >= 20)
    }
    let cache = try BlockCache(path, limit: limit)
    for _ in 0..<100 { _ = try CachedPackTests.pack(folder, cache, Self.settings) }
    try folder.makeFile("a", Self.file(2, pages: 15))
    _ = try CachedPackTests.pack(folder, cache, Self.settings)
    let again = try CachedPackTests.pack(folder, cache, Self.settings)
    #expect(again.misses == 0, "it stopped adding")
    // Parallel packers with different blocks, which exceed the limit.
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
  func `a killed packer reserves space for at most a day`() throws {
    let place = try TemporaryFolder()
    let folder = try TemporaryFolder()
    let limit = 16 * Self.page
    try folder.makeFile("a", Self.file(1, pages: 4))
    _ = try CachedPackTests.pack(folder, BlockCache(place.path, limit: limit), Self.settings)
    // Its reserved space is still in the ledger: the whole limit.
    var ledger = try place.contents("SPACE")
    ledger.replaceSubrange(16..<24, with: PackBytes.little(1 << 40, 8))
    try place.makeFile("SPACE", ledger)
    try folder.makeFile("a", Self.file(2, pages: 4))
    let full = try CachedPackTests.pack(
      folder, BlockCache(place.path, limit: limit), Self.settings)
    #expect(try #require(full.misses) > 3)
    // After a day all entries are counted.
    ledger.replaceSubrange(8..<16, with: PackBytes.little(Int(time(nil)) - 90_000, 8))
    try place.makeFile("SPACE", ledger)
    for misses in [full.misses, 0] {
      let pack = try CachedPackTests.pack(
        folder, BlockCache(place.path, limit: limit), Self.settings)
      #expect(pack.misses == misses)
    }
    // An invalid ledger counts as missing.
    for garbage in [[], [1, 2, 3], [UInt8](repeating: 255, count: 2080), ledger + [0]] {
      try place.makeFile("SPACE", garbage)
      let cache = try BlockCache(place.path, limit: limit)
      #expect(try CachedPackTests.pack(folder, cache, Self.settings).misses == 0)
      #expect(cache.firstError == nil)
      #expect(Self.space(place.path) <= limit)
    }
  }

  @Test
  func `files of any size with names of entries are harmless`() throws {
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
    // They use no space, so no entry was removed for them.
    #expect(second.misses == 0)
    try BlockCache(place.path, limit: 0).sweep(.unstoppable)
    #expect(try CachedPackTests.entries(place) == [])
    #expect(cache.firstError == nil)
  }

  @Test(.heavy)
  func `the cost of a sweep depends on the added entries, not on the size of the cache`() throws {
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
        #expect(cache.firstError == nil)
      }
      return counter.value
    }
    // The first run counts all entries, because there is no count.
    #expect(try pack(1, limit: 1 << 40) >= count)
    // With free space, only used entries are read.
    for seed in 2..<6 { #expect(try pack(seed, limit: 1 << 40) < 20) }
    // Without free space, a sample is read at times: each removal is a share of the limit.
    let full = UInt64(count + 8) * Self.page
    var reads = 0
    for seed in 6..<20 { reads += try pack(seed, limit: full) }
    #expect(reads < 10_000, "\(reads)")
    #expect(Self.space(place.path) <= full)
    #expect(try CachedPackTests.entries(place).count > count - count / 50)
  }
}
