import Foundation
import SystemIO
import TestSupport
import Testing

@testable import BAPackKit

/// The contents of caches, and the removal of blocks by age and size.
@Suite struct CacheContentsTests {
  /// Creates a cache with blocks of 4096 bytes on the disk, last used at these times.
  private static func make(
    usedAt seconds: [Int64], in folder: borrowing TemporaryFolder
  ) throws -> String {
    let path = folder.path("blocks")
    _ = try BlockCache(path, limit: 1 << 30)
    for (index, second) in seconds.enumerated() {
      let shelf = index % 7 == 0 ? "00" : "a\(index % 7)"
      let name = String(repeating: "0", count: 60) + String(format: "%02x", index)
      try folder.makeFile("blocks/\(shelf)/\(name)", "block")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: TimeInterval(second))],
        ofItemAtPath: folder.path("blocks/\(shelf)/\(name)"))
    }
    return path
  }

  private func contents(_ path: String) throws -> CacheContents {
    try CacheContents(at: path, .unstoppable)
  }

  @Test func `blocks, space and times are counted`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.make(usedAt: [300, 100, 200], in: folder)
    let contents = try contents(path)
    #expect(contents.blocks == 3)
    #expect(contents.bytes == 3 * 4096)
    #expect(contents.oldest == Moment(seconds: 100))
    #expect(contents.newest == Moment(seconds: 300))
  }

  @Test func `a missing or empty folder has no blocks, and is not created`() throws {
    let folder = try TemporaryFolder()
    #expect(try contents(folder.path("none")) == CacheContents())
    try folder.makeFolder("empty")
    #expect(try contents(folder.path("empty")) == CacheContents())
    #expect(!FileManager.default.fileExists(atPath: folder.path("none")))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("empty")) == [])
  }

  @Test func `a folder with other files is refused`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("photos/a.jpg", "x")
    let error = #expect(throws: PackError.self) { try contents(folder.path("photos")) }
    #expect(error?.message.contains("is neither a block cache nor an empty folder") == true)
    #expect(throws: PackError.self) {
      try CacheContents.remove(
        .init(limit: 0), at: folder.path("photos"), isDryRun: false, .unstoppable)
    }
    #expect(try folder.contents("photos/a.jpg") == Array("x".utf8))
  }

  /// The blocks that remain after a removal, of 20 blocks.
  struct Case: Sendable {
    var before: Int64?
    var limit: UInt64?
    var left: Int
  }

  private static let cases = [
    Case(before: nil, limit: 0, left: 0),
    Case(before: 150, limit: nil, left: 18),
    Case(before: 1000, limit: nil, left: 0),
    Case(before: 0, limit: nil, left: 20),
    Case(before: nil, limit: 5 * 4096, left: 5),
    Case(before: nil, limit: 5 * 4096 + 1, left: 5),
    Case(before: nil, limit: 1 << 30, left: 20),
    Case(before: 150, limit: 10 * 4096, left: 10),
    Case(before: 300, limit: 15 * 4096, left: 5),
  ]

  @Test(arguments: cases)
  func `the least recently used blocks are removed`(_ test: Case) throws {
    let folder = try TemporaryFolder()
    // Several blocks have the same time.
    let times = (0..<20).map { Int64($0 < 2 ? 100 : $0 < 15 ? 200 : 300) }
    let path = try Self.make(usedAt: times.reversed(), in: folder)
    let removal = CacheContents.Removal(
      before: test.before.map { Moment(seconds: $0) }, limit: test.limit)
    let dry = try CacheContents.remove(removal, at: path, isDryRun: true, .unstoppable)
    #expect(try contents(path).blocks == 20)
    let (removed, rest) = try CacheContents.remove(
      removal, at: path, isDryRun: false, .unstoppable)
    #expect(dry == (removed, rest))
    #expect(rest.blocks == test.left)
    #expect(removed.blocks + rest.blocks == 20)
    #expect(try contents(path) == rest)
    if let newest = removed.newest, let oldest = rest.oldest { #expect(newest <= oldest) }
    // The cache is still usable, and its record of the space is correct.
    let cache = try BlockCache(path, limit: 1 << 30)
    cache.sweep(.unstoppable)
    #expect(cache.firstError == nil)
  }
}
