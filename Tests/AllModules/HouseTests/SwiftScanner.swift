/// Separates a Swift file into code and texts for readers.
struct SwiftScanner {
  /// The lines of code with their numbers, with empty string literals and without comments.
  ///
  /// Blank lines are omitted.
  private(set) var code: [(number: Int, text: String)] = []
  private(set) var texts: [SourceText] = []

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var lineOfCode: [UInt8] = []
  /// The comment lines directly above the current line.
  private var comment: SourceText?

  init(_ text: String) {
    bytes = Array(text.utf8)
    while position < bytes.count { step() }
    endLine()
    endComment()
  }

  private mutating func step() {
    switch bytes[position] {
    case UInt8(ascii: "\n"):
      endLine()
      position += 1
    case UInt8(ascii: "/") where isNext("//"): readComment()
    case UInt8(ascii: "/") where isNext("/*"): skip(to: "*/")
    case UInt8(ascii: "#") where isNext("#/"): copyRegex()
    case UInt8(ascii: "\""), UInt8(ascii: "#"):
      if let hashes = hashesOfLiteral() {
        texts.append(contentsOf: readLiteral(hashes: hashes))
        lineOfCode += [UInt8(ascii: "\""), UInt8(ascii: "\"")]
      } else {
        copyByte()
      }
    case UInt8(ascii: "`"): copyName()
    default: copyByte()
    }
  }

  private func isNext(_ text: String, at offset: Int = 0) -> Bool {
    bytes[(position + offset)...].starts(with: text.utf8)
  }

  private mutating func copyByte() {
    lineOfCode.append(bytes[position])
    position += 1
  }

  private mutating func endLine() {
    if lineOfCode.contains(where: { $0 != UInt8(ascii: " ") }) {
      code.append((line, String(decoding: lineOfCode, as: UTF8.self)))
    }
    lineOfCode.removeAll(keepingCapacity: true)
    line += 1
  }

  private mutating func endComment() {
    if let comment { texts.append(comment) }
    comment = nil
  }

  /// Appends the comment to the one on the line above, if it is of the same kind.
  private mutating func readComment() {
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    let slashes = bytes[position..<end].prefix { $0 == UInt8(ascii: "/") }
    let kind: SourceText.Kind = slashes.count == 3 ? .documentation : .comment
    let body = bytes[slashes.endIndex..<end].drop { $0 == UInt8(ascii: " ") }
    position = end
    if body.isEmpty || comment?.kind != kind || comment?.lastLine != line - 1 { endComment() }
    if !body.isEmpty { comment = comment ?? SourceText(kind: kind) }
    comment?.append(body, line: line)
  }

  private mutating func skip(to end: String) {
    while position < bytes.count, !isNext(end) {
      if bytes[position] == UInt8(ascii: "\n") { endLine() }
      position += 1
    }
    position = min(position + end.utf8.count, bytes.count)
  }

  private mutating func copyRegex() {
    while position < bytes.count, !isNext("/#") {
      if bytes[position] == UInt8(ascii: "\n") {
        endLine()
        position += 1
      } else {
        copyByte()
      }
    }
  }

  /// A name in backticks is a text if it contains a space.
  private mutating func copyName() {
    let start = position
    repeat {
      copyByte()
    } while position < bytes.count
      && bytes[position] != UInt8(ascii: "`") && bytes[position] != UInt8(ascii: "\n")
    let name = bytes[(start + 1)..<position]
    if position < bytes.count, bytes[position] == UInt8(ascii: "`") { copyByte() }
    if name.contains(UInt8(ascii: " ")) {
      var text = SourceText(kind: .name)
      text.append(name, line: line)
      texts.append(text)
    }
  }

  /// Returns the number of `#` before a string literal; nil if no literal is next.
  private func hashesOfLiteral() -> Int? {
    let hashes = bytes[position...].prefix { $0 == UInt8(ascii: "#") }
    guard hashes.endIndex < bytes.count, bytes[hashes.endIndex] == UInt8(ascii: "\"") else {
      return nil
    }
    return hashes.count
  }

  /// Returns the text of a literal after the texts of literals in its interpolations.
  private mutating func readLiteral(hashes: Int) -> [SourceText] {
    let isMultiline = isNext("\"\"\"", at: hashes)
    let quotes = isMultiline ? 3 : 1
    position += hashes + quotes
    var inner: [SourceText] = []
    var text = SourceText(kind: .literal)
    var part: [UInt8] = []
    var start = line
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\""), isEnd(quotes: quotes, hashes: hashes) {
        position += quotes + hashes
        break
      } else if byte == UInt8(ascii: "\\"), isRepeated("#", hashes, at: position + 1) {
        readEscape(length: 1 + hashes, into: &part, &inner)
      } else if byte == UInt8(ascii: "\n") {
        // A literal that is open at the end of its line is not Swift.
        guard isMultiline else { break }
        text.append(part.drop { $0 == UInt8(ascii: " ") }, line: start)
        part.removeAll()
        endLine()
        start = line
        position += 1
      } else {
        part.append(byte)
        position += 1
      }
    }
    text.append(part[...], line: start)
    return inner + [text]
  }

  private func isRepeated(_ character: Unicode.Scalar, _ count: Int, at start: Int) -> Bool {
    start + count <= bytes.count
      && bytes[start..<(start + count)].allSatisfy { $0 == UInt8(ascii: character) }
  }

  private func isEnd(quotes: Int, hashes: Int) -> Bool {
    isRepeated("\"", quotes, at: position) && isRepeated("#", hashes, at: position + quotes)
  }

  /// Reads an escape sequence; an interpolation is replaced by `X`.
  private mutating func readEscape(
    length: Int, into part: inout [UInt8], _ inner: inout [SourceText]
  ) {
    position += length
    guard position < bytes.count else { return }
    switch bytes[position] {
    case UInt8(ascii: "("):
      part.append(UInt8(ascii: "X"))
      readInterpolation(into: &inner)
    case UInt8(ascii: "u"):
      part.append(UInt8(ascii: "~"))
      position = bytes[position...].firstIndex(of: UInt8(ascii: "}")).map { $0 + 1 } ?? bytes.count
    case UInt8(ascii: "\n"):
      // The next line continues this one.
      break
    case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "r"), UInt8(ascii: "0"):
      part.append(UInt8(ascii: " "))
      position += 1
    default:
      part.append(bytes[position])
      position += 1
    }
  }

  private mutating func readInterpolation(into inner: inout [SourceText]) {
    var depth = 0
    repeat {
      if let hashes = hashesOfLiteral() {
        inner += readLiteral(hashes: hashes)
        continue
      }
      switch bytes[position] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "\n"): endLine()
      default: break
      }
      position += 1
    } while position < bytes.count && depth > 0
  }
}
