import SystemIO
import TestSupport
import Testing

@Suite struct FilePathTests {
  @Test func `any bytes are restored from a string, and different paths have different strings`() {
    var random = Seeded(seed: 12)
    // Characters that represent other bytes, pieces of them, and their components.
    let parts: [[UInt8]] =
      HostileNames.possible + [[0x2F], [0xF4], [0x8F], [0xBE], [0xBF], [0x80], [0x61]]
    var seen: [[UInt8]: [UInt8]] = [:]
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0..<5, using: &random)).flatMap { _ in
        parts.randomElement(using: &random) ?? []
      }
      let path = FilePath(bytes)
      let text = path.text
      #expect(FilePath(text).bytes == bytes)
      #expect(seen[Array(text.utf8), default: bytes] == bytes)
      seen[Array(text.utf8)] = bytes
      #expect(FilePath(text).text.utf8.elementsEqual(text.utf8))
    }
  }

  @Test func `a text that was not made from a path is a path of the same bytes`() {
    for name in HostileNames.text where !name.unicodeScalars.contains("\u{10FF80}") {
      #expect(FilePath(name).bytes == Array(name.utf8))
      #expect(FilePath(name).text.utf8.elementsEqual(name.utf8))
    }
  }

  @Test(arguments: HostileNames.possible) func `a slash is a separator before any byte`(
    name: [UInt8]
  ) {
    let folder = Array("out/".utf8)
    let path = FilePath(folder + name)
    #expect(path.components.map(\.bytes) == [[0x6F, 0x75, 0x74], name])
    #expect(path.folder.bytes == Array("out".utf8))
    #expect(path.name.bytes == name)
    #expect(path.folder.appending(path.name) == path)
    #expect(FilePath(name + folder).components.map(\.bytes) == [name + folder.dropLast()])
    #expect(
      FilePath(folder + name + Array("//./x/".utf8)).normalized.bytes == folder + name + [
        0x2F, 0x78,
      ])
  }

  @Test(arguments: [
    ("a", ".", "a"), ("a/", ".", "a"), ("/a", "/", "a"), ("/", "/", ""), ("//", "/", ""),
    ("a//b", "a", "b"), ("a/b//", "a", "b"), ("./a", ".", "a"), ("../a", "..", "a"), ("", ".", ""),
  ])
  func `a path is a name in a folder`(path: String, folder: String, name: String) {
    #expect(FilePath(path).folder.text == folder)
    #expect(FilePath(path).name == FileName(name))
  }

  @Test func `appending adds a component, and an empty path adds no slash`() {
    #expect(FilePath("a").appending(FilePath("b/c")).text == "a/b/c")
    #expect(FilePath("a/").appending("b" as FileName).text == "a/b")
    #expect(FilePath(".").appending(FilePath("../b")).text == "../b")
    #expect(FilePath("/").appending(FilePath("b")).text == "/b")
  }

  @Test func `a message escapes bytes that are not text at any position of the path`() {
    let path = FilePath([0x61, 0xE9, 0x2F, 0xFF])
    #expect(path.shown == "a\\xE9/\\xFF")
    #expect(FilePath("no '\(path.text)' here").shown == "no 'a\\xE9/\\xFF' here")
    #expect(shownBytes("plain é".utf8) == "plain é")
  }

  @Test func `an output whose name begins with a combining mark is in its folder`() throws {
    let folder = try TemporaryFolder()
    for name in HostileNames.possible {
      let path = FilePath(folder.path("out")).appending(FileName(name))
      let made = try OutputFolder(path.text)
      let file = try AtomicFile(path.appending("x" as FileName).text)
      try file.write([1])
      try file.publish()
      #expect(try FileStatus(ofFileAt: path.appending("x" as FileName).text).size == 1)
      withExtendedLifetime(made) {}
    }
  }
}
