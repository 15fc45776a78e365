import SystemIO
import TestSupport
import Testing

@testable import ForeignArchives

/// Tests that a zip is read by its directory, or rejected.
@Suite final class ZipTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func entries(_ bytes: [UInt8]) throws -> [ForeignEntry] {
    try save(bytes, folder.path("a.zip"))
    return Array(try listing(of: folder.path("a.zip"), named: "a.zip").entries)
  }

  private func sample(behind prefix: [UInt8] = []) -> ZipBytes {
    var zip = ZipBytes(behind: prefix)
    zip.add("run", contents: "#!/bin/sh", mode: 0o100755)
    zip.add("link", contents: "e\u{301}", mode: 0o120777)
    zip.add("d/", mode: 0o40700)
    return zip
  }

  private let kinds: [ForeignEntry.Kind] = [
    .file, .symbolicLink(target: Array("e\u{301}".utf8)), .directory,
  ]

  @Test
  func `a comment of any length, or data before the zip, has no effect`() throws {
    let mark: [UInt8] = [0x50, 0x4B, 5, 6]
    let comments = [0, 1, 21, 22, 1000, 16_361, 16_362, 16_400, 30_000, 65_535].map {
      [UInt8](repeating: 65, count: $0)
    }
    for comment in comments + [mark, mark + [UInt8](repeating: 0, count: 30)] {
      for prefix in [[], Array("#!/bin/sh\n".utf8)] {
        let entries = try entries(sample(behind: prefix).archive(comment: comment))
        #expect(entries.map(\.kind) == kinds)
        #expect(entries.map(\.permissions) == [0o755, 0o777, 0o700])
        #expect(try contents(of: folder.path("a.zip"), [0]) == [Array("#!/bin/sh".utf8)])
      }
    }
  }

  @Test
  func `a truncated zip is rejected, and junk after the end is skipped`() throws {
    let whole = sample().archive(comment: Array("comment".utf8))
    for count in 1..<whole.count {
      #expect(throws: Failure.self) { try entries(Array(whole.dropLast(count))) }
    }
    let error = #expect(throws: Failure.self) { try entries(Array(whole.dropLast())) }
    #expect(error?.reason == "the ZIP archive is truncated")
    #expect(try entries(whole + [1, 2, 3]).map(\.kind) == kinds)
  }

  @Test
  func `a damaged directory is an error`() throws {
    let zip = sample()
    let whole = zip.archive()
    let end = whole.count - 22
    for (place, reason) in [
      (zip.contents.count, "the directory of the ZIP archive is damaged"),
      (end + 10, "the directory of the ZIP archive is damaged"),
      (end + 12, "the directory of the ZIP archive is damaged"),
    ] {
      var bytes = whole
      bytes[place] ^= 1
      let error = #expect(throws: Failure.self) { try entries(bytes) }
      #expect(error?.reason == reason)
    }
  }

  @Test
  func `a contradiction to the directory is a flaw of that entry only`() throws {
    var zip = ZipBytes()
    zip.add("good", contents: "1")
    var oddity = ZipBytes.Oddity()
    oddity.localName = "bed"
    zip.add("bad", contents: "1", oddity)
    oddity = ZipBytes.Oddity()
    oddity.checkSum = 17
    zip.add("link", contents: "good", mode: 0o120777, oddity)
    let entries = try entries(zip.archive())
    #expect(
      entries.map(\.flaw) == [
        nil, "differs between the directory and its local header: the ZIP is damaged",
        "is damaged: its checksum is wrong",
      ])
    #expect(try contents(of: folder.path("a.zip"), [0]) == [[0x31]])
    let error = #expect(throws: Failure.self) {
      try contents(of: folder.path("a.zip"), [1])
    }
    #expect(error?.reason.hasPrefix("entry 'bad' differs between the directory") == true)
  }

  @Test
  func `a backslash is part of a name, and of a name from DOS a flaw`() throws {
    for system: UInt8 in [3, 19, 0, 10, 11, 14] {
      var zip = ZipBytes()
      var oddity = ZipBytes.Oddity()
      oddity.system = system
      zip.add(#"a\b.txt"#, contents: "x", oddity)
      let entry = try #require(try entries(zip.archive()).first)
      #expect(entry.name == #"a\b.txt"#)
      #expect((entry.flaw != nil) == [0, 10, 11, 14].contains(system))
    }
  }

  @Test
  func `an entry without owner fields has no owner`() throws {
    var zip = ZipBytes()
    zip.add("a", contents: "x")
    var oddity = ZipBytes.Oddity()
    oddity.system = 0
    zip.add("b", contents: "x", mode: 0, oddity)
    let entries = try entries(zip.archive())
    #expect(entries.map(\.hasOwner) == [false, false])
    #expect(entries.map(\.hasPermissions) == [true, false])
  }
}
