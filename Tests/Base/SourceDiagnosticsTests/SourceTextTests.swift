import SourceDiagnostics
import Testing

@Suite struct SourceTextTests {
  @Test func `positions count lines and scalars from one`() {
    let text = SourceText(Array("a\nzwölf 🐟x\r\nc\rd".utf8), named: "t")
    let offsets = ["a": 0, "z": 2, "x": 13, "c": 16, "d": 18]
    let expected = [
      "a": (1, 1), "z": (2, 1), "x": (2, 8), "c": (3, 1), "d": (4, 1),
    ]
    for (letter, offset) in offsets {
      #expect(text.bytes[offset] == UInt8(ascii: Unicode.Scalar(letter) ?? " "))
      let position = text.position(of: offset)
      #expect((position.line, position.column) == expected[letter] ?? (0, 0))
    }
  }

  @Test func `positions beyond the first checkpoint equal a count from the start`() {
    var bytes: [UInt8] = []
    for number in 0..<4000 { bytes += Array("Zeile \(number) größer\r\n".utf8) }
    let text = SourceText(bytes, named: "t")
    var line = 1
    var column = 1
    for (offset, byte) in bytes.enumerated() {
      if offset % 97 == 0 {
        #expect(text.position(of: offset) == .init(line: line, column: column))
      }
      if byte == 0x0A {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    #expect(text.position(of: bytes.count + 5) == text.position(of: bytes.count))
  }

  @Test(arguments: 1...40)
  func `positions do not depend on the place of a character among eight bytes`(seed: Int) {
    let parts = ["a", "bcdefghij", "ö", "🐟", "\n", "\r\n", "\r", "\t", "\u{1F}", "\u{7F}", " "]
    var bytes: [UInt8] = seed % 4 == 0 ? [0xEF, 0xBB, 0xBF] : []
    var state = UInt32(seed)
    for _ in 0..<100 {
      state = state &* 1_664_525 &+ 1_013_904_223
      bytes += parts[Int(state >> 16) % parts.count].utf8
    }
    let text = SourceText(bytes, named: "t")
    var (line, column) = (1, 1)
    for (offset, byte) in bytes.enumerated() {
      #expect(text.position(of: offset) == .init(line: line, column: column))
      let isBreak = byte == 0x0A || byte == 0x0D && bytes.dropFirst(offset + 1).first != 0x0A
      if isBreak { (line, column) = (line + 1, 1) }
      let isMark = seed % 4 == 0 && offset < 3
      if !isBreak, byte & 0xC0 != 0x80, !isMark { column += 1 }
    }
  }

  @Test(arguments: 0..<24)
  func `a byte that is not UTF-8 is found at any place`(offset: Int) {
    for text in ["abcdefghijklmnopqrstuvwxyz", "äöüäöüäöüäöüäöü"] {
      var bytes = Array("\"\(text)\"".utf8)
      let start = offset + 1 - (text.first == "ä" ? offset % 2 : 0)
      bytes.insert(0xFF, at: start)
      let found = JSONDocument(parsing: SourceText(bytes, named: "t")).findings
        .filter { $0.id == .encoding }
      #expect(found.map(\.span) == [SourceSpan(start, start + 1)])
    }
  }
}
