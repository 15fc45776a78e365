package import SystemIO

/// A pattern for one component of a path: `*`, `?`, `[a-z]`, `[!a-z]`, and `\` before a literal
/// character.
///
/// A character is a Unicode scalar. A byte that is not UTF-8 counts as a character that only `*`,
/// `?` and `[!…]` match.
///
/// - Complexity: O(*m* · *n*) for a pattern of length *m* and a name of length *n*, because only
///   the last `*` is extended.
package struct NamePattern: Sendable, Hashable {
  fileprivate enum Token: Sendable, Hashable {
    case character(UInt32)
    case anyCharacter
    case anyText
    case oneOf([ClosedRange<UInt32>], negated: Bool)
  }

  private let tokens: [Token]
  /// The last bytes of every matching name.
  private let ending: [UInt8]
  /// The name, if the pattern matches only one.
  package let literal: [UInt8]?
  /// The bytes of every matching name.
  package let needed: ByteSketch
  /// The literals between the `*`, if the pattern has no other wildcard.
  private let pieces: [[UInt8]]?

  /// Reads a pattern without `/`.
  package init(parsing text: FileName) throws(PatternFault) {
    var tokens: [Token] = []
    var rest = Substring(String(decoding: text.bytes, as: UTF8.self)).unicodeScalars
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\":
        guard let next = rest.popFirst() else { throw .endsInBackslash }
        tokens.append(.character(next.value))
      case "?": tokens.append(.anyCharacter)
      case "*": if tokens.last != .anyText { tokens.append(.anyText) }
      case "[": tokens.append(try Self.parseClass(&rest))
      default: tokens.append(.character(scalar.value))
      }
    }
    self.tokens = tokens
    ending = tokens.reversed().prefix { if case .character = $0 { true } else { false } }
      .reversed().flatMap { Self.bytes(of: [$0]) }
    var needed = ByteSketch()
    for piece in tokens.split(whereSeparator: { if case .character = $0 { false } else { true } }) {
      needed.add(Self.bytes(of: piece))
    }
    self.needed = needed
    let isPlain = tokens.allSatisfy { $0.isPlain }
    pieces =
      isPlain
      ? tokens.split(omittingEmptySubsequences: false) { $0 == .anyText }.map { Self.bytes(of: $0) }
      : nil
    var literal: [UInt8]? = []
    for token in tokens {
      guard case .character(let value) = token, let scalar = Unicode.Scalar(value) else {
        literal = nil
        break
      }
      literal?.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
    }
    self.literal = literal
  }

  /// Returns the bytes of characters.
  private static func bytes(of tokens: some Sequence<Token>) -> [UInt8] {
    tokens.flatMap { token -> [UInt8] in
      guard case .character(let value) = token, let scalar = Unicode.Scalar(value) else {
        return []
      }
      return UTF8.encode(scalar).map(Array.init) ?? []
    }
  }

  private static func parseClass(_ rest: inout Substring.UnicodeScalarView)
    throws(PatternFault) -> Token
  {
    var ranges: [ClosedRange<UInt32>] = []
    let negated = rest.first == "!"
    if negated { rest.removeFirst() }
    while let scalar = rest.popFirst() {
      // A `]` at the beginning is a member of the class, as in a shell.
      if scalar == "]" && !ranges.isEmpty { return .oneOf(ranges, negated: negated) }
      let low = try unescaped(scalar, &rest)
      var high = low
      if rest.first == "-", let end = rest.dropFirst().first, end != "]" {
        rest.removeFirst(2)
        high = try unescaped(end, &rest)
        guard low <= high else { throw .emptyRange }
      }
      ranges.append(low.value...high.value)
    }
    throw .unclosedClass
  }

  private static func unescaped(
    _ scalar: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView
  ) throws(PatternFault) -> Unicode.Scalar {
    guard scalar == "\\" else { return scalar }
    guard let next = rest.popFirst() else { throw .unclosedClass }
    return next
  }
}

extension NamePattern {
  /// Returns a pattern that matches only this name.
  ///
  /// A byte that is not UTF-8 is replaced by `?`.
  package static func escaped(_ name: FileName) -> FileName {
    var pattern: [UInt8] = []
    var rest = name.bytes[...]
    while let first = rest.first {
      let length = character(at: rest.startIndex, of: rest)
      if first >= 0x80, length.value >= 0x11_0000 {
        pattern.append(UInt8(ascii: "?"))
      } else {
        if "*?[\\".utf8.contains(first) { pattern.append(UInt8(ascii: "\\")) }
        pattern += rest.prefix(length.length)
      }
      rest = rest.dropFirst(length.length)
    }
    return FileName(pattern)
  }
}

package enum PatternFault: Error {
  case unclosedClass, emptyRange, endsInBackslash
}

extension NamePattern {
  /// Returns whether the whole name matches.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - dotIsOrdinary: Whether wildcards match a leading dot.
  package func matches(_ name: ArraySlice<UInt8>, dotIsOrdinary: Bool) -> Bool {
    if let literal { return name.elementsEqual(literal) }
    guard name.suffix(ending.count).elementsEqual(ending) else { return false }
    if !dotIsOrdinary, name.first == dot, tokens.first != .character(UInt32(dot)) { return false }
    if let pieces { return Self.match(pieces, name) }
    var token = 0
    var position = name.startIndex
    var retry: (token: Int, position: Int)?
    while true {
      if token < tokens.count, case .anyText = tokens[token] {
        token += 1
        if token == tokens.count { return true }
        retry = (token, position)
      } else if token < tokens.count, position < name.endIndex {
        let (character, length) = Self.character(at: position, of: name)
        if tokens[token].matches(character) {
          token += 1
          position += length
        } else if !Self.step(&retry, &token, &position, in: name) {
          return false
        }
      } else if token == tokens.count && position == name.endIndex {
        return true
      } else if !Self.step(&retry, &token, &position, in: name) {
        return false
      }
    }
  }

  /// Returns whether a name begins with the first piece, ends with the last, and contains the
  /// others in order.
  private static func match(_ pieces: [[UInt8]], _ name: ArraySlice<UInt8>) -> Bool {
    guard let first = pieces.first, let last = pieces.last, pieces.count > 1,
      name.count >= first.count + last.count, name.starts(with: first)
    else { return false }
    var position = name.startIndex + first.count
    let end = name.endIndex - last.count
    for piece in pieces.dropFirst().dropLast() {
      while position + piece.count <= end, !has(piece, at: position, of: name) { position += 1 }
      position += piece.count
      guard position <= end else { return false }
    }
    return true
  }

  private static func has(_ piece: [UInt8], at position: Int, of name: ArraySlice<UInt8>) -> Bool {
    for (offset, byte) in piece.enumerated() where name[position + offset] != byte { return false }
    return true
  }

  /// Extends the last `*` by one character; returns false if there is none, or at the end.
  private static func step(
    _ retry: inout (token: Int, position: Int)?, _ token: inout Int, _ position: inout Int,
    in name: ArraySlice<UInt8>
  ) -> Bool {
    guard let last = retry, last.position < name.endIndex else { return false }
    let next = last.position + character(at: last.position, of: name).length
    retry = (last.token, next)
    (token, position) = (last.token, next)
    return true
  }

  /// Returns the character at a position, and its length in bytes.
  private static func character(at position: Int, of name: ArraySlice<UInt8>)
    -> (value: UInt32, length: Int)
  {
    let first = name[position]
    if first < 0x80 { return (UInt32(first), 1) }
    var decoder = UTF8()
    var bytes = name[position...].prefix(4).makeIterator()
    if case .scalarValue(let scalar) = decoder.decode(&bytes) {
      return (scalar.value, UTF8.width(scalar))
    }
    // Greater than all characters, so that no range of a class contains it.
    return (0x11_0000 + UInt32(first), 1)
  }
}

extension NamePattern.Token {
  /// Whether it is a character or a `*`.
  fileprivate var isPlain: Bool {
    switch self {
    case .character, .anyText: true
    case .anyCharacter, .oneOf: false
    }
  }

  fileprivate func matches(_ character: UInt32) -> Bool {
    switch self {
    case .character(let own): own == character
    case .anyCharacter, .anyText: true
    case .oneOf(let ranges, let negated): ranges.contains { $0.contains(character) } != negated
    }
  }
}
