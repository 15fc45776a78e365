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

  @Test(
    "a name that leaves the archive is refused by name",
    arguments: [
      ("/etc/passwd", "entry '/etc/passwd' has an absolute path"),
      ("../x", "entry '../x' has a '..' in its path"),
      ("a/../../x", "entry 'a/../../x' has a '..' in its path"),
      ("..", "entry '..' has a '..' in its path"),
    ])
  func badNames(name: String, reason: String) throws {
    #expect(throws: ForeignArchiveError("a.tar", reason: reason)) {
      try listed { $0.add(name, contents: "x") }
    }
  }

  @Test("names are cleaned of './', doubled and trailing slashes")
  func cleaned() throws {
    let listing = try listed {
      $0.add("./", type: "5")
      $0.add("./a//b/", type: "5")
      $0.add("./a/b/c.txt", contents: "x")
    }
    #expect(listing.entries.map(\.path) == ["a/b", "a/b/c.txt"])
    #expect(listing.entries.map(\.index) == [0, 1])
  }

  @Test("two entries of one path are refused; a folder may be named again")
  func duplicates() throws {
    #expect(throws: ForeignArchiveError("a.tar", reason: "entry 'a' is there twice")) {
      try listed {
        $0.add("a", contents: "1")
        $0.add("./a", contents: "2")
      }
    }
    let listing = try listed {
      $0.add("d", type: "5")
      $0.add("d/", type: "5")
      $0.add("d/x", contents: "1")
    }
    #expect(listing.entries.map(\.path) == ["d", "d/x"])
    #expect(listing.entries.map(\.index) == [0, 2])
  }

  @Test("names that look equal and are other bytes are two names")
  func spellings() throws {
    let names = ["\u{E9}", "e\u{301}", "n\u{303}/x", "\u{F1}"]
    let listing = try listed { for name in names { $0.add(name, contents: "x") } }
    #expect(listing.entries.map { Array($0.path.utf8) } == names.map { Array($0.utf8) })
  }

  @Test("nothing lies below a file or a link")
  func belowFile() throws {
    for type in ["0", "2"] as [Character] {
      #expect(
        throws: ForeignArchiveError(
          "a.tar", reason: "entry 'a/b/c' lies below 'a', which is no folder")
      ) {
        try listed {
          $0.add("a/b/c", contents: "1")
          $0.add("a", type: type, target: "elsewhere")
        }
      }
    }
  }

  @Test("links, devices and pipes are told apart")
  func kinds() throws {
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
        .file, .symbolicLink(target: "../../etc"), .hardLink(target: "file"),
        .special("a device"), .special("a device"), .special("a pipe"),
      ])
  }

  @Test("a name that is no UTF-8 is refused and shown without control characters")
  func notUTF8() throws {
    let folder = try TemporaryFolder()
    var tar = TarBytes()
    tar.add("A\u{1b}Z", contents: "x")
    var bytes = tar.archive
    bytes[0] = 0xFF
    let sum = (0..<512).reduce(0) { $0 + ((148..<156).contains($1) ? 32 : Int(bytes[$1])) }
    bytes.replaceSubrange(148..<154, with: String(sum + 0o1_000_000, radix: 8).utf8.suffix(6))
    try save(bytes, folder.path + "/a.tar")
    #expect(
      throws: ForeignArchiveError(
        "a.tar", reason: "entry '\u{FFFD}\\x1bZ' has a name that is not UTF-8")
    ) {
      try listing(of: folder.path + "/a.tar")
    }
  }

  @Test("an encrypted zip entry is known as encrypted")
  func encrypted() throws {
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

  @Test("an archive cut off anywhere is an error or the beginning of the list")
  func truncated() throws {
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
          #expect(error is ForeignArchiveError)
        }
      }
    }
  }

  @Test("what is no archive is refused, an mtree that names other files too")
  func notAnArchive() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x"
    for text in ["", "hello", "#mtree\n./passwd type=file contents=/etc/passwd\n"] {
      try save(Array(text.utf8), path)
      #expect(throws: ForeignArchiveError("a.tar", reason: "Unrecognized archive format")) {
        try listing(of: path)
      }
    }
  }
}
