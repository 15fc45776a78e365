import BAPackKit
import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("The folder of a cache")
struct BlockCacheTests {
  /// The space of each entry that ``fill(_:)`` creates.
  static let page: UInt64 = 4096

  /// Returns a cache with entries `00` to `04` whose last uses are a day apart; `00` is the oldest.
  private func fill(_ folder: borrowing TemporaryFolder) throws {
    _ = try BlockCache(folder.path, limit: 0)
    for index in 0..<5 {
      try folder.makeFile(entry(index), "x")
      try setAge(folder, entry(index), days: 5 - index)
    }
  }

  private func entry(_ index: Int) -> String {
    "0\(index)/" + String(repeating: "0", count: 61) + "\(index)"
  }

  private func setAge(_ folder: borrowing TemporaryFolder, _ name: String, days: Int) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: Double(days) * -86_400)],
      ofItemAtPath: folder.path(name))
  }

  private func entries(_ folder: borrowing TemporaryFolder) throws -> [String] {
    try CachedPackTests.entries(folder)
  }

  @Test
  func `the least recently used entries are removed first, and only the required number`() throws {
    for kept in 0...5 {
      let folder = try TemporaryFolder()
      try fill(folder)
      // A part of a page is insufficient space for an entry.
      try BlockCache(folder.path, limit: UInt64(kept) * Self.page + 4095).sweep(.unstoppable)
      #expect(try entries(folder) == (5 - kept..<5).map(entry))
    }
  }

  @Test
  func `of entries used in the same second, only the required number is removed`() throws {
    let folder = try TemporaryFolder()
    try fill(folder)
    for index in 1...3 { try setAge(folder, entry(index), days: 2) }
    try BlockCache(folder.path, limit: 3 * Self.page).sweep(.unstoppable)
    #expect(try entries(folder) == [2, 3, 4].map(entry))
  }

  @Test
  func `finding an entry counts as using it`() throws {
    let folder = try TemporaryFolder()
    let place = try TemporaryFolder()
    try fill(place)
    try folder.makeFile("a", [UInt8](repeating: 1, count: 10_000))
    let cache = try BlockCache(place.path, limit: 6 * Self.page)
    #expect(try CachedPackTests.pack(folder, cache).misses == 1)
    let own = try #require(try entries(place).first { !$0.contains("00000") })
    try setAge(place, own, days: 30)
    #expect(try CachedPackTests.pack(folder, cache).hits == 1)
    try BlockCache(place.path, limit: Self.page).sweep(.unstoppable)
    #expect(try entries(place) == [own])
  }

  @Test
  func `a pack that needs more than the limit keeps its first blocks`() throws {
    let folder = try TemporaryFolder()
    let place = try TemporaryFolder()
    try folder.makeFile("a", (0..<160_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 9) })
    let limit = 4 * Self.page
    let settings = PackSettings(compression: .lz4, effort: .fast, blockSize: 4096)
    let first = try CachedPackTests.pack(folder, BlockCache(place.path, limit: limit), settings)
    #expect(try #require(first.misses) > 10)
    #expect(try entries(place).count == 4)
    let second = try CachedPackTests.pack(folder, BlockCache(place.path, limit: limit), settings)
    #expect(try #require(second.hits) >= 4)
    #expect(second.bytes == first.bytes)
    #expect(try entries(place).count == 4)
  }

  @Test
  func `concurrent sweeps wait for each other, and remove no additional entries`()
    async throws
  {
    let folder = try TemporaryFolder()
    try fill(folder)
    let path = folder.path
    let marker = try FileDescriptor.open(folder.path("CACHEDIR.TAG"), for: .reading)
    #expect(try marker.tryLock())
    var lock: FileDescriptor? = consume marker
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let cache = try BlockCache(path, limit: 2 * Self.page)
          cache.sweep(.unstoppable)
          #expect(cache.firstError == nil)
        }
      }
      #expect(try entries(folder).count == 5)
      _ = lock.take()
      try await group.waitForAll()
    }
    #expect(try entries(folder) == [3, 4].map(entry))
  }

  @Test
  func `a sweep keeps files that do not belong to the cache`() throws {
    let folder = try TemporaryFolder()
    try fill(folder)
    let others = [
      "notes.txt", "00/notes.txt", "zz/" + String(repeating: "0", count: 62),
      "00/" + String(repeating: "F", count: 62), "00/.ba-package-new.tmp",
    ]
    for name in others { try folder.makeFile(name, "mine") }
    try folder.makeLink("00/" + String(repeating: "1", count: 62), to: "../notes.txt")
    try folder.makeFolder("01/" + String(repeating: "2", count: 62))
    try folder.makeFile("00/.ba-package-old.tmp", "left behind")
    try setAge(folder, "00/.ba-package-old.tmp", days: 1)
    let cache = try BlockCache(folder.path, limit: 0)
    cache.sweep(.unstoppable)
    #expect(cache.firstError == nil)
    let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.utf8.count > 2 }
    #expect(
      Set(left)
        == Set(
          others + [
            "CACHEDIR.TAG", "SPACE", "00/" + String(repeating: "1", count: 62),
            "01/" + String(repeating: "2", count: 62),
          ]))
  }

  @Test
  func `a folder with other contents is rejected and unchanged`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("full/notes.txt", "mine")
    try folder.makeFile("other/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n")
    try folder.makeFile("file", "mine")
    for name in ["full", "other", "file"] {
      let path = folder.path(name)
      let error = #expect(throws: PackError.self) { _ = try BlockCache(path, limit: 1) }
      #expect(error?.kind == .exists)
      #expect(error?.message == "'\(path)' is neither a block cache nor an empty folder")
      #expect(
        error?.remedies == [.specifyAnotherCache])
    }
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        == ["file", "full", "full/notes.txt", "other", "other/CACHEDIR.TAG"])
  }

  @Test
  func `the folder is created with its parents, marked for backup programs, and reused`() throws {
    let folder = try TemporaryFolder()
    for _ in 0..<2 { _ = try BlockCache(folder.path("a/b/c"), limit: 1) }
    let text = try String(contentsOfFile: folder.path("a/b/c/CACHEDIR.TAG"), encoding: .utf8)
    #expect(text.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("a/b/c")).count == 1)
  }

  @Test
  func `a cache whose marker was cut is used, and its marker is written again`() throws {
    let folder = try TemporaryFolder()
    let cache = try BlockCache(folder.path("kept"), limit: 1 << 20)
    cache.sweep(.unstoppable)
    let path = folder.path("kept/CACHEDIR.TAG")
    let text = try Data(contentsOf: URL(filePath: path))
    try folder.makeFolder("kept/a0")
    for count in [0, 1, text.count - 1] {
      try text.prefix(count).write(to: URL(filePath: path))
      _ = try BlockCache(folder.path("kept"), limit: 1)
      #expect(try Data(contentsOf: URL(filePath: path)) == text)
    }
    // Other files could be those of another program.
    try text.prefix(10).write(to: URL(filePath: path))
    try folder.makeFile("kept/notes.txt", "mine")
    #expect(throws: PackError.self) { _ = try BlockCache(folder.path("kept"), limit: 1) }
    #expect(try Data(contentsOf: URL(filePath: path)) == text.prefix(10))
  }

  @Test
  func `many threads that create one cache at the same time all succeed`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("kept")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<16 { group.addTask { _ = try BlockCache(path, limit: 1) } }
      try await group.waitForAll()
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["CACHEDIR.TAG"])
  }

  @Test
  func `a full disk or a failing system call is reported with its reason`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("kept")
    for call in [SystemCall.open, .makeDirectory, .write, .rename] {
      let error = ForcedFailures.inject(.once(call, EACCES)) {
        #expect(throws: PackError.self) { _ = try BlockCache(path, limit: 1) }
      }
      #expect(error?.kind == .system(EACCES))
    }
    _ = try BlockCache(path, limit: 1)
  }
}
