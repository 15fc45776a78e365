import TerminalText

/// The lexical grammar of JSON5: white space, comments, and sequences of letters and digits.
enum JSONLexing {
  static func isIdentifierStart(_ byte: UInt8) -> Bool {
    byte.isLetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
  }

  /// Returns whether an unquoted key may have this character, by the rules of ECMAScript 5.1 for
  /// names.
  static func isIdentifier(_ scalar: UnicodeScalar, first isFirst: Bool) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .letterNumber:
      true
    case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation:
      // '_' is the only connector that may be first.
      !isFirst || scalar == "_"
    default: scalar == "$" || (!isFirst && (scalar == "\u{200C}" || scalar == "\u{200D}"))
    }
  }

  /// Returns the offset after the unquoted name at `index`, or `index` if there is none.
  static func identifierEnd(
    in bytes: [UInt8], from index: Int
  ) -> (end: Int, hasEscapes: Bool) {
    var end = index
    var hasEscapes = false
    while end < bytes.count {
      let byte = bytes[end]
      let isFirst = end == index
      if isIdentifierStart(byte) || (!isFirst && byte.isDigit) {
        end += 1
      } else if byte == UInt8(ascii: "\\"), end + 1 < bytes.count,
        bytes[end + 1] == UInt8(ascii: "u"),
        let value = JSONText.hexadecimal(bytes[...], at: end + 2, digits: 4),
        let scalar = UnicodeScalar(value), isIdentifier(scalar, first: isFirst)
      {
        hasEscapes = true
        end += 6
      } else if byte >= 0x80, let (scalar, length) = UTF8Check.scalar(in: bytes, at: end),
        isIdentifier(scalar, first: isFirst)
      {
        end += length
      } else {
        break
      }
    }
    return (end, hasEscapes)
  }

  /// Returns the number of bytes of the line end at `index`; 0 if there is none.
  ///
  /// Lines end with LF, CR, CR LF, U+2028 or U+2029.
  static func lineEnd(in bytes: [UInt8], at index: Int) -> Int {
    switch bytes[index] {
    case 0x0A: 1
    case 0x0D: index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 1
    case 0xE2: JSONText.isLineSeparator(bytes[...], at: index) ? 3 : 0
    default: 0
    }
  }

  /// Returns the number of bytes of the white space at `index`; 0 if there is none.
  static func whiteSpace(in bytes: [UInt8], at index: Int) -> Int {
    switch bytes[index] {
    case 0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D: return 1
    case 0xC2: return index + 1 < bytes.count && bytes[index + 1] == 0xA0 ? 2 : 0
    case 0xE1, 0xE2, 0xE3, 0xEF:
      guard index + 2 < bytes.count else { return 0 }
      switch (bytes[index], bytes[index + 1], bytes[index + 2]) {
      case (0xEF, 0xBB, 0xBF), (0xE1, 0x9A, 0x80), (0xE3, 0x80, 0x80), (0xE2, 0x81, 0x9F),
        (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8...0xA9), (0xE2, 0x80, 0xAF):
        return 3
      default: return 0
      }
    default: return 0
    }
  }

  /// Returns the offset after the white space and the comments at `index`.
  ///
  /// A comment that is not closed ends with the text; `openComment` is then the place where it
  /// begins.
  static func triviaEnd(
    in bytes: [UInt8], from index: Int
  ) -> (end: Int, openComment: Int?) {
    var index = index
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "/") {
        let (end, isClosed) = commentEnd(in: bytes, from: index)
        if !isClosed { return (end, index) }
        if end == index { break }
        index = end
      } else {
        let count = whiteSpace(in: bytes, at: index)
        guard count > 0 else { break }
        index += count
      }
    }
    return (index, nil)
  }

  /// Returns the offset after the comment at `start`, or `start` if there is none.
  private static func commentEnd(
    in bytes: [UInt8], from start: Int
  ) -> (end: Int, isClosed: Bool) {
    guard start + 1 < bytes.count else { return (start, true) }
    var index = start + 2
    switch bytes[start + 1] {
    case UInt8(ascii: "/"):
      while index < bytes.count, lineEnd(in: bytes, at: index) == 0 { index += 1 }
      return (index, true)
    case UInt8(ascii: "*"):
      while index + 1 < bytes.count {
        if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
          return (index + 2, true)
        }
        index += 1
      }
      return (bytes.count, false)
    default: return (start, true)
    }
  }

  /// Returns the offset after the characters at `index` that form one word.
  static func runEnd(in bytes: [UInt8], from index: Int) -> Int {
    var end = index
    scan: while end < bytes.count {
      switch bytes[end] {
      case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"),
        UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\""), UInt8(ascii: "'"),
        UInt8(ascii: "="):
        break scan
      case UInt8(ascii: "/") where end > index: break scan
      default: break
      }
      if whiteSpace(in: bytes, at: end) > 0 { break }
      end += 1
    }
    return max(end, min(index + 1, bytes.count))
  }

  /// Returns the places of all comments in a text; text inside a string is not a comment.
  static func comments(in bytes: [UInt8]) -> [Range<Int>] {
    var comments: [Range<Int>] = []
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): index = StringScan(bytes, from: index).end
      case UInt8(ascii: "/"):
        let start = index
        index = commentEnd(in: bytes, from: start).end
        if index > start { comments.append(start..<index) } else { index += 1 }
      default: index += 1
      }
    }
    return comments
  }
}

/// The end of a quoted text, and its properties.
struct StringScan {
  /// The offset after the closing quote, or after the line if there is none.
  var end: Int
  /// Whether there is a closing quote.
  var isClosed = false
  /// Whether the text differs from the bytes between the quotes.
  var hasEscapes = false
  /// Whether JSON allows the quotes, all characters and all escapes.
  var isJSON: Bool
  /// Invalid escapes, with the reason.
  var faults: [(span: SourceSpan, message: Finding.Message)] = []

  init(_ bytes: [UInt8], from start: Int) {
    let quote = bytes[start]
    end = start + 1
    isJSON = quote == UInt8(ascii: "\"")
    while end < bytes.count {
      let byte = bytes[end]
      if byte == quote {
        end += 1
        isClosed = true
        return
      }
      if byte == 0x0A || byte == 0x0D { return }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        scanEscape(bytes)
      } else {
        if byte < 0x20 { isJSON = false }
        end += 1
      }
    }
  }

  private mutating func scanEscape(_ bytes: [UInt8]) {
    let start = end
    end += 1
    guard end < bytes.count else { return }
    let letter = bytes[end]
    if !"\"\\/bfnrtu".utf8.contains(letter) { isJSON = false }
    switch letter {
    case UInt8(ascii: "u"):
      scanUnicodeEscape(bytes, from: start)
    case UInt8(ascii: "x"):
      if JSONText.hexadecimal(bytes[...], at: end + 1, digits: 2) == nil {
        fault(start, end + 1, "'\\x' requires two hexadecimal digits")
      } else {
        end += 3
      }
    case 0x0D:
      end += end + 1 < bytes.count && bytes[end + 1] == 0x0A ? 2 : 1
    case UInt8(ascii: "1")...UInt8(ascii: "9"):
      fault(start, end + 1, "'\\' before a digit is not a valid escape")
    case UInt8(ascii: "0"):
      if end + 1 < bytes.count, bytes[end + 1].isDigit {
        fault(start, end + 2, "'\\0' before a digit is not a valid escape")
      } else {
        end += 1
      }
    default:
      end += UTF8Check.sequence(in: bytes, at: end).length
    }
  }

  private mutating func scanUnicodeEscape(_ bytes: [UInt8], from start: Int) {
    guard let value = JSONText.hexadecimal(bytes[...], at: end + 1, digits: 4) else {
      fault(start, end + 1, "'\\u' requires four hexadecimal digits")
      return
    }
    end += 5
    if value & 0xFC00 == 0xDC00 {
      fault(start, end, "a low surrogate without a high one")
    } else if value & 0xFC00 == 0xD800 {
      if JSONText.lowSurrogate(bytes[...], at: end) == nil {
        fault(start, end, "a high surrogate without a low one")
      } else {
        end += 6
      }
    }
  }

  private mutating func fault(_ start: Int, _ end: Int, _ message: Finding.Message) {
    if faults.count < Ledger.limit { faults.append((SourceSpan(start, end), message)) }
    self.end = end
  }
}
