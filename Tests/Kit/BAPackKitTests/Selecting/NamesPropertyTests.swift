import KitProperties
import TestSupport
import Testing

@Suite struct NamesPropertyTests {
  @Test func `files with any names are extracted from a pack unchanged`() throws {
    var random = Seeded(seed: 12)
    // Difficult names: combining marks, surrogates, escapes, dots.
    let pieces: [[UInt8]] = [
      Array("a".utf8), Array("/".utf8), [0], Array("\u{301}".utf8), Array("\u{1F3FB}".utf8), [0xFF],
      Array(".".utf8), Array("\\".utf8), Array("*".utf8), Array("e\u{301}".utf8), [0xC3], [0x1B],
      Array("\u{202E}".utf8), [UInt8](repeating: UInt8(ascii: "n"), count: 250),
    ]
    for _ in 0..<60 {
      let count = Int.random(in: 1...24, using: &random)
      let bytes = (0..<count).flatMap { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &random)]
      }
      let folder = try TemporaryFolder()
      #expect(NamesProperty.violation(of: bytes, in: folder.path) == nil, "\(bytes)")
    }
  }
}
