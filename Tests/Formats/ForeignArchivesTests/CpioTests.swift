import SystemIO
import TestSupport
import Testing

@testable import ForeignArchives

/// Tests of the facts of a cpio that libarchive does not deliver.
@Suite struct CpioTests {
  private func read(_ cpio: CpioBytes, as name: String = "a.cpio") throws -> [String: String] {
    let folder = try TemporaryFolder()
    try save(cpio.archive, folder.path(name))
    let entries = try listing(of: folder.path(name)).entries
    let files = entries.filter { $0.kind == .file }
    #expect(entries.allSatisfy { $0.flaw == nil })
    let all = try contents(of: folder.path(name), files.map(\.contents))
    #expect(all.map(\.count) == files.map { Int($0.size ?? 99) })
    return Dictionary(
      uniqueKeysWithValues: zip(files.map(\.name), all.map { String(decoding: $0, as: UTF8.self) }))
  }

  @Test(arguments: [false, true])
  func `every name of a file has its contents, at any position`(hasSums: Bool) throws {
    for holder in [0, 1, 2] {
      var cpio = CpioBytes(hasSums: hasSums)
      cpio.add("d", mode: 0o40755, inode: 9, links: 2)
      for (index, name) in ["d/a", "b", "c"].enumerated() {
        cpio.add(name, inode: 7, links: 3, contents: index == holder ? "shared" : "")
        cpio.add("x\(index)", inode: 20 + index, contents: "own")
      }
      #expect(
        try read(cpio) == [
          "d/a": "shared", "b": "shared", "c": "shared", "x0": "own", "x1": "own", "x2": "own",
        ])
    }
  }

  @Test
  func `a wrong sum is an error that contains the entry's name, large or small`() throws {
    let folder = try TemporaryFolder()
    var cpio = CpioBytes(hasSums: true)
    cpio.add("first", inode: 1, contents: String(repeating: "abcdefg", count: 100_001))
    cpio.add("empty", inode: 2)
    cpio.add("link", mode: 0o120777, inode: 3, contents: "first")
    cpio.add("last", inode: 4, contents: "the end")
    #expect(try read(cpio).count == 3)
    let bytes = cpio.archive
    for (name, place) in [("first", 300_000), ("first", 700_100), ("last", bytes.count - 130)] {
      var bad = bytes
      bad[place] ^= 4
      try save(bad, folder.path("a.cpio"))
      let files = try listing(of: folder.path("a.cpio")).entries.filter { $0.kind == .file }
      let error = #expect(throws: Failure.self) {
        try contents(of: folder.path("a.cpio"), files.map(\.contents))
      }
      #expect(error?.reason == "entry '\(name)' is damaged: its checksum is wrong")
    }
  }
}
