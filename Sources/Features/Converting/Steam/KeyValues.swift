package import SourceDiagnostics
import SystemIO

/// A text in Valve's KeyValues format: pairs of a key and a value, which is a word or a block of
/// pairs.
///
/// Every word has its place. Parsing continues after errors where possible.
package struct KeyValues: Sendable {
  /// A word, with or without quotes.
  package struct Word: Sendable {
    /// The text of the word; invalid UTF-8 is replaced.
    package var text: String
    /// The place of the word, including quotes.
    package var span: SourceSpan
  }

  package struct Pair: Sendable {
    package var key: Word
    package var value: Value
    /// The condition in brackets after the pair: `[$WIN32]`.
    var condition: Word?

    /// Whether the key is equal to `name`, regardless of case.
    func isCalled(_ name: String) -> Bool { key.text.lowercased() == name.lowercased() }
  }

  package enum Value: Sendable {
    case text(Word)
    case block([Pair])
  }

  package let source: SourceText
  package private(set) var pairs: [Pair] = []

  /// Limits of a text: its size in bytes, and the nesting depth of blocks.
  static let largestText = 16 << 20
  static let deepestNesting = 64

  /// Parses a text; errors are added to the findings, on the page of the text.
  package init(parsing bytes: [UInt8], named name: String, _ findings: inout Ledger) {
    let (text, isUTF8) = ConversionInput.decoded(bytes)
    source = SourceText(text, named: name)
    findings.turn(to: source)
    guard text.count <= Self.largestText else {
      findings.add(SteamRules.syntax("the text is larger than 16 MiB", at: nil))
      return
    }
    if !isUTF8 { findings.add(SteamRules.encoding(at: nil)) }
    var parser = KeyValuesParser(text, findings)
    pairs = parser.parse()
    findings = parser.findings
  }

  /// Returns the first word of a text, and whether a block follows or, after `#base` and
  /// `#include`, a path.
  static func beginning(of bytes: [UInt8]) -> (word: String, isScript: Bool)? {
    var lexer = KeyValuesLexer(ConversionInput.decoded(bytes).text)
    // An unquoted word with a colon is a YAML key, which braces may follow, too.
    guard case .word(let first) = lexer.next(), !first.text.hasSuffix(":") else { return nil }
    var second = lexer.next()
    if case .condition = second { second = lexer.next() }
    switch second {
    case .open: return (first.text, true)
    case .word: return (first.text, first.text.hasPrefix("#"))
    default: return (first.text, false)
    }
  }
}

/// Splits a text into words and braces.
private struct KeyValuesLexer {
  enum Token {
    case word(KeyValues.Word)
    case open(SourceSpan)
    case close(SourceSpan)
    case condition(KeyValues.Word)
    case unterminated(KeyValues.Word)
    case end(Int)
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  mutating func next() -> Token {
    skip()
    guard position < bytes.count else { return .end(bytes.count) }
    let start = position
    switch bytes[position] {
    case UInt8(ascii: "{"):
      position += 1
      return .open(SourceSpan(start, position))
    case UInt8(ascii: "}"):
      position += 1
      return .close(SourceSpan(start, position))
    case quote: return quoted(from: start)
    case UInt8(ascii: "["):
      skip { $0 == UInt8(ascii: "]") || $0 == lineFeed }
      if position < bytes.count, bytes[position] != lineFeed { position += 1 }
      return .condition(word(start..<position, SourceSpan(start, position)))
    default:
      skip { isSpace($0) || $0 == quote || $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }
      return .word(word(start..<position, SourceSpan(start, position)))
    }
  }

  /// Skips to the next byte of a kind.
  private mutating func skip(to isEnd: (UInt8) -> Bool) {
    while position < bytes.count, !isEnd(bytes[position]) { position += 1 }
  }

  /// Skips spaces and comments.
  private mutating func skip() {
    while position < bytes.count {
      if isSpace(bytes[position]) {
        position += 1
      } else if bytes[position] == slash, position + 1 < bytes.count, bytes[position + 1] == slash {
        while position < bytes.count, bytes[position] != lineFeed { position += 1 }
      } else {
        return
      }
    }
  }

  /// Reads a word in quotes.
  ///
  /// Backslashes are kept, because scripts contain Windows paths and Steam reads them in this way.
  /// `\"` is a quote inside the word, unless the word can only end there, as in `"..\content\"`.
  private mutating func quoted(from start: Int) -> Token {
    position += 1
    var hasEscapes = false
    var lineStart: Int?
    while position < bytes.count {
      let byte = bytes[position]
      if byte == backslash, position + 1 < bytes.count, bytes[position + 1] == quote,
        !ends(at: position + 1)
      {
        hasEscapes = true
        position += 2
        continue
      }
      if byte == quote {
        // A quote at the start of a line begins a word: the previous word has no closing quote.
        if let lineStart, bytes[lineStart..<position].allSatisfy(isSpace) { break }
        position += 1
        return .word(
          word(start + 1..<position - 1, SourceSpan(start, position), unescaping: hasEscapes))
      }
      position += 1
      if byte == lineFeed { lineStart = position }
    }
    // The word ends with its line.
    let end = bytes[start...].firstIndex(of: lineFeed) ?? bytes.count
    position = end
    return .unterminated(word(start + 1..<end, SourceSpan(start, end)))
  }

  /// Whether a quote after a backslash ends its word: no word follows on the line, and the other
  /// quotes of the line are in pairs, without those in a comment.
  private func ends(at index: Int) -> Bool {
    // A limit above the length of lines in scripts.
    let rest = bytes[(index + 1)...].prefix(4096).prefix { $0 != lineFeed }
    guard let next = rest.first else { return true }
    guard isSpace(next) || "{}/[".utf8.contains(next) else { return false }
    var isInside = false
    for (byte, next) in zip(rest, rest.dropFirst() + [lineFeed]) {
      if byte == quote { isInside.toggle() }
      if !isInside, byte == slash, next == slash { break }
    }
    return !isInside
  }

  private func word(
    _ range: Range<Int>, _ span: SourceSpan, unescaping: Bool = false
  ) -> KeyValues.Word {
    var text = bytes[range]
    if unescaping {
      text = []
      var index = range.lowerBound
      while index < range.upperBound {
        if bytes[index] == backslash, index + 1 < range.upperBound, bytes[index + 1] == quote {
          index += 1
        }
        text.append(bytes[index])
        index += 1
      }
    }
    while !unescaping, text.last == carriageReturn { text = text.dropLast() }
    return KeyValues.Word(text: String(decoding: text, as: UTF8.self), span: span)
  }

}

/// Combines words to pairs.
private struct KeyValuesParser {
  private var lexer: KeyValuesLexer
  private let bytes: [UInt8]
  private(set) var findings: Ledger
  private var token: KeyValuesLexer.Token
  private var blocks = Blocks()

  /// A block that is being read.
  private struct Level {
    var key: KeyValues.Word
    var condition: KeyValues.Word?
    var open: SourceSpan
    var pairs: [KeyValues.Pair] = []
  }

  /// The completed pairs and the open blocks.
  ///
  /// Blocks are kept in a list, because a text may be nested deeper than the stack of a thread
  /// allows.
  private struct Blocks {
    private var outer: [KeyValues.Pair] = []
    private(set) var levels: [Level] = []
    /// The number of open blocks that exceed the maximum depth.
    private var tooDeep = 0

    mutating func add(_ pair: KeyValues.Pair) {
      if tooDeep > 0 { return }
      if levels.isEmpty { outer.append(pair) } else { levels[levels.count - 1].pairs.append(pair) }
    }

    /// Opens a block; returns whether it is the first one that is too deep.
    mutating func open(_ level: Level) -> Bool {
      guard tooDeep > 0 || levels.count >= KeyValues.deepestNesting else {
        levels.append(level)
        return false
      }
      tooDeep += 1
      return tooDeep == 1
    }

    mutating func close() {
      if tooDeep > 0 {
        tooDeep -= 1
      } else if let level = levels.popLast() {
        add(.init(key: level.key, value: .block(level.pairs), condition: level.condition))
      }
    }

    mutating func closeAll() -> [KeyValues.Pair] {
      while !levels.isEmpty || tooDeep > 0 { close() }
      return outer
    }
  }

  init(_ bytes: [UInt8], _ findings: Ledger) {
    self.bytes = bytes
    self.findings = findings
    lexer = KeyValuesLexer(bytes)
    token = lexer.next()
  }

  private mutating func advance() { token = lexer.next() }

  /// Reads the next word; reports a word without a closing quote.
  private mutating func nextWord() -> KeyValues.Word? {
    switch token {
    case .word(let word):
      advance()
      return word
    case .unterminated(let word):
      findings.add(SteamRules.syntax("a word has no closing quote", at: word.span))
      advance()
      return word
    default: return nil
    }
  }

  private mutating func nextCondition() -> KeyValues.Word? {
    guard case .condition(let word) = token else { return nil }
    advance()
    return word
  }

  mutating func parse() -> [KeyValues.Pair] {
    while true {
      switch token {
      case .end(let offset):
        if let level = blocks.levels.last {
          findings.add(SteamRules.unclosed(level.key, level.open, at: offset))
        }
        return blocks.closeAll()
      case .close(let span):
        if blocks.levels.isEmpty {
          findings.add(SteamRules.syntax("a '}' has no matching '{'", at: span))
        }
        blocks.close()
        advance()
      case .condition(let word):
        findings.add(SteamRules.syntax("a condition follows no pair", at: word.span))
        advance()
      case .open(let span):
        findings.add(SteamRules.syntax("a block without a name", at: span))
        open(.init(text: "", span: span), nil, span)
      case .word, .unterminated:
        guard let key = nextWord() else { continue }
        let condition = nextCondition()
        switch token {
        case .open(let span): open(key, condition, span)
        case .word, .unterminated:
          guard let value = nextWord() else { continue }
          let behind = nextCondition()
          if case .open(let span) = token, isOnLaterLine(value.span, than: key.span) {
            // This word is the name of the following block, not a value.
            findings.add(SteamRules.syntax("'\(key.text)' has no value", at: key.span))
            open(value, behind, span)
          } else {
            blocks.add(.init(key: key, value: .text(value), condition: condition ?? behind))
          }
        default: findings.add(SteamRules.syntax("'\(key.text)' has no value", at: key.span))
        }
      }
    }
  }

  private mutating func open(
    _ key: KeyValues.Word, _ condition: KeyValues.Word?, _ span: SourceSpan
  ) {
    if blocks.open(Level(key: key, condition: condition, open: span)) {
      findings.add(
        SteamRules.syntax(
          "blocks are nested more than \(KeyValues.deepestNesting) levels deep", at: span))
    }
    advance()
  }

  private func isOnLaterLine(_ later: SourceSpan, than earlier: SourceSpan) -> Bool {
    bytes[min(earlier.end, later.start)..<later.start].contains(lineFeed)
  }
}

private func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }

private let quote = UInt8(ascii: "\"")
private let backslash = UInt8(ascii: "\\")
private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
