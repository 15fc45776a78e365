/// Reads JSON5 into flat nodes and continues after errors.
///
/// It reports each cause once: after an error it does not report until it has recovered (`isLost`),
/// and if brackets do not match, it does not report text after the end.
struct JSONParser {
  let bytes: [UInt8]
  let limits: JSONLimits
  var offset = 0
  var slots: [JSONSlot] = []
  var findings: Ledger
  /// Whether the parser has not recovered from the last error.
  var isLost = false
  /// Whether brackets do not match: then text after the outermost value is not reported.
  var bracketsDiffer = false
  private var openArrays = 0
  private var openObjects = 0
  /// The bytes that are not UTF-8.
  var illFormed: [SourceSpan] = []

  /// Creates a parser of the bytes of a text, or of the repaired bytes.
  init(_ bytes: [UInt8], of source: SourceText, limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
    findings = Ledger(about: source, keeping: limits.findings)
  }

  mutating func parse() {
    guard bytes.count <= limits.size else {
      let limit = limits.size >> 20
      findings.add(
        Finding(
          .tooLarge, .error,
          "the text is larger than \(limit) MiB, the maximum"))
      return
    }
    guard reportEncoding() else { return }
    skipTrivia()
    guard offset < bytes.count else {
      if findings.isEmpty {
        findings.add(
          Finding(.emptyText, .error, "the text is empty", at: SourceSpan(0, 0)))
      }
      return
    }
    slots.reserveCapacity(bytes.count / 16)
    parseValue(depth: 1)
    skipTrivia()
    if offset < bytes.count, !bracketsDiffer, !isLost {
      let span = SourceSpan(offset, endOfRun(from: offset))
      findings.add(
        Finding(.trailingText, .error, "unexpected text after the value", at: span))
    }
  }

  /// Reports bytes that are not UTF-8; false if no part of the text can be read.
  private mutating func reportEncoding() -> Bool {
    let mark = bytes.prefix(2)
    if mark == [0xFF, 0xFE] || mark == [0xFE, 0xFF] {
      findings.add(
        Finding(
          .encoding, .error, "the text is UTF-16; save it as UTF-8", at: SourceSpan(0, 2)))
      return false
    }
    illFormed = UTF8Check.illFormed(in: bytes, limit: Ledger.limit)
    for span in illFormed {
      findings.add(
        Finding(
          .encoding, .error,
          span.length == 1 ? "a byte that is not UTF-8" : "\(span.length) bytes that are not UTF-8",
          at: span))
    }
    return true
  }

  // MARK: Values

  mutating func parseValue(depth: Int) {
    guard let byte = peek() else {
      reportEnd()
      append(.invalid, from: offset)
      return
    }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if depth > limits.depth {
        skipTooDeep()
      } else if byte == UInt8(ascii: "{") {
        parseObject(depth: depth)
      } else {
        parseArray(depth: depth)
      }
    case UInt8(ascii: "\""), UInt8(ascii: "'"): parseString(as: .string)
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"):
      report("expected a value", at: SourceSpan(offset, offset + 1))
      append(.invalid, from: offset)
      // At the outermost level no container consumes the character.
      if depth == 1 { offset += 1 }
    default: parseWord()
    }
  }

  private mutating func parseArray(depth: Int) {
    let start = offset
    let slot = open(.array)
    openArrays += 1
    defer { openArrays -= 1 }
    var count = 0
    var isDamaged = false
    var needsComma = false
    var end = offset
    while true {
      skipTrivia()
      guard let byte = peek() else {
        reportEnd(inside: "array", openedAt: start)
        isDamaged = true
        break
      }
      if byte == UInt8(ascii: "]") {
        if limits.isStrict, count > 0, !needsComma { reportNotJSON(from: end) }
        offset += 1
        isLost = false
        break
      }
      if byte == UInt8(ascii: "}") {
        isDamaged = true
        if reportMismatchedBracket(openObjects, "array", openedAt: start) { break }
        continue
      }
      if byte == UInt8(ascii: ",") {
        consumeComma(expected: needsComma)
        needsComma = false
        continue
      }
      if byte == UInt8(ascii: ":") {
        unexpected("expected ',' or ']'")
        isDamaged = true
        continue
      }
      if needsComma { reportMissingComma(after: end, closing: "]") }
      let before = slots.count
      parseValue(depth: depth + 1)
      end = offset
      count += 1
      needsComma = true
      if slots[before].kind == .invalid { isDamaged = true }
    }
    close(slot, count: count, isDamaged: isDamaged)
  }

  private mutating func parseObject(depth: Int) {
    let start = offset
    let slot = open(.object)
    openObjects += 1
    defer { openObjects -= 1 }
    var count = 0
    var isDamaged = false
    var needsComma = false
    var end = offset
    while true {
      skipTrivia()
      guard let byte = peek() else {
        reportEnd(inside: "object", openedAt: start)
        isDamaged = true
        break
      }
      if byte == UInt8(ascii: "}") {
        if limits.isStrict, count > 0, !needsComma { reportNotJSON(from: end) }
        offset += 1
        isLost = false
        break
      }
      if byte == UInt8(ascii: "]") {
        isDamaged = true
        if reportMismatchedBracket(openArrays, "object", openedAt: start) { break }
        continue
      }
      if byte == UInt8(ascii: ",") {
        consumeComma(expected: needsComma)
        needsComma = false
        continue
      }
      if needsComma { reportMissingComma(after: end, closing: "}") }
      guard parseKey(depth: depth) else {
        isDamaged = true
        needsComma = false
        continue
      }
      if slots[slots.count - 1].isDamaged { isDamaged = true }
      let before = slots.count
      parseMemberValue(depth: depth)
      end = offset
      count += 1
      needsComma = true
      if slots[before].kind == .invalid { isDamaged = true }
    }
    close(slot, count: count, isDamaged: isDamaged)
  }

  private mutating func parseMemberValue(depth: Int) {
    let endOfKey = offset
    skipTrivia()
    switch peek() {
    case UInt8(ascii: ":"): offset += 1
    case UInt8(ascii: "="):
      unexpected("expected ':' after the key")
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
      report("expected ':' and a value after the key", at: SourceSpan(offset, offset + 1))
      append(.invalid, from: offset)
      return
    case nil: break
    default:
      report(
        "expected ':' after the key", at: SourceSpan(offset, endOfRun(from: offset)),
        fix: Fix(
          "insert ':' after the key", .unsafe, edits: [.init(SourceSpan(endOfKey, endOfKey), ":")]))
    }
    skipTrivia()
    parseValue(depth: depth + 1)
  }

  /// Reads the token at the place of a key; returns false if it is not a key.
  private mutating func parseKey(depth: Int) -> Bool {
    guard let byte = peek() else { return false }
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      parseString(as: .key)
      return true
    }
    if parseIdentifier() { return true }
    if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
      // A value without a key: read it, so that its brackets are matched, and discard it.
      report("expected a key", at: SourceSpan(offset, offset + 1))
      let before = slots.count
      parseValue(depth: depth + 1)
      slots.removeSubrange(before...)
      isLost = true
      return false
    }
    unexpected("expected a key or '}'")
    return false
  }

  // MARK: Containers

  private mutating func open(_ kind: JSONSlot.Kind) -> Int {
    makeRoom(2)
    slots.append(JSONSlot(kind, start: offset, count: 0))
    slots.append(JSONSlot(.null, start: offset, count: 0))
    offset += 1
    return slots.count - 2
  }

  private mutating func close(_ index: Int, count: Int, isDamaged: Bool) {
    let opened = slots[index]
    slots[index] = JSONSlot(
      opened.kind, flags: isDamaged ? JSONSlot.damaged : 0, start: opened.start,
      count: slots.count - index)
    slots[index + 1] = JSONSlot(.null, start: offset, count: count)
  }

  mutating func append(
    _ kind: JSONSlot.Kind, flags: UInt64 = 0, from start: Int
  ) {
    makeRoom(1)
    slots.append(JSONSlot(kind, flags: flags, start: start, count: offset - start))
  }

  /// Reserves the number of words that the whole text will need if the rest is like its start.
  ///
  /// If the array doubled its capacity instead, the largest texts would need half as much memory
  /// again.
  private mutating func makeRoom(_ count: Int) {
    guard slots.count + count > slots.capacity else { return }
    let expected = slots.count * (bytes.count / 16) / max(1, offset / 16)
    slots.reserveCapacity(max(expected + expected / 16, slots.count + slots.count / 4 + 64))
  }

  /// Reports a value that is nested too deeply, and skips it without recursion.
  private mutating func skipTooDeep() {
    let start = offset
    findings.add(
      Finding(
        .tooDeep, .error, "values are nested deeper than \(limits.depth) levels",
        at: SourceSpan(offset, offset + 1)))
    var depth = 0
    repeat {
      skipTrivia()
      guard let byte = peek() else { break }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        offset = StringScan(bytes, from: offset).end
        continue
      default: break
      }
      offset += 1
    } while depth > 0
    append(.invalid, from: start)
    isLost = true
  }
}
