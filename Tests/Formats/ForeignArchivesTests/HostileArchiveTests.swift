import SystemIO
import TestSupport
import Testing

@testable import ForeignArchives

@Suite struct HostileArchiveTests {
  private func listed(_ build: (inout TarBytes) -> Void) throws -> ForeignListing {
    let folder = try TemporaryFolder()
    var tar = TarBytes()
    build(&tar)
    try save(tar.archive, folder.path + "/a.tar")
    return try listing(of: folder.path + "/a.tar")
  }

  @Test(arguments: [
    ("/etc/passwd", "etc/passwd", "is stored as '/etc/passwd', an absolute path"),
    ("../x", "../x", "has a '..' in its path"),
    ("a/../../x", "a/../../x", "has a '..' in its path"),
    ("..", "..", "has a '..' in its path"),
    ("a..b/..c", "a..b/..c", nil),
  ])
  func `a name that leads out of the archive is detected`(
    name: String, path: String, flaw: String?
  ) throws {
    let entry = try #require(try listed { $0.add(name, contents: "x") }.entries.first)
    #expect(entry.name == path)
    #expect(entry.pathFlaw == flaw)
  }

  @Test
  func `names are cleaned of './', doubled and trailing slashes`() throws {
    let listing = try listed {
      $0.add("./", type: "5")
      $0.add("./a//b/", type: "5")
      $0.add("./a/b/c.txt", contents: "x")
    }
    #expect(listing.entries.map(\.name) == ["a/b", "a/b/c.txt"])
    #expect(listing.entries.map(\.index) == [0, 1])
  }

  @Test
  func `entries of one path are all listed, in their order`() throws {
    let listing = try listed {
      $0.add("a", contents: "1")
      $0.add("./a", contents: "22")
      $0.add("d", type: "5")
    }
    #expect(listing.entries.map(\.name) == ["a", "a", "d"])
    #expect(listing.entries.map(\.size) == [1, 2, 0])
  }

  @Test
  func `names of different bytes that are displayed equally are two names`() throws {
    let names = ["\u{E9}", "e\u{301}", "n\u{303}/x", "\u{F1}"]
    let listing = try listed { for name in names { $0.add(name, contents: "x") } }
    #expect(listing.entries.map(\.path) == names.map { Array($0.utf8) })
  }

  @Test
  func `links, devices and pipes are distinguished`() throws {
    let listing = try listed {
      $0.add("file", contents: "x")
      $0.add("soft", type: "2", target: "../../etc")
      $0.add("hard", type: "1", target: "file")
      $0.add("char", type: "3")
      $0.add("block", type: "4")
      $0.add("pipe", type: "6")
    }
    #expect(
      listing.entries.map(\.kind) == [
        .file, .symbolicLink(target: Array("../../etc".utf8)), .file,
        .special("a device"), .special("a device"), .special("a pipe"),
      ])
    #expect(listing.entries.map(\.contents) == [0, 1, 0, 3, 4, 5])
  }

  @Test
  func `a name that is not UTF-8 is unchanged, and no message shows its control characters`()
    throws
  {
    let folder = try TemporaryFolder()
    var tar = TarBytes()
    tar.add("A\u{1b}Z", contents: "x")
    var bytes = tar.archive
    bytes[0] = 0xFF
    let sum = (0..<512).reduce(0) { $0 + ((148..<156).contains($1) ? 32 : Int(bytes[$1])) }
    bytes.replaceSubrange(148..<154, with: String(sum + 0o1_000_000, radix: 8).utf8.suffix(6))
    try save(bytes, folder.path + "/a.tar")
    #expect(try listing(of: folder.path + "/a.tar").entries.map(\.path) == [[0xFF, 0x1B, 0x5A]])
    // Truncated inside its contents: now the file has an error.
    try save(Array(bytes.prefix(512)), folder.path + "/a.tar")
    let error = #expect(throws: Failure.self) {
      try contents(of: folder.path + "/a.tar", [0])
    }
    #expect(error?.reason.hasPrefix(#"entry '\xFF\x1BZ': "#) == true)
  }

  @Test
  func `second names are the file at the end of their chain, of any length`() throws {
    let count = 3000
    for backwards in [false, true] {
      let listing = try listed { tar in
        let names = (0..<count).map { "n\($0)" }
        if !backwards { tar.add("n0", contents: "file") }
        for index in backwards ? Array((1..<count).reversed()) : Array(1..<count) {
          tar.add(names[index], type: "1", target: names[index - 1])
        }
        if backwards { tar.add("n0", contents: "file") }
      }
      #expect(listing.entries.count == count)
      #expect(Set(listing.entries.map(\.contents)) == [backwards ? count - 1 : 0])
      #expect(Set(listing.entries.map(\.size)) == [4])
      #expect(listing.entries.allSatisfy { $0.kind == .file && $0.flaw == nil })
    }
  }

  @Test
  func `a second name refers to the file that had the name then; without one it is an error`()
    throws
  {
    let listing = try listed {
      $0.add("a", contents: "old")
      $0.add("b", type: "1", target: "a")
      $0.add("a", contents: "newer")
      $0.add("c", type: "1", target: "a")
      $0.add("self", type: "1", target: "self")
      $0.add("x", type: "1", target: "y")
      $0.add("y", type: "1", target: "x")
      $0.add("d", type: "5")
      $0.add("e", type: "1", target: "d")
    }
    #expect(listing.entries.map(\.contents).prefix(4) == [0, 0, 2, 2])
    #expect(listing.entries.map(\.size).prefix(4) == [3, 3, 5, 5])
    let flaws = listing.entries.map(\.flaw)
    for (place, name) in [(4, "self"), (5, "y"), (6, "x"), (8, "d")] {
      #expect(flaws[place] == "is another name of '\(name)', which is not a file in the archive")
    }
    #expect(flaws.count { $0 != nil } == 4)
  }

  @Test
  func `an encrypted zip entry is detected as encrypted`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x.zip"
    try export([.file("secret", Array("0123456789abcdef".utf8))], to: path)
    var bytes = try load(path)
    let central = try #require(
      bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == [0x50, 0x4B, 1, 2] })
    // Bit 0 of the flags, in the local header and in the central directory.
    bytes[6] |= 1
    bytes[central + 8] |= 1
    try save(bytes, path)
    #expect(try listing(of: path).entries.map(\.isEncrypted) == [true])
  }

  @Test
  func `an archive that is truncated anywhere is an error or the start of the list`() throws {
    let folder = try TemporaryFolder()
    for suffix in [".zip", ".tar", ".tar.xz", ".7z"] {
      let path = folder.path + "/x" + suffix
      try export((0..<4).map { .file("f\($0)", Array(repeating: 65, count: 900)) }, to: path)
      let whole = try load(path)
      for count in stride(from: 0, to: whole.count - 1, by: max(1, whole.count / 60)) {
        try save(Array(whole.prefix(count)), path)
        do {
          let entries = try listing(of: path).entries
          for content in try contents(of: path, entries.map(\.index)) {
            #expect(content == Array(repeating: 65, count: 900))
          }
        } catch {
          #expect(error is Failure)
        }
      }
    }
  }

  @Test
  func `a file that is not an archive is rejected, also an mtree that names other files`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x"
    for text in ["", "hello", "#mtree\n./passwd type=file contents=/etc/passwd\n"] {
      try save(Array(text.utf8), path)
      #expect(throws: Failure.malformed("Unrecognized archive format", "a.tar")) {
        try listing(of: path)
      }
    }
  }
}
