import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("Names for the time being")
struct TemporaryNameTests {
  /// The names in a folder, `*` for one of ours.
  private static func names(in folder: borrowing TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .map { TemporaryName.matches($0.utf8) ? "*" : $0 }.sorted()
  }

  private static func removeLeftovers(_ path: String) throws(Failure) -> [String] {
    try FileDescriptor.open(path, for: .directory).removeLeftovers().map(\.shown)
  }

  @Test
  func `our names are told from all others`() {
    #expect(TemporaryName.matches(".ba-package-1x9.tmp".utf8))
    for name in [".ba-package-.tmp", ".ba-package-tmp", "ba-package-1.tmp", ".ba-package-1", "x"] {
      #expect(!TemporaryName.matches(name.utf8))
    }
  }

  @Test
  func `what nobody holds is removed, with all that is in it, and nothing else`() throws {
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
  func `what somebody works on stays, and is gone when they are done`() throws {
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
  func `a file that replaces another is held while it has two names`() throws {
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
  func `what is taken for a leftover before it is held is made anew`(times: Int) throws {
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
  func `without locks there is work, and nothing is taken for a leftover`(code: Int32) throws {
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
