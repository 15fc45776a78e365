import TerminalText

/// A parser for property lists in the NeXTSTEP format, which Xcode still writes: `{ key = (a, "b
/// c"); }`.
///
/// It accepts the same texts as Apple's parser: strings with and without quotes, data in `<…>`,
/// arrays, dictionaries, and both kinds of comments.
package struct OldPropertyList {
  private let bytes: [UInt8]
  private var index = 0
  private var count = 0

  /// Parses a text and returns its value.
  package static func read(_ bytes: [UInt8]) throws(Unreadable) -> PlacedValue {
    var reader = OldPropertyList(bytes: bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
    try reader.skipBlanks()
    let value = try reader.value(depth: 1)
    try reader.skipBlanks()
    guard reader.index == bytes.count else {
      throw reader.unexpected("after the property list")
    }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  // MARK: Values

  private mutating func value(depth: Int) throws(Unreadable) -> PlacedValue {
    count += 1
    guard count <= PlacedValue.countLimit else {
      throw fault(index, "it has more than \(PlacedValue.countLimit) values", Self.notAProject)
    }
    guard depth <= PlacedValue.depthLimit else {
      throw fault(
        index, "it is nested more than \(PlacedValue.depthLimit) levels deep", Self.notAProject)
    }
    guard index < bytes.count else { throw unexpected("where a value is expected") }
    switch bytes[index] {
    case UInt8(ascii: "{"): return try dictionary(depth)
    case UInt8(ascii: "("): return try array(depth)
    case UInt8(ascii: "<"): return try data()
    default:
      let (text, span) = try string("where a value is expected")
      return PlacedValue(.string(text), at: span)
    }
  }

  private mutating func dictionary(_ depth: Int) throws(Unreadable) -> PlacedValue {
    let start = index
    index += 1
    var members: [PlacedValue.Member] = []
    while true {
      try skipBlanks()
      guard index < bytes.count else {
        throw fault(start, "this '{' has no '}'", "complete the file; it may be truncated")
      }
      if bytes[index] == UInt8(ascii: "}") {
        index += 1
        return PlacedValue(.dictionary(members), at: SourceSpan(start, index))
      }
      let (key, keySpan) = try string("where a key or '}' is expected")
      try skipBlanks()
      var value = PlacedValue(.string(key), at: keySpan)
      if peek() == UInt8(ascii: "=") {
        index += 1
        try skipBlanks()
        value = try self.value(depth: depth + 1)
        try skipBlanks()
      } else if peek() != UInt8(ascii: ";") {
        if isConflict { throw conflict }
        throw fault(index, "expected '=' after the key '\(key)'", "write 'key = value;'")
      }
      guard peek() == UInt8(ascii: ";") else {
        if isConflict { throw conflict }
        throw fault(
          value.span.end, "expected ';' after the value of '\(key)'", "write 'key = value;'")
      }
      index += 1
      members.append(.init(key: key, keySpan: keySpan, value: value))
    }
  }

  private mutating func array(_ depth: Int) throws(Unreadable) -> PlacedValue {
    let start = index
    index += 1
    var elements: [PlacedValue] = []
    while true {
      try skipBlanks()
      guard index < bytes.count else {
        throw fault(start, "this '(' has no ')'", "complete the file; it may be truncated")
      }
      if bytes[index] == UInt8(ascii: ")") { break }
      elements.append(try value(depth: depth + 1))
      try skipBlanks()
      if peek() == UInt8(ascii: ",") {
        index += 1
      } else if index < bytes.count, peek() != UInt8(ascii: ")") {
        if isConflict { throw conflict }
        throw fault(index, "expected ',' or ')'", "separate the elements of a list with ','")
      }
    }
    index += 1
    return PlacedValue(.array(elements), at: SourceSpan(start, index))
  }

  private mutating func data() throws(Unreadable) -> PlacedValue {
    if isConflict { throw conflict }
    let start = index
    index += 1
    if peek() == UInt8(ascii: "*") {
      throw fault(
        start, "'<*' begins a GNUstep value, which is not supported",
        "convert the file to another property list format")
    }
    var digits: [UInt8] = []
    while let byte = peek(), byte != UInt8(ascii: ">") {
      if let digit = byte.hexadecimalDigitValue {
        digits.append(digit)
      } else if byte > 0x20 {
        throw unexpected("among the hexadecimal digits of data")
      }
      index += 1
    }
    guard index < bytes.count else {
      throw fault(start, "this '<' has no '>'", "complete the file; it may be truncated")
    }
    index += 1
    guard digits.count.isMultiple(of: 2) else {
      throw fault(
        start, "data requires two hexadecimal digits for each byte",
        "write an even number of digits")
    }
    let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    return PlacedValue(.data(bytes), at: SourceSpan(start, index))
  }

  // MARK: Strings

  private mutating func string(
    _ place: Finding.Message
  ) throws(Unreadable) -> (String, SourceSpan) {
    let start = index
    guard let first = peek() else { throw unexpected(place) }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return try quoted(first) }
    while index < bytes.count, Self.isBare(bytes[index]), !isLongComment { index += 1 }
    guard index > start else { throw isConflict ? conflict : unexpected(place) }
    return (String(decoding: bytes[start..<index], as: UTF8.self), SourceSpan(start, index))
  }

  private mutating func quoted(_ quote: UInt8) throws(Unreadable) -> (String, SourceSpan) {
    let start = index
    index += 1
    while index < bytes.count, bytes[index] != quote, bytes[index] != UInt8(ascii: "\\") {
      index += 1
    }
    guard index < bytes.count else { throw openString(start) }
    if bytes[index] == quote {
      let text = String(validating: bytes[(start + 1)..<index], as: UTF8.self)
      index += 1
      guard let text else { throw notText(start) }
      return (text, SourceSpan(start, index))
    }
    var units: [UInt16] = []
    index = start + 1
    var from = index
    func appendUnits(_ end: Int, _ units: inout [UInt16]) -> Bool {
      guard let text = String(validating: bytes[from..<end], as: UTF8.self) else { return false }
      units += text.utf16
      return true
    }
    while index < bytes.count, bytes[index] != quote {
      guard bytes[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      guard appendUnits(index, &units) else { throw notText(start) }
      units.append(try escape(in: start))
      from = index
    }
    guard index < bytes.count else { throw openString(start) }
    guard appendUnits(index, &units) else { throw notText(start) }
    index += 1
    // A lone surrogate is not a character. Apple's parser keeps it, but no file name can contain
    // it.
    return (String(decoding: units, as: UTF16.self), SourceSpan(start, index))
  }

  /// Reads an escape sequence; returns a UTF-16 code unit.
  private mutating func escape(in start: Int) throws(Unreadable) -> UInt16 {
    index += 1
    guard let letter = peek() else { throw openString(start) }
    switch letter {
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      var code = 0
      var digits = 0
      while digits < 3, let digit = peek(), UInt8(ascii: "0")...UInt8(ascii: "7") ~= digit {
        code = code << 3 | Int(digit - UInt8(ascii: "0"))
        digits += 1
        index += 1
      }
      return NeXTSTEPCharacters.unit(of: UInt8(truncatingIfNeeded: code))
    case UInt8(ascii: "U"):
      index += 1
      var code: UInt16 = 0
      var digits = 0
      while digits < 4, let digit = peek()?.hexadecimalDigitValue {
        code = code << 4 | UInt16(digit)
        digits += 1
        index += 1
      }
      guard digits > 0 else {
        throw fault(index, "expected one to four hexadecimal digits after '\\U'", "write '\\U00e9'")
      }
      return code
    default: break
    }
    index += 1
    return switch letter {
    case UInt8(ascii: "a"): 7
    case UInt8(ascii: "b"): 8
    case UInt8(ascii: "f"): 12
    case UInt8(ascii: "n"): 10
    case UInt8(ascii: "r"): 13
    case UInt8(ascii: "t"): 9
    case UInt8(ascii: "v"): 11
    // Any other character represents itself; the rest of a multibyte character follows
    // unchanged.
    default: letter < 0x80 ? UInt16(letter) : try back()
    }
  }

  private mutating func back() throws(Unreadable) -> UInt16 {
    index -= 1
    var length = 1
    while length < 4, index + length < bytes.count, bytes[index + length] & 0xC0 == 0x80 {
      length += 1
    }
    guard let text = String(validating: bytes[index..<index + length], as: UTF8.self),
      let unit = text.utf16.first, text.utf16.count == 1
    else { throw notText(index) }
    index += length
    return unit
  }

  // MARK: Blanks and characters

  private mutating func skipBlanks() throws(Unreadable) {
    while index < bytes.count {
      switch bytes[index] {
      case 0x09...0x0D, 0x20: index += 1
      case UInt8(ascii: "/") where isComment: try skipComment()
      // Line and paragraph separators.
      case 0xE2
      where bytes[index...].starts(with: [0xE2, 0x80, 0xA8])
        || bytes[index...].starts(with: [0xE2, 0x80, 0xA9]):
        index += 3
      default: return
      }
    }
  }

  private var isComment: Bool {
    isLongComment || index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "/")
  }

  /// Whether a comment that starts with `/*` begins at the current position.
  ///
  /// Inside a string, `//` does not begin a comment: it may be a part of an address.
  private var isLongComment: Bool {
    bytes[index] == UInt8(ascii: "/") && index + 1 < bytes.count
      && bytes[index + 1] == UInt8(ascii: "*")
  }

  private mutating func skipComment() throws(Unreadable) {
    let start = index
    if bytes[index + 1] == UInt8(ascii: "/") {
      while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
      return
    }
    index += 2
    while index + 1 < bytes.count {
      if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
        index += 2
        return
      }
      index += 1
    }
    throw fault(start, "this comment has no '*/'", "close the comment")
  }

  private func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Whether a string may contain a byte without quotes.
  private static func isBare(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "_$/:.-".utf8.contains(byte)
  }

  // MARK: Faults

  private static let notAProject: Finding.Message = "specify the project.pbxproj of a project"

  private func fault(
    _ offset: Int, _ reason: Finding.Message, _ remedy: Finding.Message
  ) -> Unreadable {
    let start = min(offset, bytes.count)
    return Unreadable(SourceSpan(start, min(start + 1, bytes.count)), reason, remedy: remedy)
  }

  private func unexpected(_ place: Finding.Message) -> Unreadable {
    guard index < bytes.count else {
      return fault(
        index, "the text ends \(place)", "complete the file; it may be truncated")
    }
    var end = index + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    let character = String(decoding: bytes[index..<end], as: UTF8.self)
    return Unreadable(
      SourceSpan(index, end), "unexpected '\(character)' \(place)",
      remedy: "put strings with special characters in quotes")
  }

  private func openString(_ start: Int) -> Unreadable {
    fault(start, "a string has no closing quote", "close the string")
  }

  private func notText(_ start: Int) -> Unreadable {
    fault(start, "a string is not UTF-8", "save the file as UTF-8")
  }

  /// Whether a git conflict marker begins at the current position, at the start of a line.
  private var isConflict: Bool {
    guard let first = peek(), index == 0 || bytes[index - 1] == 0x0A else { return false }
    return [UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: ">")].contains(first)
      && bytes[index...].prefix(7).elementsEqual(repeatElement(first, count: 7))
  }

  private var conflict: Unreadable {
    Unreadable(
      SourceSpan(index, index + 7), "an unresolved merge conflict",
      remedy: "resolve the conflict, then run the conversion again")
  }
}

/// The NeXTSTEP character set, which octal escapes use.
enum NeXTSTEPCharacters {
  static func unit(of byte: UInt8) -> UInt16 { byte < 0x80 ? UInt16(byte) : high[Int(byte) - 0x80] }

  private static let high: [UInt16] = [
    0x00A0, 0x00C0, 0x00C1, 0x00C2, 0x00C3, 0x00C4, 0x00C5, 0x00C7,
    0x00C8, 0x00C9, 0x00CA, 0x00CB, 0x00CC, 0x00CD, 0x00CE, 0x00CF,
    0x00D0, 0x00D1, 0x00D2, 0x00D3, 0x00D4, 0x00D5, 0x00D6, 0x00D9,
    0x00DA, 0x00DB, 0x00DC, 0x00DD, 0x00DE, 0x00B5, 0x00D7, 0x00F7,
    0x00A9, 0x00A1, 0x00A2, 0x00A3, 0x2044, 0x00A5, 0x0192, 0x00A7,
    0x00A4, 0x2019, 0x201C, 0x00AB, 0x2039, 0x203A, 0xFB01, 0xFB02,
    0x00AE, 0x2013, 0x2020, 0x2021, 0x00B7, 0x00A6, 0x00B6, 0x2022,
    0x201A, 0x201E, 0x201D, 0x00BB, 0x2026, 0x2030, 0x00AC, 0x00BF,
    0x00B9, 0x02CB, 0x00B4, 0x02C6, 0x02DC, 0x00AF, 0x02D8, 0x02D9,
    0x00A8, 0x00B2, 0x02DA, 0x00B8, 0x00B3, 0x02DD, 0x02DB, 0x02C7,
    0x2014, 0x00B1, 0x00BC, 0x00BD, 0x00BE, 0x00E0, 0x00E1, 0x00E2,
    0x00E3, 0x00E4, 0x00E5, 0x00E7, 0x00E8, 0x00E9, 0x00EA, 0x00EB,
    0x00EC, 0x00C6, 0x00ED, 0x00AA, 0x00EE, 0x00EF, 0x00F0, 0x00F1,
    0x0141, 0x00D8, 0x0152, 0x00BA, 0x00F2, 0x00F3, 0x00F4, 0x00F5,
    0x00F6, 0x00E6, 0x00F9, 0x00FA, 0x00FB, 0x0131, 0x00FC, 0x00FD,
    0x0142, 0x00F8, 0x0153, 0x00DF, 0x00FE, 0x00FF, 0xFFFD, 0xFFFD,
  ]
}
