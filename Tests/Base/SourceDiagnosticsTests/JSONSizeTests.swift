import SourceDiagnostics
import TestSupport
import Testing

@Suite("The size of a text before it is written")
struct JSONSizeTests {
  /// A value of any kind, nested up to `depth` levels.
  static func value(_ seeded: inout Seeded, depth: Int) -> JSONValue {
    let texts = ["", "a", "ä\n", "\"\\\u{1}\u{7F}", "a longer text\tof words", "日本"]
    func text(_ seeded: inout Seeded) -> String { texts[seeded.next(below: 6)] }
    switch seeded.next() % (depth > 1 ? 8 : 4) {
    case 0: return .null
    case 1: return .bool(seeded.next() & 1 == 0)
    case 2:
      return .number(["0", "-1.5e300", "123456789012345678901234567890"][seeded.next(below: 3)])
    case 3: return .string(text(&seeded))
    case 4, 5:
      return .array((0..<seeded.next() % 6).map { _ in value(&seeded, depth: depth - 1) })
    default:
      return .object(
        (0..<seeded.next() % 6).map { _ in
          JSONValue.Member(text(&seeded), value(&seeded, depth: depth - 1))
        })
    }
  }

  @Test
  func `the size of a value is that of its text, in both layouts and in a parsed text`() {
    var seeded = Seeded(seed: 8)
    for round in 0..<3000 {
      let value = Self.value(&seeded, depth: 1 + round % 9)
      let size = JSONSize(of: value)
      let compact = JSONWriter.bytes(value, .compact)
      let indented = JSONWriter.bytes(value, .readable)
      #expect(size.compact == compact.count)
      #expect(size.written == indented.count)
      #expect(size.depth <= 1 + round % 9)
      let parsed = JSONDocument(parsing: SourceText(indented, named: "m"))
      #expect(parsed.root.map { JSONSize(of: $0) } == size)
    }
  }

  /// Returns `count` numbers in an array inside `depth` others.
  static func numbers(_ count: Int, depth: Int) -> JSONValue {
    var value = JSONValue.array((0..<count).map { _ in .number("1") })
    for _ in 0..<depth { value = .array([value]) }
    return value
  }

  @Test
  func `only a text that indenting would multiply is written on one line`() {
    for (count, depth) in [(0, 0), (10, 3), (1000, 3), (100, 200), (3000, 1), (20_000, 0)] {
      let value = Self.numbers(count, depth: depth)
      let size = JSONSize(of: value)
      let written = JSONWriter.bytes(value, .readable)
      let lines = written.count { $0 == UInt8(ascii: "\n") }
      #expect(written.last == UInt8(ascii: "\n"))
      #expect(written.count <= max(64 << 10, 2 * size.compact) + 1)
      guard size.compact < size.indented else { continue }
      #expect(lines == 1 ? size.indented > 64 << 10 : size.indented == written.count - 1)
      #expect(lines > 1 || size.indented > 2 * size.compact)
    }
    // Texts that users write are on separate lines, in any amount.
    let words = JSONValue.array((0..<5000).map { .string("a name of usual length \($0)") })
    #expect(JSONWriter.bytes(.object([.init("names", words)]), .readable).count { $0 == 10 } > 5000)
  }
}
