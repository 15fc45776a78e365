import BAPackKit
import Glibc
@testable import Proposing
import Synchronization
import SystemIO
import TestSupport
import Testing

struct TreeReadingTests {
  /// The entries as `path kind size` in the order of the tree, and folders as `path/`.
  private func entries(_ tree: AssetTree) -> [String] {
    func add(_ folder: Int, to lines: inout [String]) {
      for file in tree.ownFiles(of: folder) {
        let (path, entry) = (shownBytes(tree.path(ofFile: file)), tree.files[file])
        lines.append("\(path) \(entry.kind) \(entry.size)")
      }
      for below in tree.subfolders(of: folder) {
        lines.append(shownBytes(tree.path(ofFolder: below)) + "/")
        add(below, to: &lines)
      }
    }
    var lines: [String] = []
    add(AssetTree.rootFolder, to: &lines)
    return lines
  }

  private func read(_ folder: borrowing TemporaryFolder) throws -> AssetTree {
    try AssetTree(reading: FilePath(folder.path), .unstoppable)
  }

  @Test func `files come before subfolders, and both are in the order of bytes`() throws {
    let folder = try TemporaryFolder()
    for (name, size) in [("z", 1), ("B", 2), ("a/z", 3), ("a/b/c", 4), ("a.b/c", 5), ("é", 6)] {
      try folder.makeFile(name, [UInt8](repeating: 0, count: size))
    }
    try folder.makeFolder("0")
    #expect(
      entries(try read(folder)) == [
        "B file 2", "z file 1", "é file 6", "0/", "a/", "a/z file 3", "a/b/", "a/b/c file 4",
        "a.b/", "a.b/c file 5",
      ])
  }

  @Test func `each kind of entry is recorded, and skipped folders are not opened`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("hero.png", "hero")
    try folder.makePipe("pipe")
    for name in [".git", "Node_Modules", "WIP", ".hidden", "__MACOSX"] {
      try folder.makeFile("\(name)/file")
    }
    try folder.makeFile(".env")
    try folder.makeFile("locked/file")
    let failures = [
      ForcedFailure.always(.open, EACCES, path: "/locked"),
      .always(.open, EIO, path: "/.git"),
    ]
    let tree = try ForcedFailures.inject(failures) { try read(folder) }
    #expect(
      entries(tree) == [
        ".env file 1", ".git skippedFolder 0", ".hidden skippedFolder 0",
        "Node_Modules skippedFolder 0", "WIP skippedFolder 0", "__MACOSX skippedFolder 0",
        "hero.png file 4", "locked unreadableFolder 0", "pipe special 0",
      ])
  }

  @Test func `a folder without the permission to examine its entries is unreadable`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("locked/file")
    try folder.makeFile("own.dat", "12", mode: 0o600)
    let failures = [
      ForcedFailure.always(.status, EACCES, path: "/locked/."),
      .always(.access, EACCES, path: "/own.dat"),
    ]
    let tree = try ForcedFailures.inject(failures) { try read(folder) }
    #expect(entries(tree) == ["locked unreadableFolder 0", "own.dat special 2"])
  }

  @Test func `the kinds are found on a file system that does not list them`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/file")
    try folder.makePipe("pipe")
    try folder.makeLink("link", to: "a/file")
    let tree = try ForcedFailures.inject(ForcedFailure(.readDirectory, .withhold)) {
      try read(folder)
    }
    #expect(entries(tree) == ["link file 1", "pipe special 0", "a/", "a/file file 1"])
  }

  @Test func `a link is a file only if each hop is below the root`() throws {
    let outer = try TemporaryFolder()
    try outer.makeFile("outside")
    try outer.makeFile("root/data/file", "four")
    let links = [
      "absolute": outer.path("root/data/file"), "above": "../outside", "back": "../root/data/file",
      "chain": "data/next", "data/next": "up", "data/up": "../data/file", "dangling": "missing",
      "data/leaves": "../../root/data/file", "folder": "data", "loop": "loop", "root": ".",
      "through": "folder/up", "within": "data/../data/./file", "aside": "data/leaves",
      "slash": "data/file/", "pipe": "data/pipe", "empty-hop": "data//file",
    ]
    for (name, target) in links { try outer.makeLink("root/\(name)", to: target) }
    try outer.makePipe("root/data/pipe")
    let tree = try AssetTree(reading: outer.filePath("root"), .unstoppable)
    #expect(
      entries(tree) == [
        "above unusableLink 0", "absolute unusableLink 0", "aside unusableLink 0",
        "back unusableLink 0", "chain file 4", "dangling unusableLink 0", "empty-hop file 4",
        "folder folderLink 0", "loop unusableLink 0", "pipe unusableLink 0", "root folderLink 0",
        "slash file 4", "through file 4", "within file 4", "data/", "data/file file 4",
        "data/leaves unusableLink 0", "data/next file 4", "data/pipe special 0", "data/up file 4",
      ])
  }

  @Test func `the root may be a link`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("real/file")
    try folder.makeLink("link", to: "real")
    let tree = try AssetTree(reading: folder.filePath("link"), .unstoppable)
    #expect(entries(tree) == ["file file 1"])
  }

  @Test func `names of any bytes are kept`() throws {
    let folder = try TemporaryFolder()
    for name in HostileNames.possible {
      try folder.makeFile(named: name, [1])
      try folder.makeFile(named: Array("d/".utf8) + name + Array("/f".utf8), [1, 2])
    }
    let tree = try read(folder)
    let names = HostileNames.possible.sorted { $0.lexicographicallyPrecedes($1) }
    #expect(tree.ownFiles(of: AssetTree.rootFolder).map { Array(tree.name(ofFile: $0)) } == names)
    let below = try #require(
      tree.subfolders(of: AssetTree.rootFolder).first { Array(tree.name(ofFolder: $0)) == [0x64] })
    #expect(tree.subfolders(of: below).map { Array(tree.name(ofFolder: $0)) } == names)
    #expect(tree.allFiles(of: below).map { tree.files[$0].size } == names.map { _ in 2 })
  }

  @Test func `folders that are nested too deeply are unreadable, and need few descriptors`() throws
  {
    let folder = try TemporaryFolder()
    let names = repeatElement("d", count: AssetTree.deepest + 40)
    try folder.makeFolder(names.joined(separator: "/"))
    let tree = try read(folder)
    #expect(tree.folders.count == AssetTree.deepest + 1)
    #expect(tree.files.map(\.kind) == [.unreadableFolder])
    let path = tree.path(ofFolder: tree.folders.count - 1)
    #expect(path.split(separator: slash).count == AssetTree.deepest)
    #expect(try openDescriptors(below: folder.path).isEmpty)
  }

  @Test func `a file that is removed during the inspection is left out`() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "c/d", "e/f"] { try folder.makeFile(name) }
    let failures = [
      ForcedFailure.always(.status, ENOENT, path: "/a"),
      ForcedFailure(.open, .fail(ENOENT), skipping: 1, path: "/c"),
    ]
    let tree = try ForcedFailures.inject(failures) { try read(folder) }
    #expect(entries(tree) == ["b file 1", "e/", "e/f file 1"])
  }

  @Test func `errors of the disk, and too few descriptors, are not left out`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/b")
    for failure in [
      ForcedFailure.always(.readDirectory, EIO, path: "/a"), .always(.open, EMFILE, path: "/a"),
      .always(.status, EIO, path: "/b"),
    ] {
      let error = #expect(throws: PackError.self) {
        try ForcedFailures.inject(failure) { try read(folder) }
      }
      #expect(error?.message.contains(folder.path("a")) == true)
      #expect(error?.remedies.isEmpty == false)
    }
  }

  @Test func `a root that is not a readable folder is an error with a remedy`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("file")
    try folder.makeLink("loop", to: "loop")
    let cases = [
      ("missing\u{1B}[m", "there is no folder '\(folder.path("missing\\x1B[m"))'"),
      ("file", "'\(folder.path("file"))' is not a folder"),
      ("loop", "cannot open '\(folder.path("loop"))': Too many levels of symbolic links"),
    ]
    for (name, message) in cases {
      let error = #expect(throws: PackError.self) {
        try AssetTree(reading: folder.filePath(name), .unstoppable)
      }
      #expect(error?.message == message)
    }
    let error = #expect(throws: PackError.self) {
      try ForcedFailures.inject(.always(.open, EACCES)) { try read(folder) }
    }
    #expect(error?.message == "cannot open '\(folder.path)': Permission denied")
    #expect(error?.remedies == ["make it readable"])
  }

  @Test func `the inspection reports its progress, and stops`() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b/c", "b/d"] { try folder.makeFile(name) }
    let counts = Mutex<[UInt64]>([])
    let work = Work.unstoppable.reporting { progress in counts.withLock { $0.append(progress.done) }
    }
    _ = try AssetTree(reading: FilePath(folder.path), work)
    #expect(counts.withLock(\.self) == [0, 1, 1, 3])
    let alarm = try Alarm()
    alarm.ring()
    let error = #expect(throws: PackError.self) {
      try AssetTree(reading: FilePath(folder.path), Work(until: alarm))
    }
    #expect(error?.kind == .interrupted)
  }

  @Test func `the memory of a tree is 24 bytes and the name for each file`() {
    #expect(MemoryLayout<AssetTree.File>.stride == 24)
  }

  @Test func `a link does not publish a key under another name`() throws {
    let folder = try TemporaryFolder()
    for name in ["keys/AuthKey_2X9R4HXF34.p8", "keys/.env", "keys/map.json"] {
      try folder.makeFile(name, "12")
    }
    for (link, target) in [
      ("a.txt", "keys/AuthKey_2X9R4HXF34.p8"), ("b.txt", "a.txt"), ("c.txt", "keys/.env"),
      ("d.txt", "keys/map.json"),
    ] {
      try folder.makeLink(link, to: target)
    }
    let tree = try read(folder)
    #expect(
      tree.ownFiles(of: AssetTree.rootFolder).map { tree.ruleOfTarget(ofLink: $0)?.rule.id.name }
        == ["init.secret", "init.secret", "init.secret", nil])
  }
}
