import AssetArchive
import BAPackKit
import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("Packing with a cache")
struct CachedPackTests {
  /// Returns a game with few and small blocks: text, noise and zeros.
  static func makeGame(_ folder: borrowing TemporaryFolder) throws {
    try folder.makeFile("a", (0..<40_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 7) })
    var seeded = Seeded(seed: 1)
    try folder.makeFile("b", seeded.noise(30_000))
    try folder.makeFile("c", [UInt8](repeating: 7, count: 40_000))
  }

  static let settings = PackSettings(compression: .zlib, effort: .fast, blockSize: 1 << 14)
  static func pack(
    _ folder: borrowing TemporaryFolder, _ cache: BlockCache?,
    _ settings: PackSettings = Self.settings
  ) throws -> (bytes: [UInt8], hits: Int?, misses: Int?) {
    var options = PackSeries.Options()
    options.cache = cache
    let (bytes, summary) = try PackerTests.pack(
      PackerTests.plan(folder, settings: settings), options)
    return (bytes, summary.cacheUse?.hits, summary.cacheUse?.misses)
  }

  /// Returns the entries of a cache, as paths in it.
  static func entries(_ folder: borrowing TemporaryFolder) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.utf8.count == 65 }
  }

  static func bytes(_ folder: borrowing TemporaryFolder, _ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: folder.path(name))))
  }

  static let everything: UInt64 = 1 << 40

  @Test(arguments: PackSettings.Compression.allCases, [1, 2])
  func `packs have the same bytes without a cache, with an empty one and with a full one`(
    compression: PackSettings.Compression, threads: Int
  ) throws {
    let folder = try TemporaryFolder()
    let place = try TemporaryFolder()
    try Self.makeGame(folder)
    let settings = PackSettings(
      compression: compression, effort: .fast, blockSize: 1 << 14, threads: threads)
    let plain = try Self.pack(folder, nil, settings)
    let cache = try BlockCache(place.path, limit: Self.everything)
    let first = try Self.pack(folder, cache, settings)
    let second = try Self.pack(folder, cache, settings)
    #expect(plain.hits == nil)
    #expect(first.bytes == plain.bytes)
    #expect(second.bytes == plain.bytes)
    #expect(cache.firstError == nil)
    if compression == .none {
      #expect([first.hits, first.misses, second.hits, second.misses] == [0, 0, 0, 0])
    } else {
      #expect(try #require(first.misses) > 3)
      #expect(second.hits == Self.lookups(first) && second.misses == 0)
    }
  }

  private static func lookups(_ pack: (bytes: [UInt8], hits: Int?, misses: Int?)) -> Int {
    (pack.hits ?? 0) + (pack.misses ?? 0)
  }

  @Test
  func `only changes are encoded again, and other settings result in other blocks`() throws {
    let folder = try TemporaryFolder()
    let place = try TemporaryFolder()
    try Self.makeGame(folder)
    let cache = try BlockCache(place.path, limit: Self.everything)
    let all = try #require(Self.pack(folder, cache).misses)
    try folder.makeFile("c", [UInt8](repeating: 7, count: 39_999) + [8])
    let again = try Self.pack(folder, cache)
    #expect(again.misses == 1)
    #expect(again.hits == all - 1)
    let others = [
      PackSettings(compression: .lz4, effort: .fast, blockSize: 1 << 14),
      PackSettings(compression: .zlib, effort: .best, blockSize: 1 << 14),
      PackSettings(compression: .zlib, effort: .fast, blockSize: 1 << 13),
    ]
    for other in others {
      let plain = try Self.pack(folder, nil, other)
      let cached = try Self.pack(folder, cache, other)
      #expect(cached.bytes == plain.bytes)
      // A block that occurs twice in one pack is encoded once.
      #expect(try #require(cached.misses) > 2)
    }
  }

  @Test(.heavy)
  func `an entry that is truncated, emptied or has a flipped bit is replaced`() throws {
    let folder = try TemporaryFolder()
    let place = try TemporaryFolder()
    // One short block, so one short entry.
    try folder.makeFile("c", [UInt8](repeating: 7, count: 300))
    let cache = try BlockCache(place.path, limit: Self.everything)
    let plain = try Self.pack(folder, cache)
    let entry = try #require(Self.entries(place).first)
    let whole = try Self.bytes(place, entry)
    #expect(try Self.entries(place).count == 1)
    var damaged: [[UInt8]] = whole.indices.map { index in
      var bytes = whole
      bytes[index] ^= 1 << (index & 7)
      return bytes
    }
    damaged += [0, 1, 39, 40, 41, whole.count - 1].map { Array(whole.prefix($0)) }
    damaged += [whole + [0], [UInt8](repeating: 0, count: whole.count), whole + whole]
    damaged.append([UInt8](repeating: 1, count: 100_000))
    for bytes in damaged {
      try place.makeFile(entry, bytes)
      let again = try Self.pack(folder, cache)
      #expect(again.bytes == plain.bytes)
      #expect(again.misses == 1)
      #expect(try Self.bytes(place, entry) == whole)
    }
    #expect(try Self.pack(folder, cache).hits == 1)
    #expect(cache.firstError == nil)
  }

  @Test
  func `the entry of another block is not used`() throws {
    let folder = try TemporaryFolder()
    let place = try TemporaryFolder()
    try folder.makeFile("c", [UInt8](repeating: 7, count: 300))
    let cache = try BlockCache(place.path, limit: Self.everything)
    let plain = try Self.pack(folder, cache)
    let entry = try #require(Self.entries(place).first)
    try folder.makeFile("c", [UInt8](repeating: 8, count: 300))
    _ = try Self.pack(folder, cache)
    let other = try #require(Self.entries(place).first { $0 != entry })
    try place.makeFile(entry, Self.bytes(place, other))
    try folder.makeFile("c", [UInt8](repeating: 7, count: 300))
    let again = try Self.pack(folder, cache)
    #expect(again.bytes == plain.bytes)
    #expect(again.misses == 1)
  }

  @Test
  func `packers that share a cache during sweeps write the same bytes as alone`() async throws {
    let folder = try TemporaryFolder()
    let place = try TemporaryFolder()
    try Self.makeGame(folder)
    let expected = try Self.pack(folder, nil).bytes
    let plan = try PackerTests.plan(folder, settings: Self.settings)
    let path = place.path
    try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
      for worker in 0..<4 {
        group.addTask {
          // A separate cache, like that of another process; one is too small for a pack.
          let cache = try BlockCache(path, limit: worker == 0 ? 10_000 : Self.everything)
          var options = PackSeries.Options()
          options.cache = cache
          return try (0..<5).map { _ in
            if worker == 1 { cache.sweep(.unstoppable) }
            return try PackerTests.pack(plan, options).bytes
          }
        }
      }
      for try await packs in group { #expect(packs.allSatisfy { $0 == expected }) }
    }
    let left = try FileManager.default.subpathsOfDirectory(atPath: path)
    #expect(left.filter { $0.hasSuffix(".tmp") } == [])
  }

  @Test(.heavy)
  func `after any system error the pack is the same, and the first error is reported`()
    throws
  {
    let calls: [SystemCall] = [
      .open, .read, .write, .close, .rename, .makeDirectory, .status, .freeSpace, .unlink,
      .readDirectory, .lock, .changeTimes,
    ]
    for call in calls {
      for times in [1, 2, Int.max] {
        let folder = try TemporaryFolder()
        let place = try TemporaryFolder()
        try Self.makeGame(folder)
        let plain = try Self.pack(folder, nil)
        let full = try BlockCache(place.path, limit: Self.everything)
        _ = try Self.pack(folder, full)
        try folder.makeFile("c", [UInt8](repeating: 9, count: 40_000))
        let changed = try Self.pack(folder, nil)
        #expect(changed.bytes != plain.bytes)
        let plan = try PackerTests.plan(folder, settings: Self.settings)
        let cache = try BlockCache(place.path, limit: Self.everything)
        // Paths in the cache end in the digits of an entry or of a shelf, or in a temporary name.
        let fault = ForcedFailure(call, .fail(EIO), times: times, within: place.path)
        let output = try TemporaryFolder()
        var options = PackSeries.Options()
        options.cache = cache
        let job = PackSeries.Job(plan, to: output.path("x.aar"))
        #expect(PackerTests.failure(fault, of: job, options: options) == nil, "\(call) \(times)")
        #expect(try Self.bytes(output, "x.aar") == changed.bytes, "\(call) \(times)")
        // Harmless errors are not reported.
        let isHarmless = [.unlink, .lock, .changeTimes, .makeDirectory, .readDirectory]
          .contains(call)
        #expect(isHarmless || cache.firstError != nil, "\(call) \(times)")
        let left = try FileManager.default.subpathsOfDirectory(atPath: place.path)
        #expect(left.filter { $0.hasSuffix(".tmp") } == [], "\(call) \(times)")
      }
    }
  }

  @Test
  func `a cache among the files to pack is rejected`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a", "abc")
    let cache = try BlockCache(folder.path("kept"), limit: Self.everything)
    let error = #expect(throws: PackError.self) { try Self.pack(folder, cache) }
    #expect(error?.message == "the cache '\(folder.path("kept"))' is among the files to pack")
    let plan = try PackerTests.plan(
      folder, #"{"directory": "."}, {"fileExclusion": "kept"}"#, Self.settings)
    var options = PackSeries.Options()
    options.cache = cache
    #expect(try PackerTests.pack(plan, options).summary.cacheUse?.misses == 1)
  }
}
