import SystemIO
import TestSupport
import Testing

struct PathDigestTests {
  private func digest(_ text: String) -> PathDigest { PathDigest(Array(text.utf8)) }

  @Test
  func `components one by one have the digest of the path`() {
    for text in ["a", "a/b", "folder/seven77/eight888/nine99999", "", "/", "a//b", "a/"] {
      var builder = PathDigest.Builder()
      for part in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
        builder.append(Array(part)[...])
      }
      #expect(builder.digest == digest(text))
      let slice = Array("__\(text)__".utf8).dropFirst(2).dropLast(2)
      #expect(PathDigest(slice) == digest(text))
    }
  }

  @Test
  func `paths with other bytes, lengths or slashes have other digests`() {
    var paths: Set<[UInt8]> = []
    for count in 0...33 {
      let zeros = [UInt8](repeating: 0, count: count)
      paths.insert(zeros)
      for place in 0..<count {
        for byte: UInt8 in [1, UInt8(ascii: "/"), 0x80, 0xFF] {
          var path = zeros
          path[place] = byte
          paths.insert(path)
        }
      }
    }
    for index in 0..<100_000 { paths.insert(Array("textures/level\(index / 100)/\(index)".utf8)) }
    #expect(Set(paths.map(PathDigest.init)).count == paths.count)
  }

  @Test
  func `equal characters have one digest, in plain paths too`() {
    #expect(PathDigest(characters: "a/b") == digest("a/b"))
    #expect(PathDigest(characters: "\u{212A}") == digest("K"))
    #expect(PathDigest(characters: "a\u{37E}") == digest("a;"))
    #expect(PathDigest(characters: "\u{1FEF}") == digest("`"))
    #expect(PathDigest(characters: "\u{E9}") == PathDigest(characters: "e\u{301}"))
    #expect(PathDigest(characters: "\u{2260}") == PathDigest(characters: "=\u{338}"))
    #expect(PathDigest(characters: "\u{2260}") != PathDigest(characters: "="))
  }

  @Test
  func `no other character is equivalent to an ASCII character`() {
    let plain = Set((0..<0x80).map { String(Unicode.Scalar($0 as UInt8)) })
    let equivalents = (0x80...0xFFFF as ClosedRange<UInt32>).compactMap { Unicode.Scalar($0) }
      .filter { plain.contains(String($0)) }
    #expect(equivalents == ["\u{37E}", "\u{1FEF}", "\u{212A}"])
  }
}
