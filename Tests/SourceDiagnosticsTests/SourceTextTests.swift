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
}
