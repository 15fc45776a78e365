// The tokens of values: strings, keys, numbers, and invalid words.

import TerminalText

extension JSONParser {
  func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

  func endOfRun(from start: Int) -> Int { JSONLexing.runEnd(in: bytes, from: start) }

  mutating func skipTrivia() {
    let (end, openComment) = JSONLexing.triviaEnd(in: bytes, from: offset)
    if let openComment {
      isLost = false
      report("unterminated comment", at: SourceSpan(openComment, openComment + 2))
    }
    let start = offset
    offset = end
    if limits.isStrict, bytes[start..<end].contains(where: { !" \t\n\r".utf8.contains($0) }) {
      reportNotJSON(from: start)
    }
  }

  /// Reads a quoted string as a value or as a key.
  mutating func parseString(as kind: JSONSlot.Kind) {
    let start = offset
    let scan = StringScan(bytes, from: start)
    offset = scan.end
    if limits.isStrict, !scan.isJSON { reportNotJSON(from: start) }
    for fault in scan.faults {
      findings.add(Finding(.escape, .error, fault.message, at: fault.span))
    }
    guard scan.isClosed else {
      report("unterminated string", at: SourceSpan(start, offset))
      append(.invalid, from: start)
      return
    }
    let damaged = scan.faults.isEmpty ? 0 : JSONSlot.damaged
    if kind == .string, damaged != 0 {
      append(.invalid, from: start)
    } else {
      append(kind, flags: damaged | (scan.hasEscapes ? JSONSlot.needsDecoding : 0), from: start)
    }
  }

  /// Reads an unquoted key; false if there is none.
  mutating func parseIdentifier() -> Bool {
    let start = offset
    let (end, hasEscapes) = JSONLexing.identifierEnd(in: bytes, from: start)
    guard end > start else { return false }
    offset = end
    if limits.isStrict { reportNotJSON(from: start) }
    append(.key, flags: hasEscapes ? JSONSlot.needsDecoding : 0, from: start)
    return true
  }

  /// Reads `true`, `false`, `null` or a number, or reports the text that is there instead.
  mutating func parseWord() {
    let start = offset
    let end = endOfRun(from: start)
    let word = bytes[start..<end]
    offset = end
    if word.elementsEqual("true".utf8) || word.elementsEqual("false".utf8) {
      append(.bool, from: start)
    } else if word.elementsEqual("null".utf8) {
      append(.null, from: start)
    } else {
      switch JSONNumber(word) {
      case .strict: append(.number, from: start)
      case .loose:
        if limits.isStrict { reportNotJSON(from: start) }
        append(.number, flags: JSONSlot.needsDecoding, from: start)
      case .unwritable(let message):
        findings.add(
          Finding(
            .number, .error, message, at: SourceSpan(start, end),
            notes: ["the archive contains strict JSON, which has decimal numbers only"]))
        append(.invalid, from: start)
      case .none:
        reportWord(SourceSpan(start, end))
        append(.invalid, from: start)
      }
    }
  }

  /// The maximum number of bytes of a word in a message.
  private static let shownLength = 80

  private mutating func reportWord(_ span: SourceSpan) {
    guard !isLost, !findings.isFull(of: .error) else {
      report("", at: span)
      return
    }
    // A wrong word may have the length of the whole text; a message needs only its start.
    let isLong = span.length > Self.shownLength
    let text = String(
      decoding: bytes[span.start..<min(span.end, span.start + Self.shownLength)], as: UTF8.self)
    let shown = isLong ? text + "…" : text
    let quotes = "\u{201C}\u{201D}\u{2018}\u{2019}\u{201E}"
    if let first = text.unicodeScalars.first, quotes.unicodeScalars.contains(first) {
      report(
        "unexpected typographic quote", at: span, notes: ["write strings in '\"' quotes"])
      skipTypographicString()
      return
    }
    let literals = ["true", "false", "null"]
    if !isLong, let near = literals.first(where: { $0 == text.lowercased() }) {
      let fix = Fix("write '\(near)'", .unsafe, edits: [.init(span, near)])
      report("expected a value, not '\(text)'", at: span, fix: fix)
    } else if let first = text.unicodeScalars.first, first.properties.isIDStart,
      !bytes[span.start..<span.end].contains(UInt8(ascii: "\\"))
    {
      let fix = Fix(
        "write it in quotes", .unsafe,
        edits: [
          .init(SourceSpan(span.start, span.start), "\""),
          .init(SourceSpan(span.end, span.end), "\""),
        ])
      report("expected a value; a string needs quotes", at: span, fix: fix)
    } else if let first = text.utf8.first, first.isDigit {
      report("'\(shown)' is not a number", at: span)
    } else {
      report("expected a value", at: span)
    }
  }

  /// Skips to the last typographic quote of the line, so that the quoted text is not a second
  /// error.
  private mutating func skipTypographicString() {
    var index = offset
    while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D,
      bytes[index] != UInt8(ascii: ",")
    {
      if index + 2 < bytes.count, bytes[index] == 0xE2, bytes[index + 1] == 0x80,
        0x98...0x9F ~= bytes[index + 2]
      {
        offset = index + 3
        return
      }
      index += 1
    }
  }
}

/// The result of reading a word as a number.
enum JSONNumber {
  case strict
  /// A number of JSON5: with a plus sign, or without a digit before or after the point.
  case loose
  /// A number that strict JSON cannot represent; the message contains the reason.
  case unwritable(Finding.Message)
  /// Not a number.
  case none

  var isNumber: Bool {
    if case .none = self { false } else { true }
  }

  init(_ word: ArraySlice<UInt8>) {
    var text = word
    var isLoose = false
    if let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      isLoose = sign == UInt8(ascii: "+")
      text = text.dropFirst()
    }
    if text.elementsEqual("NaN".utf8) || text.elementsEqual("Infinity".utf8) {
      self = .unwritable("'\(String(decoding: word, as: UTF8.self))' is not a finite number")
      return
    }
    let prefix = text.prefix(2)
    if prefix.elementsEqual("0x".utf8) || prefix.elementsEqual("0X".utf8) {
      let digits = text.dropFirst(2)
      let isNumber = !digits.isEmpty && digits.allSatisfy { $0.hexadecimalDigitValue != nil }
      self = isNumber ? .unwritable("hexadecimal numbers are not allowed") : .none
      return
    }
    let whole = text.prefix(while: \.isDigit)
    text = text.dropFirst(whole.count)
    if whole.count > 1, whole.first == UInt8(ascii: "0") {
      self = .none
      return
    }
    var fraction = 0
    if text.first == UInt8(ascii: ".") {
      text = text.dropFirst()
      fraction = text.prefix(while: \.isDigit).count
      text = text.dropFirst(fraction)
      if whole.isEmpty || fraction == 0 { isLoose = true }
    }
    guard !whole.isEmpty || fraction > 0 else {
      self = .none
      return
    }
    if text.first == UInt8(ascii: "e") || text.first == UInt8(ascii: "E") {
      text = text.dropFirst()
      if text.first == UInt8(ascii: "+") || text.first == UInt8(ascii: "-") {
        text = text.dropFirst()
      }
      let exponent = text.prefix(while: \.isDigit)
      text = exponent.isEmpty ? text : text.dropFirst(exponent.count)
      if exponent.isEmpty {
        self = .none
        return
      }
    }
    self = !text.isEmpty ? .none : isLoose ? .loose : .strict
  }
}
