package import SourceDiagnostics
import SystemIO

/// A text in Valve's KeyValues: words in pairs, the second of which may be a block of pairs.
///
/// Every word has its place. What follows a mistake is read all the same, as far as it makes sense.
package struct KeyValues: Sendable {
  /// A word, with or without quotes.
  package struct Word: Sendable {
    /// What it says; bytes that are no UTF-8 are replaced.
    package var text: String
    /// Where it stands, quotes included.
    package var span: SourceSpan
  }

  /// A key and what belongs to it.
  package struct Pair: Sendable {
    package var key: Word
    package var value: Value
    /// What stands in brackets behind it: `[$WIN32]`.
    var condition: Word?

    /// Whether the key is this one, whatever its case.
    func isCalled(_ name: String) -> Bool { key.text.lowercased() == name.lowercased() }
  }

  package enum Value: Sendable {
    case text(Word)
    case block([Pair])
  }

  package let source: SourceText
  package private(set) var pairs: [Pair] = []

  /// How large a text may be, and how deep blocks may be nested.
  static let largestText = 16 << 20
  static let deepestNesting = 64

  /// Reads a text; what is wrong with it goes to the findings, on the page of the text.
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

  /// The first word of a text, and whether a block or, behind `#base` and `#include`, a path
  /// follows.
  static func beginning(of bytes: [UInt8]) -> (word: String, isScript: Bool)? {
    var lexer = KeyValuesLexer(ConversionInput.decoded(bytes).text)
    // A bare word with a colon is a key of YAML, behind which braces may stand, too.
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

/// Takes a text apart into words and braces.
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

  /// Goes on to the next byte of a kind.
  private mutating func skip(to isWanted: (UInt8) -> Bool) {
    while position < bytes.count, !isWanted(bytes[position]) { position += 1 }
  }

  /// Goes past spaces and comments.
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

  /// A word in quotes.
  ///
  /// Backslashes are kept: scripts hold Windows paths, and Steam reads them so. `\"` is a quote
  /// inside, unless the word can only end there, as in `"..\content\"`.
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
        // A quote that begins a line begins a word: the one before was never closed.
        if let lineStart, bytes[lineStart..<position].allSatisfy(isSpace) { break }
        position += 1
        return .word(
          word(start + 1..<position - 1, SourceSpan(start, position), unescaping: hasEscapes))
      }
      position += 1
      if byte == lineFeed { lineStart = position }
    }
    // It is taken to end with its line.
    let end = bytes[start...].firstIndex(of: lineFeed) ?? bytes.count
    position = end
    return .unterminated(word(start + 1..<end, SourceSpan(start, end)))
  }

  /// Whether a quote behind a backslash ends its word: nothing of a word follows on the line, and
  /// the other quotes of the line are in pairs, without those in a comment.
  private func ends(at index: Int) -> Bool {
    // As far as lines of scripts go.
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

/// Puts words together to pairs.
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

  /// The pairs that were read, and the blocks that are open.
  ///
  /// Blocks are kept in a list: a text may be nested deeper than the stack of a thread allows.
  private struct Blocks {
    private var outer: [KeyValues.Pair] = []
    private(set) var levels: [Level] = []
    /// How many blocks are open that are too deep to be kept.
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

  /// The word that comes next; one that was never closed is reported.
  private mutating func takeWord() -> KeyValues.Word? {
    switch token {
    case .word(let word):
      advance()
      return word
    case .unterminated(let word):
      findings.add(SteamRules.syntax("a word without its second quote", at: word.span))
      advance()
      return word
    default: return nil
    }
  }

  private mutating func takeCondition() -> KeyValues.Word? {
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
          findings.add(SteamRules.syntax("a '}' that closes nothing", at: span))
        }
        blocks.close()
        advance()
      case .condition(let word):
        findings.add(SteamRules.syntax("a condition that belongs to nothing", at: word.span))
        advance()
      case .open(let span):
        findings.add(SteamRules.syntax("a block without a name", at: span))
        open(.init(text: "", span: span), nil, span)
      case .word, .unterminated:
        guard let key = takeWord() else { continue }
        let condition = takeCondition()
        switch token {
        case .open(let span): open(key, condition, span)
        case .word, .unterminated:
          guard let value = takeWord() else { continue }
          let behind = takeCondition()
          if case .open(let span) = token, isOnLaterLine(value.span, than: key.span) {
            // What looks like a value is the name of the block that follows.
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
          "blocks are nested more than \(KeyValues.deepestNesting) deep", at: span))
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
