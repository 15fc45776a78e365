import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("Names for the time being")
struct TemporaryNameTests {
  /// Returns the names in a folder, `*` for a name of this program.
  private static func names(in folder: borrowing TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .map { TemporaryName.matches($0.utf8) ? "*" : $0 }.sorted()
  }

  private static func removeLeftovers(_ path: String) throws(Failure) -> [String] {
    try FileDescriptor.open(path, for: .directory).removeLeftovers().map(\.shown)
  }

  @Test
  func `names of this program are distinguished from all others`() {
    #expect(TemporaryName.matches(".ba-package-1x9.tmp".utf8))
    for name in [".ba-package-.tmp", ".ba-package-tmp", "ba-package-1.tmp", ".ba-package-1", "x"] {
      #expect(!TemporaryName.matches(name.utf8))
    }
  }

  @Test
  func `only unlocked leftovers are removed, with their contents`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile(".ba-package-1.tmp", "half")
    try folder.makeFile(".ba-package-2.tmp/deep/file", "half")
    try folder.makeFolder(".ba-package-2.tmp/closed", mode: 0)
    try folder.makeFile("mine", "mine")
    try folder.makeFile("mine.tmp", "mine")
    try folder.makeFile("outside/file", "mine")
    try folder.makeLink(".ba-package-3.tmp", to: "outside")
    try folder.makePipe(".ba-package-4.tmp")
    #expect(
      try Self.removeLeftovers(folder.path) == [".ba-package-1.tmp", ".ba-package-2.tmp"])
    #expect(try Self.names(in: folder) == ["*", "*", "mine", "mine.tmp", "outside"])
    #expect(try folder.contents("outside/file") == Array("mine".utf8))
  }

  @Test
  func `a file in use is kept, and removed at the end of its use`() throws {
    let folder = try TemporaryFolder()
    try ForcedFailures.inject(.once(.open, EOPNOTSUPP, path: "x")) {
      let file = try AtomicFile(folder.path("x"))
      let staged = try StagedFolder(
        in: FileDescriptor.open(folder.path, for: .directory), for: folder.path("y"))
      #expect(try Self.removeLeftovers(folder.path) == [])
      #expect(try Self.names(in: folder) == ["*", "*"])
      try file.publish()
      try staged.publish(as: folder.path("y"))
    }
    #expect(try Self.names(in: folder) == ["x", "y"])
  }

  @Test
  func `a file that replaces another is locked while it has two names`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("x", "old")
    let path = folder.path
    let sweep = ForcedFailure(.rename, .run { #expect((try? Self.removeLeftovers(path)) == []) })
    try ForcedFailures.inject(sweep) {
      let file = try AtomicFile(folder.path("x"), replacing: true)
      try file.write(Array("new".utf8))
      try file.publish()
    }
    #expect(try folder.contents("x") == Array("new".utf8))
  }

  @Test(arguments: [1, 3])
  func `a file that is removed as a leftover before it is locked is created again`(times: Int)
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path
    let sweep = ForcedFailure(.lock, .run { _ = try? Self.removeLeftovers(path) }, times: times)
    try ForcedFailures.inject(sweep) {
      let staged = try StagedFolder(
        in: FileDescriptor.open(path, for: .directory), for: folder.path("y"))
      try staged.contents.open("file", for: .creating(permissions: 0o600)).close()
      try staged.publish(as: folder.path("y"))
    }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: path).sorted() == ["y", "y/file"])
  }

  @Test(arguments: [ENOLCK, EBADF])
  func `without locks, files are written, and no file is a leftover`(code: Int32) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile(".ba-package-1.tmp", "half")
    try ForcedFailures.inject(.always(.lock, code)) {
      #expect(try Self.removeLeftovers(folder.path) == [])
      try StagedFolder(
        in: FileDescriptor.open(folder.path, for: .directory), for: folder.path("y")
      ).publish(as: folder.path("y"))
    }
    #expect(try Self.names(in: folder) == ["*", "y"])
  }
}
