@testable import BAPackKit
import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("Folders that are read before the walk", .mustEnd)
struct FoldersAheadTests {
  /// A folder on a disk that counts the folders that were opened, and can refuse one.
  struct CountedTree: SourceTree {
    let disk: FolderTree
    let opened = Opened()
    var refused = FileName(Array("none".utf8)[...])

    init(_ path: String) throws {
      disk = FolderTree(try FileDescriptor.open(path, for: .directory))
    }

    var root: OpenFolder { disk.root }
    var canReadAhead: Bool { true }

    func parent(of folder: OpenFolder) -> OpenFolder? { disk.parent(of: folder) }
    func list(_ folder: OpenFolder) throws(Failure) -> DirectoryListing { try disk.list(folder) }
    func status(of folder: OpenFolder) throws(Failure) -> FileStatus {
      try disk.status(of: folder)
    }
    func status(
      of item: DirectoryListing.Item, in listing: DirectoryListing, of folder: OpenFolder
    ) throws(Failure) -> FileStatus { try disk.status(of: item, in: listing, of: folder) }
    func status(of name: FileName, in folder: OpenFolder) throws(Failure) -> FileStatus {
      try disk.status(of: name, in: folder)
    }
    func linkTarget(of name: FileName, in folder: OpenFolder) throws(Failure) -> [UInt8] {
      try disk.linkTarget(of: name, in: folder)
    }
    func open(_ name: FileName, in folder: OpenFolder) throws(Failure) -> OpenFolder {
      opened.semaphore.signal()
      if name == refused { throw Failure(.open, "refused", code: EACCES) }
      return try disk.open(name, in: folder)
    }
    func checkReadable(
      _ name: FileName, _ status: FileStatus, in folder: OpenFolder
    ) throws(Failure) { try disk.checkReadable(name, status, in: folder) }
  }

  private static func requests(
    _ count: Int, in tree: CountedTree, excluding pattern: String? = nil
  ) throws -> [FoldersAhead<CountedTree>.Request] {
    var matcher = SelectorMatcher()
    if let pattern { matcher.exclusions.add(try PathPattern(forExclusion: pattern), of: 0) }
    let frontier = matcher.start(choosingAll: true, matcher.exclusions.start)
    return (0..<count).map {
      FoldersAhead.Request(
        name: FileName(Array("\($0)".utf8)[...]), parent: tree.root, matcher: matcher,
        frontier: frontier)
    }
  }

  @Test func `the threads read folders, and the statuses of files that are not excluded`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<3 {
      try folder.makeFile("\(number)/a.bin", "12345")
      try folder.makeFile("\(number)/b.txt", "1")
      try folder.makeFolder("\(number)/c")
    }
    let tree = try CountedTree(folder.path)
    let ahead = try FoldersAhead(tree, threads: 2)
    let first = ahead.announce(try Self.requests(3, in: tree, excluding: "*.txt"))
    // Each is begun by a thread: only then can it be taken below.
    for _ in 0..<3 { tree.opened.semaphore.wait() }
    for number in 0..<3 {
      let read = try #require(ahead.take(first + number))
      #expect(try read.status == tree.status(of: read.folder))
      #expect(
        read.listing.items.map { String(decoding: read.listing.name(of: $0), as: UTF8.self) }
          == ["a.bin", "b.txt", "c"])
      #expect(read.statuses.map { $0?.size } == [5, nil, nil])
      #expect(read.status(at: 3) == nil)
      #expect(ahead.take(first + number) == nil, "only once")
    }
  }

  @Test func `a folder with an error is left to the walk`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<3 { try folder.makeFile("\(number)/a") }
    var tree = try CountedTree(folder.path)
    tree.refused = FileName(Array("1".utf8)[...])
    let ahead = try FoldersAhead(tree, threads: 1)
    let first = ahead.announce(try Self.requests(3, in: tree))
    for _ in 0..<3 { tree.opened.semaphore.wait() }
    #expect((0..<3).map { ahead.take(first + $0) == nil } == [false, true, false])
  }

  @Test(arguments: [1, 3])
  func `every folder is read once, by a thread or by the walk, and threads do not run far ahead`(
    threads: Int
  ) throws {
    let folder = try TemporaryFolder()
    let count = 400
    for number in 0..<count { try folder.makeFolder("\(number)") }
    let tree = try CountedTree(folder.path)
    let ahead = try FoldersAhead(tree, threads: threads)
    let first = ahead.announce(try Self.requests(count, in: tree))
    var taken = 0
    for number in 0..<count {
      if let read = ahead.take(first + number) {
        taken += 1
        #expect(read.listing.items.isEmpty)
      }
      // 16 that wait, one that each thread reads, one that the test reads, and those taken.
      var opened = 0
      while tree.opened.semaphore.tryWait() { opened += 1 }
      tree.opened.add(opened)
      #expect(tree.opened.sum <= taken + 17 + threads)
    }
  }

  @Test(.heavy) func `a walk ends without an error if there are few descriptors`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<40 {
      for other in 0..<10 { try folder.makeFile("in/\(number)/\(other)/file") }
    }
    try folder.makeFile("m.json", document(#"{"directory": "in"}"#).source.bytes)
    for count in [14, 18, 24] {
      let run = try BuiltProgram.run(
        ["validate", folder.path("m.json"), "--source-root", folder.path],
        after: "ulimit -n \(count)")
      #expect(run.status == 0, "\(count): \(run.messages)")
    }
  }

  @Test(arguments: (UInt64(0)..<8).sampled(every: 8))
  func `a selection is the same with and without threads`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var dice = Seeded(seed: seed)
    let names = ["a", "b.png", "c.txt", "d", "e.tmp", "Thumbs.db", ".git", "é"]
    func fill(_ path: String, depth: Int) throws {
      for number in 0..<dice.next(below: 14) {
        let name = path + names[dice.next(below: names.count)] + "\(number)"
        switch dice.next(below: 10) {
        case 0..<4 where depth < 3: try fill(name + "/", depth: depth + 1)
        case 4: try folder.makeLink(name, to: dice.next(below: 2) == 0 ? ".." : "../a0")
        case 5: try folder.makeFolder(name, mode: 0o755)
        default: try folder.makeFile(name, mode: dice.next(below: 20) == 0 ? 0o000 : 0o644)
        }
      }
    }
    for number in 0..<12 { try fill("\(number)/", depth: 0) }
    let temporary = String(decoding: TemporaryName.make().bytes, as: UTF8.self)
    try folder.makeFile("\(temporary)/never opened")
    let selectors = [
      #"{"directory": "."}"#,
      #"{"directory": "."}, {"fileExclusion": "*.png*"}, {"fileExclusion": "3/**"}"#,
      #"{"filePattern": "**/*.txt*"}, {"directorySource": "4", "directoryDestination": "x"}"#,
      #"{"filePattern": "*/d*/*"}, {"fileExclusion": "**/e*"}"#,
    ]
    for selector in selectors {
      func resolve(_ readers: Int) throws -> (Selection.Resolution, opened: Int) {
        let tree = try CountedTree(folder.path)
        var resolver = Resolver(
          document(selector), in: tree, rootPath: folder.path,
          recording: SelectedFiles(listingExcluded: true, notingFolders: true), .unstoppable)
        resolver.readerCount = readers
        let resolution = try resolver.resolve()
        var opened = 0
        while tree.opened.semaphore.tryWait() { opened += 1 }
        return (resolution, opened)
      }
      let (expected, openings) = try resolve(0)
      let (found, otherOpenings) = try resolve(2)
      #expect(openings == otherOpenings, "the same folders are opened, each once")
      #expect(found.paths == expected.paths)
      #expect(found.lines == expected.lines)
      #expect(found.folders == expected.folders)
      #expect(found.excluded.map(\.source) == expected.excluded.map(\.source))
      #expect(Array(found.selection.indices) == Array(expected.selection.indices))
      for index in found.selection.indices {
        #expect(found.selection.size(at: index) == expected.selection.size(at: index))
      }
    }
  }
}

/// The number of folders that were opened.
final class Opened: Sendable {
  let semaphore = SystemIO.Semaphore()
  private let total = Guarded(0)

  func add(_ count: Int) { total.with { $0 += count } }

  var sum: Int { total.with { $0 } }
}
