import SystemIO
import TestSupport
import Testing

@testable import BAPackKit

/// Tests that patterns match together as they match alone.
@Suite struct PatternSetTests {
  private let parts = [
    "a", "b", ".", "*", "?", "[ab]", "/", "**/", "/**", "é", "ab", "*.p", #"\*"#,
  ]
  private let names = ["a", "b", ".a", "ab", "ba", "é", "a.p", "aab", "b.pab", "*"]

  /// Compares sets of random patterns with each pattern alone, on random paths.
  private func compare(
    dotIsOrdinary: Bool, _ parse: (String) throws(PatternFault) -> PathPattern
  ) {
    var random = Seeded(seed: 28)
    for _ in 0..<500 {
      let texts = (0..<12).map { _ in
        (0...random.next(below: 5)).map { _ in parts[random.next(below: parts.count)] }.joined()
      }
      let patterns = texts.compactMap { try? parse($0) }.filter { !$0.components.isEmpty }
      var set = PatternSet(dotIsOrdinary: dotIsOrdinary)
      for (index, pattern) in patterns.enumerated() { set.add(pattern, of: index * 2) }
      #expect(set.isEmpty == patterns.isEmpty)
      var marks = PatternSet.Marks()
      var used: Set<Int> = []
      for round in 0..<20 {
        let path = (0...random.next(below: 4)).map { _ in names[random.next(below: names.count)] }
        var progress = set.start
        var alone = patterns.map(\.start)
        for name in path {
          let bytes = Array(name.utf8)[...]
          let expected = patterns.indices.filter { patterns[$0].accepts(alone[$0], bytes) }
            .map { $0 * 2 }
          #expect(set.matches(bytes, progress) == !expected.isEmpty, "\(texts) on \(path)")
          #expect(set.selectors(matching: bytes, progress) == expected, "\(texts) on \(path)")
          let match = set.match(bytes, progress, marks)
          #expect(match?.selector == expected.first)
          // Equal patterns are marked together.
          if match?.isNew == false { #expect(used.isSuperset(of: expected)) }
          set.mark(bytes, progress, &marks)
          #expect(set.match(bytes, progress, marks)?.isNew != true)
          used.formUnion(expected)
          progress = set.advance(progress, over: bytes)
          alone = patterns.indices.map { patterns[$0].advance(alone[$0], over: bytes) }
          let below = patterns.indices.filter { patterns[$0].canGoOn(alone[$0]) }.map { $0 * 2 }
          #expect(progress.isEmpty == below.isEmpty, "\(texts) on \(path)")
          #expect(set.selectors(below: progress) == below, "\(texts) on \(path)")
          #expect(set.firstSelector(below: progress) == below.first)
        }
        guard round == 10 else { continue }
        set.mark(below: progress, &marks)
        used.formUnion(set.selectors(below: progress))
      }
      #expect(
        set.unused(marks).map(\.selector)
          == patterns.indices.map { $0 * 2 }.filter { !used.contains($0) })
    }
  }

  @Test func `a pattern keeps the first link that it did not follow`() throws {
    var set = PatternSet(dotIsOrdinary: false)
    for (index, text) in ["*.png", "a/*.png", "**/*.ogg", "a/b", "**"].enumerated() {
      set.add(try PathPattern(forFiles: text), of: index)
    }
    var marks = PatternSet.Marks()
    let (a, b) = (Array("a".utf8), Array("b".utf8))
    let inB = set.advance(set.start, over: b[...])
    set.note(link: b, below: inB, &marks)
    let inA = set.advance(set.start, over: a[...])
    set.note(link: a, below: inA, &marks)
    let links = set.unused(marks).map { set.link(passedBy: $0, marks) }
    #expect(links == [nil, a, b, a, b])
  }

  @Test func `many exclusions exclude the same files as each of them alone`() {
    compare(dotIsOrdinary: true) { text throws(PatternFault) in
      try PathPattern(forExclusion: text)
    }
  }

  @Test func `many patterns select the same files as each of them alone`() {
    compare(dotIsOrdinary: false) { text throws(PatternFault) in try PathPattern(forFiles: text) }
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
