// Long because the lexers of four languages share one state, and one function that reads literals.

import TerminalText

/// The string literals of a source text and the code around them, without comments and without
/// directives such as `#include`.
///
/// A multiline literal yields one text for each line. An interpolated literal keeps a backslash or
/// a brace in place of each interpolation.
package struct SourceCode: Sendable {
  package struct Literal: Sendable, Equatable {
    /// The offset of its first byte in the source.
    package var place: Int
    package var text: [UInt8]
    /// The offset of the quotation mark in `code` that represents the literal.
    package var mark: Int
  }

  /// The literals, in their order.
  package private(set) var literals: [Literal] = []
  /// The code, at the offsets that it has in the source.
  ///
  /// Spaces replace comments and directives. One quotation mark and spaces replace a literal,
  /// except for the code in its interpolations. Line breaks are kept.
  package private(set) var code: [UInt8]
  private let bytes: [UInt8]
  private let language: SourceLanguage
  private var place = 0
  /// The index of the last literal, if only spaces and comments are between it and the current
  /// place.
  ///
  /// C concatenates such a literal and the next one.
  private var joined: Int?
  /// The number of open literals around the current place.
  private var depth = 0
  private static let deepest = 64
  /// Whether a multiline regular expression without an end was found.
  ///
  /// Then no later one has an end either, and the search for it is not repeated.
  private var hasOpenExpression = false

  package init(of bytes: [UInt8], in language: SourceLanguage) {
    self.bytes = bytes
    code = bytes
    self.language = language
    readCode(until: nil)
    // An outer literal ends after its inner literals, so it is added later.
    literals.sort { $0.place < $1.place }
  }

  /// Replaces the text since a place with spaces.
  private mutating func blank(from start: Int) {
    for index in start..<min(place, bytes.count) where bytes[index] != newline {
      code[index] = UInt8(ascii: " ")
    }
  }

  private func byte(at index: Int) -> UInt8 { bytes.indices.contains(index) ? bytes[index] : 0 }

  private func isAt(_ text: [UInt8]) -> Bool { bytes[place...].starts(with: text) }

  /// Returns the number of consecutive copies of a byte that begin at an index.
  private func run(of byte: UInt8, at index: Int) -> Int {
    var end = index
    while end < bytes.count, bytes[end] == byte { end += 1 }
    return end - index
  }

  // MARK: Code

  private struct Brackets {
    var open: UInt8
    var close: UInt8
  }

  /// Reads code to its end, or to the bracket that closes an already open bracket.
  private mutating func readCode(until brackets: Brackets?) {
    var depth = 0
    while place < bytes.count {
      let start = place
      if skipComment() || skipDirective() {
        blank(from: start)
        continue
      }
      if readLiteral() { continue }
      let byte = bytes[place]
      place += 1
      if !isBlank(byte), byte != newline, byte != at { joined = nil }
      guard let brackets else { continue }
      if byte == brackets.open { depth += 1 }
      if byte == brackets.close {
        if depth == 0 { return }
        depth -= 1
      }
    }
  }

  private mutating func skipComment() -> Bool {
    if language == .gdScript {
      guard bytes[place] == hash else { return false }
      skipLine(continued: false)
      return true
    }
    guard bytes[place] == slash else { return false }
    switch byte(at: place + 1) {
    case slash: skipLine(continued: language == .c)
    case star:
      place += 2
      var depth = 1
      while place < bytes.count, depth > 0 {
        if isAt([star, slash]) {
          depth -= 1
          place += 2
        } else if language == .swift, isAt([slash, star]) {
          depth += 1
          place += 2
        } else {
          place += 1
        }
      }
    default: return false
    }
    return true
  }

  /// Directives of C that name other source files or control the compiler.
  private static let skipped: Set = [
    "include", "include_next", "import", "embed", "line", "error", "warning", "pragma", "ident",
  ]

  private mutating func skipDirective() -> Bool {
    guard bytes[place] == hash, language == .c || language == .cSharp else { return false }
    var before = place - 1
    while before >= 0, isBlank(bytes[before]) { before -= 1 }
    guard before < 0 || bytes[before] == newline else { return false }
    var start = place + 1
    while isBlank(byte(at: start)) { start += 1 }
    let name = bytes[start...].prefix(while: isPartOfName)
    guard
      language == .cSharp || Self.skipped.contains(String(decoding: name, as: UTF8.self))
    else { return false }
    skipLine(continued: language == .c)
    return true
  }

  /// Skips to the end of the line; a backslash at the end continues the line.
  private mutating func skipLine(continued: Bool) {
    while place < bytes.count {
      if bytes[place] == newline {
        let end = byte(at: place - 1) == carriageReturn ? place - 2 : place - 1
        guard continued, byte(at: end) == backslash else { return }
      }
      place += 1
    }
  }

  // MARK: Literals

  /// The syntax of a literal: its end, its escapes and its interpolations.
  private struct LiteralSyntax {
    var end: [UInt8]
    var hasLines = false
    /// The start of an escape; nil if the literal has no escapes.
    var escape: [UInt8]? = [backslash]
    /// The bytes before an interpolation; `code` has the brackets around it.
    var opening: [UInt8] = []
    var code: Brackets?
    /// Whether `end`, written twice, represents one `end` in the text.
    var isEndDoubled = false
    /// The offset of the first byte of the literal, before its opening quotation marks.
    var start: Int
  }

  /// Reads a literal, if one begins at the current place; returns whether one does.
  private mutating func readLiteral() -> Bool {
    switch language {
    case .swift: readSwift()
    case .cSharp: readCSharp()
    case .gdScript: readGDScript()
    case .c: readC()
    }
  }

  private mutating func readSwift() -> Bool {
    // A run of '#' is examined once, at its start.
    guard byte(at: place - 1) != hash else { return false }
    let hashes = run(of: hash, at: place)
    if byte(at: place + hashes) == slash { return skipRegularExpression(hashes) }
    guard byte(at: place + hashes) == quote else { return false }
    let start = place
    let mark = [UInt8](repeating: hash, count: hashes)
    let hasLines = run(of: quote, at: place + hashes) >= 3
    place += hashes + (hasLines ? 3 : 1)
    let escape = [backslash] + mark
    read(
      LiteralSyntax(
        end: [UInt8](repeating: quote, count: hasLines ? 3 : 1) + mark, hasLines: hasLines,
        escape: escape, opening: escape + [parenthesis.open], code: parenthesis, start: start))
    return true
  }

  /// Skips a regular expression of Swift, which may have quotation marks; returns whether one
  /// begins at the current place.
  private mutating func skipRegularExpression(_ hashes: Int) -> Bool {
    let start = place
    let end = [slash] + [UInt8](repeating: hash, count: hashes)
    let first = byte(at: start + hashes + 1)
    if hashes == 0 {
      // After a value, a slash is a division.
      var before = start - 1
      while before >= 0, isBlank(bytes[before]) { before -= 1 }
      let isBehindValue =
        before >= 0 && (isPartOfName(bytes[before]) || Self.valueEnds.contains(bytes[before]))
      guard !isBehindValue, !isBlank(first), first != slash, first != star else { return false }
    }
    let hasLines = hashes > 0 && isNewline(at: start + hashes + 1)
    if hasLines, hasOpenExpression { return false }
    place = start + hashes + 1
    while place < bytes.count, !isAt(end) {
      if bytes[place] == newline, !hasLines { break }
      place += bytes[place] == backslash && byte(at: place + 1) != newline ? 2 : 1
    }
    guard place < bytes.count, isAt(end) else {
      if hasLines { hasOpenExpression = true }
      place = start
      return false
    }
    place += end.count
    blank(from: start)
    return true
  }

  /// The bytes that can end a value, in addition to the bytes of names.
  private static let valueEnds = Array(")]}\"`?!".utf8)

  private mutating func readCSharp() -> Bool {
    if bytes[place] == apostrophe { return skipCharacter() }
    guard ![dollar, at].contains(byte(at: place - 1)) else { return false }
    let prefix = bytes[place...].prefix { $0 == dollar || $0 == at }
    let start = place + prefix.count
    guard byte(at: start) == quote else { return false }
    let quotes = run(of: quote, at: start)
    var form = LiteralSyntax(end: [quote], start: place)
    if prefix.contains(dollar) {
      form.opening = [brace.open]
      form.code = brace
    }
    if prefix.contains(at) {
      form.hasLines = true
      form.escape = nil
      form.isEndDoubled = true
      place = start + 1
    } else if quotes >= 3 {
      form.end = [UInt8](repeating: quote, count: quotes)
      form.hasLines = true
      form.escape = nil
      place = start + quotes
    } else {
      place = start + 1
    }
    read(form)
    return true
  }

  private mutating func readGDScript() -> Bool {
    let mark = bytes[place]
    guard mark == quote || mark == apostrophe else { return false }
    // A node path does not name a file.
    let isNode = [dollar, caret].contains(byte(at: place - 1))
    let start = place
    let hasLines = run(of: mark, at: place) >= 3
    place += hasLines ? 3 : 1
    let count = literals.count
    let end = [UInt8](repeating: mark, count: hasLines ? 3 : 1)
    read(LiteralSyntax(end: end, hasLines: hasLines, start: start))
    if isNode { literals.removeSubrange(count...) }
    return true
  }

  private mutating func readC() -> Bool {
    if bytes[place] == apostrophe {
      // Between digits, an apostrophe is a digit separator.
      guard !isPartOfName(byte(at: place - 1)) || hasPrefix(before: place) else { return false }
      return skipCharacter()
    }
    guard bytes[place] == quote else { return false }
    let isRaw =
      byte(at: place - 1) == UInt8(ascii: "R")
      && (!isPartOfName(byte(at: place - 2)) || hasPrefix(before: place - 1))
    if isRaw {
      let start = place
      let name = bytes[(place + 1)...].prefix { $0 != parenthesis.open && $0 != newline }
      place += name.count + 2
      read(
        LiteralSyntax(
          end: [parenthesis.close] + name + [quote], hasLines: true, escape: nil, start: start))
      return true
    }
    let (first, count) = (joined, literals.count)
    place += 1
    read(LiteralSyntax(end: [quote], start: place - 1))
    guard literals.count > count else { return true }
    if let first {
      literals[first].text += literals.removeLast().text
    } else {
      joined = count
    }
    return true
  }

  /// Returns whether the name that ends here is an encoding prefix of a literal.
  private func hasPrefix(before end: Int) -> Bool {
    var start = end
    while start > 0, isPartOfName(bytes[start - 1]) { start -= 1 }
    let prefixes = ["L", "u", "U", "u8"]
    return prefixes.contains { $0.utf8.elementsEqual(bytes[start..<end]) }
  }

  private mutating func skipCharacter() -> Bool {
    let start = place
    place += 1
    while place < bytes.count, bytes[place] != apostrophe, bytes[place] != newline {
      place += bytes[place] == backslash ? 2 : 1
    }
    if byte(at: place) == apostrophe { place += 1 }
    blank(from: start)
    return true
  }

  /// Reads a literal whose opening quotes were already read, to the end of its closing quotes.
  private mutating func read(_ form: LiteralSyntax) {
    blank(from: form.start)
    code[form.start] = quote
    var literal = Literal(place: place, text: [], mark: form.start)
    while place < bytes.count {
      let start = place
      var isCode = false
      defer { if !isCode { blank(from: start) } }
      if isAt(form.end) {
        place += form.end.count
        guard form.isEndDoubled, isAt(form.end) else { break }
        literal.text += form.end
        place += form.end.count
      } else if let code = form.code, isAt(form.opening) {
        literal.text += form.opening
        place += form.opening.count
        // A doubled brace is not an interpolation. The nesting depth is limited.
        if code.open == brace.open, byte(at: place) == code.open {
          place += 1
        } else if depth < Self.deepest {
          depth += 1
          isCode = true
          blank(from: start)
          self.code[place - 1] = code.open
          readCode(until: code)
          depth -= 1
        }
      } else if let escape = form.escape, isAt(escape) {
        place += escape.count
        if isNewline(at: place) {
          place += byte(at: place) == carriageReturn ? 2 : 1
          if language == .swift { while isBlank(byte(at: place)) { place += 1 } }
        } else {
          literal.text += escape
          place += 1
        }
      } else if bytes[place] == newline {
        // A literal without an end stops at the end of its line.
        guard form.hasLines else { break }
        add(literal, isLine: true)
        place += 1
        literal = Literal(place: place, text: [], mark: form.start)
      } else {
        literal.text.append(bytes[place])
        place += 1
      }
    }
    place = min(place, bytes.count)
    add(literal, isLine: form.hasLines)
  }

  private func isNewline(at index: Int) -> Bool {
    byte(at: index) == newline
      || byte(at: index) == carriageReturn && byte(at: index + 1) == newline
  }

  /// Adds a text; removes the spaces around a line of a multiline literal.
  private mutating func add(_ literal: Literal, isLine: Bool) {
    var literal = literal
    if isLine {
      let start = literal.text.prefix { isBlank($0) }.count
      literal.place += start
      literal.text.removeFirst(start)
      while let last = literal.text.last, isBlank(last) { literal.text.removeLast() }
    }
    if !literal.text.isEmpty { literals.append(literal) }
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == carriageReturn
  }

  private func isPartOfName(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  private let parenthesis = Brackets(open: UInt8(ascii: "("), close: UInt8(ascii: ")"))
  private let brace = Brackets(open: UInt8(ascii: "{"), close: UInt8(ascii: "}"))
}

private let slash = UInt8(ascii: "/")
private let star = UInt8(ascii: "*")
private let hash = UInt8(ascii: "#")
private let at = UInt8(ascii: "@")
private let dollar = UInt8(ascii: "$")
private let caret = UInt8(ascii: "^")
private let quote = UInt8(ascii: "\"")
private let apostrophe = UInt8(ascii: "'")
private let backslash = UInt8(ascii: "\\")
private let newline = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
