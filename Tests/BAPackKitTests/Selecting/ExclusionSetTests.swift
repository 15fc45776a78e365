import SystemIO
import TestSupport
import Testing

@testable import BAPackKit

/// Tests that exclusions match together as they match alone.
@Suite struct ExclusionSetTests {
  @Test func `many exclusions exclude the same files as each of them alone`() throws {
    var random = Seeded(seed: 28)
    let parts = ["a", "b", ".", "*", "?", "[ab]", "/", "**/", "/**", "é", "ab", "*.p"]
    let names = ["a", "b", ".a", "ab", "ba", "é", "a.p", "aab", "b.pab"]
    for _ in 0..<300 {
      let texts = (0..<12).map { _ in
        (0...random.next(below: 5)).map { _ in parts[random.next(below: parts.count)] }.joined()
      }
      var set = ExclusionSet()
      var patterns: [(selector: Int, pattern: PathPattern)] = []
      for text in texts {
        guard let pattern = try? PathPattern(forExclusion: text), !pattern.components.isEmpty else {
          continue
        }
        patterns.append((patterns.count * 2, pattern))
        set.add(pattern, of: patterns.count * 2 - 2)
      }
      var used: Set<Int> = []
      for _ in 0..<20 {
        let path = (0...random.next(below: 3)).map { _ in names[random.next(below: names.count)] }
        var progress = set.start
        var alone = patterns.map(\.pattern.start)
        for name in path {
          let bytes = Array(name.utf8)[...]
          let expected = patterns.indices.filter { patterns[$0].pattern.accepts(alone[$0], bytes) }
            .map { patterns[$0].selector }
          #expect(set.dropping(bytes, progress) == expected, "\(texts) on \(path)")
          used.formUnion(expected)
          progress = set.advance(progress, over: bytes)
          alone = patterns.indices.map { patterns[$0].pattern.advance(alone[$0], over: bytes) }
        }
      }
      #expect(set.unused == patterns.map(\.selector).filter { !used.contains($0) })
    }
  }

  @Test func `a sketch never rejects a text with the required bytes`() {
    var random = Seeded(seed: 29)
    for _ in 0..<2000 {
      let text = (0..<random.next(below: 30)).map { _ in UInt8(random.next(below: 256)) }
      let start = random.next(below: text.count + 1)
      let piece = text[start...].prefix(random.next(below: 6))
      #expect(ByteSketch(text).has(ByteSketch(piece)))
      #expect(ByteSketch(text).has(ByteSketch()))
    }
    #expect(!ByteSketch("level.pak".utf8).has(ByteSketch("x".utf8)))
    #expect(!ByteSketch("level.pak".utf8).has(ByteSketch("kap".utf8)))
  }
}
