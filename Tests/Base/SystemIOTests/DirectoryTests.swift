import Glibc
import SystemIO
import TestSupport
import Testing

@Suite struct DirectoryTests {
  @Test func `names are sorted by their bytes, each with its kind`() throws {
    let folder = try TemporaryFolder()
    let root = try FileDescriptor.open(folder.path, for: .directory)
    for name in ["b", "a", "a-b", "B", ".x", "é", "ab"] {
      try root.open(FileName(name), for: .creating(permissions: 0o600)).close()
    }
    try folder.makeFolder("dir")
    try folder.makeLink("link", to: "nowhere")
    try folder.makePipe("pipe")
    let listing = try root.list()
    let names = listing.items.map { listing.fileName(of: $0).shown }
    #expect(names == [".x", "B", "a", "a-b", "ab", "b", "dir", "link", "pipe", "é"])
    #expect(listing.items[0].kind == .file)
    #expect(listing.items[6].kind == .directory)
    #expect(listing.items[7].kind == .symbolicLink)
    #expect(listing.items[8].kind == .pipe)
    #expect(try root.list().items.count == 10, "a folder can be listed again")
  }

  @Test func `a folder of thousands of names is listed completely`() throws {
    let folder = try TemporaryFolder()
    let root = try FileDescriptor.open(folder.path, for: .directory)
    for number in 0..<3000 {
      try root.open(FileName("some longer name \(number)"), for: .creating(permissions: 0o600))
        .close()
    }
    #expect(try root.list().items.count == 3000)
  }

  @Test func `a status describes the link, never its target`() throws {
    let folder = try TemporaryFolder()
    let root = try FileDescriptor.open(folder.path, for: .directory)
    let file = try root.open("file", for: .creating(permissions: 0o640))
    try file.write([1, 2, 3])
    let written = try file.status()
    try file.close()
    try folder.makeLink("link", to: "file")
    #expect(try root.status(of: "link").kind == .symbolicLink)
    #expect(try root.linkTarget(of: "link") == Array("file".utf8))
    let named = try root.status(of: "file")
    #expect(named == written)
    #expect(named.size == 3)
    #expect(named.kind == .file)
    #expect(named.permissions & 0o111 == 0)
  }

  @Test func `the status of a path is of a link or of its target`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("file", "12345")
    try folder.makeLink("link", to: "file")
    try folder.makeLink("broken", to: "nothing")
    #expect(try FileStatus(ofLinkAt: folder.path("link")).kind == .symbolicLink)
    #expect(try FileStatus(ofFileAt: folder.path("link")).kind == .file)
    #expect(
      try FileStatus(ofLinkAt: folder.path("file")) == FileStatus(ofFileAt: folder.path("file")))
    #expect(try FileStatus(ofLinkAt: folder.path("broken")).kind == .symbolicLink)
    #expect(try FileStatus(ofLinkAt: folder.path("link//")).kind == .symbolicLink)
    #expect(try FileStatus(ofLinkAt: "/").kind == .directory)
    #expect(throws: Failure.self) { try FileStatus(ofFileAt: folder.path("broken")) }
    #expect(throws: Failure.self) { try FileStatus(ofLinkAt: folder.path("nothing")) }
  }

  @Test func `a link is not opened, and a name with a slash or a NUL is invalid`() throws {
    let folder = try TemporaryFolder()
    let root = try FileDescriptor.open(folder.path, for: .directory)
    try folder.makeLink("link", to: "/etc")
    let error = #expect(throws: Failure.self) { _ = try root.open("link", for: .directory) }
    #expect(error?.code == ENOTDIR || error?.code == ELOOP)
    for name in ["", "link/passwd", "a\0b"] {
      let error = #expect(throws: Failure.self) { _ = try root.status(of: FileName(name)) }
      #expect(error?.code == ENOENT)
    }
  }

  @Test func `a long link target is read completely`() throws {
    let folder = try TemporaryFolder()
    let root = try FileDescriptor.open(folder.path, for: .directory)
    let target = String(repeating: "x/", count: 1000)
    try folder.makeLink("link", to: target)
    #expect(try root.linkTarget(of: "link") == Array(target.utf8))
  }

  @Test func `a name with any bytes is shown in a readable form that can be copied`() {
    #expect(FileName("größe").shown == "größe")
    #expect(FileName([0x61, 0xFF, 0x0A, 0x62]).shown == "a\\xFF\\x0Ab")
    #expect(FileName([0xC3, 0x28]).shown == "\\xC3(")
    #expect(FileName([0xC2, 0x9B]).shown == "\\u{9B}")
  }

  @Test(arguments: [SystemCall.open, .readDirectory, .seek, .status, .readLink, .access])
  func `every failed call on a folder leaves no descriptor open`(call: SystemCall) throws {
    let folder = try TemporaryFolder()
    try folder.makeLink("link", to: "x")
    for count in 1...2 {
      #expect(throws: Failure.self) {
        try ForcedFailures.inject(ForcedFailure(call, .fail(EIO), times: count)) {
          let root = try FileDescriptor.open(folder.path, for: .directory)
          _ = try root.list()
          _ = try root.status(of: "link")
          _ = try root.linkTarget(of: "link")
          try root.checkReadable("link")
        }
      }
    }
    #expect(try openDescriptors(below: folder.path) == [])
  }
}
