/// A text for readers: a comment, a string literal, the name of a test or a paragraph.
struct SourceText {
  enum Kind { case comment, documentation, literal, name, paragraph }

  var kind: Kind
  /// ASCII: other bytes are replaced by `~`, so that offsets count bytes.
  private(set) var bytes: [UInt8] = []
  /// The offset at which each line begins.
  private(set) var lines: [(offset: Int, number: Int)] = []
  private var isInFence = false

  init(kind: Kind) { self.kind = kind }

  var lastLine: Int? { lines.last?.number }

  /// Appends a line, after a space; lines of a fenced block of code are omitted.
  mutating func append(_ part: ArraySlice<UInt8>, line: Int) {
    let isFence = part.starts(with: "```".utf8)
    if isFence { isInFence.toggle() }
    if !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
    lines.append((bytes.count, line))
    guard !isFence, !isInFence else { return }
    bytes += part.map { $0 < 0x80 ? $0 : UInt8(ascii: "~") }
  }

  func position(at offset: Int) -> (line: Int, column: Int) {
    let start = lines.last { $0.offset <= offset } ?? (offset: 0, number: 0)
    return (start.number, offset - start.offset)
  }

  /// The bytes with `x` in place of quoted data: 'text' or `text`, of code in templates and
  /// of addresses.
  var withoutQuotedData: [UInt8] {
    var result = bytes
    func blank(_ range: Range<Int>) { for index in range { result[index] = UInt8(ascii: "x") } }
    var index = 0
    while index < result.count {
      let byte = result[index]
      if byte == UInt8(ascii: "`"), let end = result[(index + 1)...].firstIndex(of: byte) {
        blank((index + 1)..<end)
        index = end
      } else if byte == UInt8(ascii: "'"), let end = Self.endOfQuotation(at: index, in: result) {
        blank((index + 1)..<end)
        index = end
      } else if byte == UInt8(ascii: "$"), result[index...].starts(with: "${".utf8),
        let end = result[index...].firstIndex(of: UInt8(ascii: "}"))
      {
        blank(index..<end)
        index = end
      } else if byte == UInt8(ascii: ":"), result[index...].starts(with: "://".utf8) {
        let end = result[index...].firstIndex { " )\"'>".utf8.contains($0) } ?? result.count
        blank(index..<end)
        index = end
        continue
      }
      index += 1
    }
    return result
  }

  /// Returns the end of a quotation; an apostrophe after or before a letter is not a quotation
  /// mark.
  private static func endOfQuotation(at start: Int, in bytes: [UInt8]) -> Int? {
    func isLetter(_ index: Int) -> Bool {
      bytes.indices.contains(index) && (0x61...0x7A).contains(bytes[index] | 0x20)
    }
    guard !isLetter(start - 1),
      let end = bytes[(start + 1)...].prefix(61).firstIndex(of: UInt8(ascii: "'")),
      end > start + 1, !isLetter(end + 1)
    else { return nil }
    return end
  }

  /// Whether a literal is more than a name or a number: it has a space after a word.
  var isSentence: Bool {
    bytes.indices.dropFirst(2).contains { index in
      bytes[index] == UInt8(ascii: " ")
        && (0x61...0x7A).contains(bytes[index - 1] | 0x20)
        && (0x61...0x7A).contains(bytes[index - 2] | 0x20)
    }
  }
}
