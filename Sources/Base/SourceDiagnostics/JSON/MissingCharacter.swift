/// Finds the one missing character that explains the first error in the structure of a text.
///
/// The text becomes a list of tokens, which a pushdown automaton checks. Its state before each
/// token is kept, so that trying a character somewhere costs only the tokens after it.
struct MissingCharacter {
  /// A character to insert, and its position.
  struct Repair {
    var offset: Int
    var character: UInt8
  }

  private let bytes: [UInt8]
  private var tokens: [Token] = []
  /// The state of the automaton before each token, up to the error.
  private var states: [State] = []
  /// The number of words before each token that were neither values nor keys.
  private var strays: [Int32] = []
  private var stack = Stack()
  /// The token at which the error is found; the number of tokens if the text ends too early.
  private var error: Int?

  /// The place of the error; nil if the structure is right.
  var errorOffset: Int? { error.map { offset(of: $0) } }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    tokens = Self.tokens(in: bytes, from: 0, to: bytes.count)
    states.reserveCapacity(tokens.count + 1)
    strays.reserveCapacity(tokens.count + 1)
    var state = State()
    var stray: Int32 = 0
    for index in tokens.indices {
      states.append(state)
      strays.append(stray)
      guard state.take(tokens[index].kind, &stack) else {
        error = index
        return
      }
      if tokens[index].kind == .stray { stray += 1 }
    }
    states.append(state)
    strays.append(stray)
    if !state.isComplete { error = tokens.count }
  }

  private func offset(of token: Int) -> Int {
    token < tokens.count ? tokens[token].start : tokens.last?.end ?? bytes.count
  }

  // MARK: Trying

  /// The result of a trial; `next` is the token at the next error, `Int.max` if there is none.
  private struct Outcome {
    var repair: Repair
    var next: Int
    var strayWords: Int
    var distance: Int
  }

  /// Returns the characters with which most of the text can be read, the most likely first; empty
  /// if no single character explains the error.
  func candidates() -> [Repair] {
    guard let error else { return [] }
    // The maximum number of steps; a text that was written by hand needs fewer.
    var budget = 1 << 20
    var outcomes: [Outcome] = []
    tryBrackets(error, &budget, &outcomes)
    tryQuotes(error, &budget, &outcomes)
    let sound = outcomes.filter { $0.next == Int.max }
    let chosen = sound.isEmpty ? outcomes.filter { isProgress($0.next, from: error) } : sound
    guard let furthest = chosen.map(\.next).max() else { return [] }
    let best = chosen.filter { $0.next == furthest }
    guard let fewest = best.map(\.strayWords).min() else { return [] }
    return best.filter { $0.strayWords == fewest }.sorted { $0.distance < $1.distance }
      .map(\.repair)
  }

  /// Returns whether the next error is a separate mistake and not a consequence of this one.
  ///
  /// A separate mistake is on a later line, and at least four tokens later.
  private func isProgress(_ next: Int, from error: Int) -> Bool {
    guard next >= error + 4, next <= tokens.count else { return false }
    let between = bytes[offset(of: error)..<max(offset(of: error), offset(of: next))]
    return next < tokens.count && between.contains { $0 == 0x0A || $0 == 0x0D }
  }

  private func tryBrackets(_ error: Int, _ budget: inout Int, _ outcomes: inout [Outcome]) {
    let place = offset(of: error)
    var stack = stack
    let mark = stack.count
    var index = error
    while index >= 0, budget > 0 {
      let isNear = error - index < 2
      for (kind, character) in Token.characters where isNear || kind.isBracket {
        stack.cut(to: mark)
        var state = states[index]
        budget -= 1
        guard state.take(kind, &stack) else { continue }
        let result = run(from: state, tokens[index...], &stack, &budget)
        let next = result.next.map { $0 + index } ?? .max
        guard next > error + 3 else { continue }
        // An opening character is inserted before the next token, a closing one after the previous
        // token.
        let isOpening = kind == .openBrace || kind == .openBracket
        let offset = isOpening || index == 0 ? offset(of: index) : tokens[index - 1].end
        outcomes.append(
          Outcome(
            repair: Repair(offset: offset, character: character), next: next,
            strayWords: result.strayWords + Int(strays[index]), distance: abs(offset - place)))
      }
      index -= 1
    }
  }

  /// Tries quotes on the line of the first error, because a string cannot span several lines.
  private func tryQuotes(_ error: Int, _ budget: inout Int, _ outcomes: inout [Outcome]) {
    let place = min(offset(of: error), bytes.count)
    var start = place
    while start > 0, bytes[start - 1] != 0x0A, bytes[start - 1] != 0x0D { start -= 1 }
    var end = place
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    guard end - start <= 1000, let first = firstToken(from: start), states.indices.contains(first)
    else { return }
    let rest = Self.tokens(in: bytes, from: end, to: bytes.count)
    let line = Array(bytes[start..<end])
    let quotes = [UInt8(ascii: "\""), UInt8(ascii: "'")].filter { line.contains($0) }
    var stack = stack
    let mark = stack.count
    for position in 0...line.count where isBoundary(position, in: line) {
      for quote in quotes where budget > 0 {
        let fixed = line[..<position] + [quote] + line[position...]
        let inner = Self.tokens(in: Array(fixed), from: 0, to: fixed.count)
        budget -= inner.count
        guard !inner.contains(where: { $0.kind == .broken }) else { continue }
        stack.cut(to: mark)
        let result = run(from: states[first], inner, then: rest, &stack, &budget)
        let next = result.next.map { $0 + first } ?? .max
        guard next > error + 3 else { continue }
        outcomes.append(
          Outcome(
            repair: Repair(offset: start + position, character: quote), next: next,
            strayWords: result.strayWords + Int(strays[first]),
            distance: abs(start + position - place)))
      }
    }
  }

  private func firstToken(from offset: Int) -> Int? {
    let index = tokens.firstIndex { $0.start >= offset } ?? tokens.count
    // A line that begins inside a comment cannot be repaired.
    if index > 0, tokens[index - 1].end > offset { return nil }
    return index
  }

  /// Returns whether a string may begin or end here: next to a space, a punctuation character, or
  /// the end of the line.
  private func isBoundary(_ position: Int, in line: [UInt8]) -> Bool {
    func isWord(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"),
        UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0x20, 0x09:
        false
      default: true
      }
    }
    guard position > 0, position < line.count else { return true }
    return !(isWord(line[position - 1]) && isWord(line[position]))
  }

  /// Runs the automaton to the next error, and counts words that are neither values nor keys.
  private func run(
    from start: State, _ tokens: some Collection<Token>, then rest: [Token] = [],
    _ stack: inout Stack, _ budget: inout Int
  ) -> (next: Int?, strayWords: Int) {
    var state = start
    var strayWords = 0
    var number = 0
    for token in tokens {
      budget -= 1
      guard budget > 0, state.take(token.kind, &stack) else { return (number, strayWords) }
      if token.kind == .stray { strayWords += 1 }
      number += 1
    }
    for token in rest {
      budget -= 1
      guard budget > 0, state.take(token.kind, &stack) else { return (number, strayWords) }
      if token.kind == .stray { strayWords += 1 }
      number += 1
    }
    return (state.isComplete ? nil : number, strayWords)
  }
}

// MARK: - Tokens

extension MissingCharacter {
  private struct Token {
    enum Kind: UInt8 {
      case openBrace, closeBrace, openBracket, closeBracket, colon, comma, string
      /// A value without quotes.
      case word
      /// A word that is neither a value nor a key; it may be intended as a key.
      case stray
      /// A string or a comment without an end, or characters that cannot begin a token.
      case broken

      var isBracket: Bool { rawValue <= Kind.closeBracket.rawValue }
    }

    static let characters: [(Kind, UInt8)] = [
      (.comma, UInt8(ascii: ",")), (.colon, UInt8(ascii: ":")),
      (.openBrace, UInt8(ascii: "{")), (.closeBrace, UInt8(ascii: "}")),
      (.openBracket, UInt8(ascii: "[")), (.closeBracket, UInt8(ascii: "]")),
    ]

    var kind: Kind
    var start: Int
    var end: Int
  }

  private static func tokens(in bytes: [UInt8], from start: Int, to end: Int) -> [Token] {
    var tokens: [Token] = []
    var index = start
    while true {
      let trivia = JSONLexing.triviaEnd(in: bytes, from: index)
      if let comment = trivia.openComment {
        tokens.append(Token(kind: .broken, start: comment, end: end))
        return tokens
      }
      index = trivia.end
      guard index < end else { return tokens }
      let token = token(in: bytes, at: index)
      tokens.append(token)
      index = token.end
    }
  }

  private static func token(in bytes: [UInt8], at index: Int) -> Token {
    if let found = Token.characters.first(where: { $0.1 == bytes[index] }) {
      return Token(kind: found.0, start: index, end: index + 1)
    }
    switch bytes[index] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let scan = StringScan(bytes, from: index)
      return Token(kind: scan.isClosed ? .string : .broken, start: index, end: scan.end)
    default:
      let end = JSONLexing.runEnd(in: bytes, from: index)
      let word = bytes[index..<end]
      let isValue =
        word.elementsEqual("true".utf8) || word.elementsEqual("false".utf8)
        || word.elementsEqual("null".utf8) || JSONNumber(word).isNumber
      let isKey = JSONLexing.identifierEnd(in: bytes, from: index).end == end
      // A character such as '=' is a separate token that cannot begin a value.
      let isStray = isKey || end - index > 1
      return Token(kind: isValue ? .word : isStray ? .stray : .broken, start: index, end: end)
    }
  }
}

// MARK: - The automaton

extension MissingCharacter {
  /// The open containers of all states, each with a link to the one around it.
  private struct Stack {
    private var links: [(outer: Int32, isObject: Bool)] = []

    var count: Int { links.count }

    /// Removes the containers that a trial has opened.
    mutating func cut(to count: Int) { links.removeSubrange(count...) }

    mutating func push(_ outer: Int32, isObject: Bool) -> Int32 {
      links.append((outer, isObject))
      return Int32(links.count - 1)
    }

    func isObject(_ top: Int32) -> Bool { links[Int(top)].isObject }
    func outer(_ top: Int32) -> Int32 { links[Int(top)].outer }
  }

  private struct State {
    private enum Phase { case value, key, colon, element, comma, done }
    private var phase = Phase.value
    /// The innermost open container; -1 if there is none.
    private var top: Int32 = -1

    /// Whether the text may end here.
    var isComplete: Bool { phase == .done }

    /// Processes the next token; false if it is not allowed here.
    mutating func take(_ kind: Token.Kind, _ stack: inout Stack) -> Bool {
      switch phase {
      case .value: return takeValue(kind, &stack)
      case .element:
        return kind == .closeBracket ? close(&stack) : takeValue(kind, &stack)
      case .key:
        switch kind {
        case .closeBrace: return close(&stack)
        case .string, .word, .stray:
          phase = .colon
          return true
        default: return false
        }
      case .colon:
        phase = .value
        return kind == .colon
      case .comma:
        let isObject = stack.isObject(top)
        if kind == .comma {
          phase = isObject ? .key : .element
          return true
        }
        return kind == (isObject ? .closeBrace : .closeBracket) && close(&stack)
      case .done: return false
      }
    }

    private mutating func takeValue(_ kind: Token.Kind, _ stack: inout Stack) -> Bool {
      switch kind {
      case .openBrace, .openBracket:
        top = stack.push(top, isObject: kind == .openBrace)
        phase = kind == .openBrace ? .key : .element
        return true
      case .string, .word, .stray:
        phase = top < 0 ? .done : .comma
        return true
      default: return false
      }
    }

    private mutating func close(_ stack: inout Stack) -> Bool {
      top = stack.outer(top)
      phase = top < 0 ? .done : .comma
      return true
    }
  }
}
