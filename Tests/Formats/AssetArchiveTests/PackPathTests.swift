import AssetArchive
import SystemIO
import TestSupport
import Testing

@Suite struct PackPathTests {
  @Test func `a path into the pack is valid`() throws {
    for text in ["", "a", "a/b", "..a", "a/...", ".a", "ä/日本", "Contents", "a\u{7}b", "\u{85}"] {
      #expect(try path(text).bytes.elementsEqual(text.utf8), "\(text)")
    }
    let longest = String(repeating: "a", count: 255)
    #expect(try path([longest, longest, longest, longest].joined(separator: "/")).steps.count == 4)
    #expect(try PackPath([0xFF]).bytes == [0xFF])
  }

  @Test func `an invalid path is an error with its reason`() {
    let wrong: [(String, PathFault)] = [
      ("/a", .absolute), ("/", .absolute), ("a/", .trailingSlash), ("a//b", .emptyComponent),
      ("../a", .parentComponent), ("a/..", .parentComponent), ("..", .parentComponent),
      (".", .dotComponent), ("a/./b", .dotComponent), ("a/.", .dotComponent),
      ("a\0", .nul), ("\0/..", .nul),
      (String(repeating: "a", count: 1024), .tooLong(1024)),
      ("a/" + String(repeating: "a", count: 256), .longComponent(256)),
      (String(repeating: "a", count: 257) + "/a", .longComponent(257)),
    ]
    for (text, fault) in wrong {
      #expect(throws: fault, "\(text)") { try path(text) }
      let stored = StoredPath(reading: Array(text.utf8)[...])
      #expect(stored.fault == fault)
      #expect(stored.path == nil)
      #expect(stored.bytes.elementsEqual(text.utf8))
    }
  }

  @Test func `a path that no app can request is not added to a buffer`() {
    let wrong: [([UInt8], PathFault)] = [
      ([], .empty), ([0xFF], .notUTF8), (Array("a/\u{7}".utf8), .controlCharacter),
      (Array("\u{85}".utf8), .controlCharacter), (Array("a\0".utf8), .controlCharacter),
      (Array("a/../b".utf8), .parentComponent), (Array("./b".utf8), .dotComponent),
      (Array("/b".utf8), .absolute), (Array("b/".utf8), .trailingSlash),
      (Array("ä//b".utf8), .emptyComponent),
      ([UInt8](repeating: 97, count: 256), .longComponent(256)),
      ([UInt8](repeating: 97, count: 1015), .tooLong(1024)),
    ]
    var buffer = PackPathBuffer()
    for (bytes, fault) in wrong {
      #expect(throws: fault, "\(bytes)") { try buffer.append(inContents: bytes) }
      #expect(PackPath.fault(inContents: bytes[...]) == fault)
    }
    #expect(buffer.bytes == [])
  }

  @Test func `every fault has its message`() {
    let faults: [PathFault] = [
      .tooLong(1024), .nul, .absolute, .trailingSlash, .emptyComponent, .parentComponent,
      .dotComponent, .longComponent(256), .empty, .notUTF8, .controlCharacter,
    ]
    #expect(Set(faults.map { "\($0)" }).count == faults.count)
  }

  @Test func `paths of one buffer are views that report their position`() throws {
    var buffer = PackPathBuffer()
    let first = try buffer.append(inContents: Array("a/b/c".utf8))
    let source = buffer.append(source: [0xFF, 0x2F])
    let second = try buffer.append(inContents: Array("ä".utf8))
    #expect(buffer[first].bytes.elementsEqual("Contents/a/b/c".utf8))
    #expect(buffer[second].inContents?.bytes.elementsEqual("ä".utf8) == true)
    #expect(buffer.bytes[source] == [0xFF, 0x2F])
    #expect(
      buffer[first].steps.map(\.shown) == [
        "Contents", "Contents/a", "Contents/a/b", "Contents/a/b/c",
      ])
    #expect(buffer[first].parent?.shown == "Contents/a/b")
    #expect(buffer[first].name.shown == "c")
    let start = Int(first.start)
    for end in start - 3..<start + 8 {
      let folder = buffer.folder(around: first, upTo: end).map { buffer[$0].shown }
      #expect(folder == [start + 1: "Contents/a", start + 3: "Contents/a/b"][end])
    }
    buffer.remove(from: second)
    #expect(buffer.bytes.elementsEqual("Contents/a/b/c".utf8) == false)
    #expect(buffer.bytes.count == "Contents/a/b/c".utf8.count + 2)
  }

  @Test func `the root, the folder of an app and the manifest are outside that folder`() {
    for path in [PackPath.root, .contents, .manifest] {
      #expect(path.inContents == nil)
      #expect(path.parent == nil)
    }
    #expect(PackPath.root.steps == [])
    #expect(StoredPath(.contents).isInContents)
    #expect(!StoredPath(.manifest).isInContents)
    #expect(StoredPath(reading: Array("Contents/..".utf8)[...]).bytesInContents == [0x2E, 0x2E])
    #expect(StoredPath(reading: Array("Contentsa".utf8)[...]).bytesInContents == nil)
  }

  @Test func `from any bytes, only valid ones become a path, which its parts restore`()
    throws
  {
    var random = Seeded(seed: 14)
    var made = 0
    let letters = Array("a./".utf8) + [0, 7, 0xC3, 0xA4]
    for _ in 0..<20_000 {
      // Mostly valid bytes, or no path would be valid.
      var bytes = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        letters[
          min(
            Int.random(in: 0..<3, using: &random)
              + (Int.random(in: 0..<30, using: &random) == 0 ? 4 : 0), 6)]
      }
      if Int.random(in: 0..<50, using: &random) == 0 {
        bytes += [UInt8](repeating: 97, count: Int.random(in: 240...1100, using: &random))
      }
      let path = StoredPath(reading: bytes[...]).path
      #expect((path != nil) == isRight(bytes), "\(bytes)")
      var buffer = PackPathBuffer()
      let place = try? buffer.append(inContents: bytes)
      #expect((place != nil) == isRightInContents(bytes), "\(bytes)")
      if let place { #expect(try PackPath(buffer[place].bytes) == buffer[place]) }
      guard let path else { continue }
      made += 1
      for part in path.steps + [path.parent, path.inContents].compactMap({ $0 }) {
        #expect(try PackPath(part.bytes) == part)
        #expect(part.parent.map { $0.steps } ?? [] == part.steps.dropLast())
      }
    }
    #expect(made > 2_000)
  }

  private func path(_ text: String) throws(PathFault) -> PackPath {
    try PackPath(Array(text.utf8)[...])
  }

  /// The definition of a path, one line for each clause.
  private func isRight(_ bytes: [UInt8]) -> Bool {
    bytes.isEmpty
      || bytes.count <= 1023 && !bytes.contains(0)
        && bytes.split(separator: 0x2F, omittingEmptySubsequences: false).allSatisfy {
          !$0.isEmpty && $0.count <= 255 && $0 != [0x2E] && $0 != [0x2E, 0x2E]
        }
  }

  private func isRightInContents(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    return !bytes.isEmpty && bytes.count <= 1014 && isRight(bytes)
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
