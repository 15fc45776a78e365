// Errors of the parser: one report for one cause.

import TerminalText

extension JSONParser {
  /// Reports an error, unless the parser has not recovered from the last one.
  mutating func report(
    _ message: @autoclosure () -> Finding.Message, at span: SourceSpan,
    labels: [Finding.Label] = [], notes: [Finding.Message] = [],
    fix: @autoclosure () -> Fix? = nil
  ) {
    defer { isLost = true }
    guard !isLost, !isIllFormed(span) else { return }
    guard !findings.isFull(of: .error) else {
      findings.leaveOut(.error)
      return
    }
    findings.add(
      Finding(
        .syntax, .error, message(), at: span, labels: labels, notes: notes,
        fixes: fix().map { [$0] } ?? []))
  }

  /// Returns whether a span has bytes that have been reported as not being UTF-8.
  private func isIllFormed(_ span: SourceSpan) -> Bool {
    var low = 0
    var high = illFormed.count
    while low < high {
      let middle = (low + high) / 2
      if illFormed[middle].end <= span.start { low = middle + 1 } else { high = middle }
    }
    return low < illFormed.count && illFormed[low].start < span.end
  }

  /// Reports characters that cannot begin a value or a key, and skips them.
  mutating func unexpected(_ message: Finding.Message) {
    let end = max(offset + 1, endOfRun(from: offset))
    report(message, at: SourceSpan(offset, end))
    offset = end
  }

  /// Reports that the text ends too early, once.
  mutating func reportEnd(inside container: String? = nil, openedAt start: Int = 0) {
    guard !bracketsDiffer else { return }
    bracketsDiffer = true
    isLost = false
    let end = SourceSpan(bytes.count, bytes.count)
    guard let container else {
      report("the text ends where a value is expected", at: end)
      return
    }
    report(
      "the text ends inside an \(container)", at: end,
      labels: [.init(SourceSpan(start, start + 1), "opened here")])
  }

  /// Reports a closing bracket that does not match the opening bracket of this container.
  ///
  /// Returns whether it closes an outer container; then the closing bracket of this one is missing.
  /// Otherwise it is an extra bracket, which is skipped.
  mutating func reportMismatchedBracket(
    _ outer: Int, _ container: String, openedAt start: Int
  ) -> Bool {
    let closing = container == "array" ? "]" : "}"
    let label = Finding.Label(SourceSpan(start, start + 1), "opened here")
    if bracketsDiffer { isLost = true }
    bracketsDiffer = true
    let found = String(UnicodeScalar(bytes[offset]))
    report(
      "expected '\(closing)' before '\(found)'",
      at: SourceSpan(offset, offset + 1), labels: [label])
    if outer > 0 { return true }
    offset += 1
    return false
  }

  /// Reports the text from `start` on, which only JSON5 allows.
  mutating func reportNotJSON(from start: Int) {
    report("JSON does not allow this; only JSON5 does", at: SourceSpan(start, offset))
  }

  mutating func consumeComma(expected: Bool) {
    if !expected {
      let span = SourceSpan(offset, offset + 1)
      report(
        "unexpected ','", at: span, fix: Fix("remove it", .unsafe, edits: [.init(span, "")]))
    }
    isLost = false
    offset += 1
  }

  /// Reports that no comma is between a value and the text after it.
  mutating func reportMissingComma(after end: Int, closing: String) {
    let wasLost = isLost
    guard let byte = peek(), beginsCleanly(byte) else {
      report("expected ',' or '\(closing)'", at: SourceSpan(offset, endOfRun(from: offset)))
      return
    }
    let isQuoted = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    let next = isQuoted ? StringScan(bytes, from: offset).end : endOfRun(from: offset)
    // '1 234' may be one number, and "it""s" one string.
    let isCertain =
      end < offset && !(isPartOfNumber(bytes[end - 1]) && isPartOfNumber(byte))
      && (closing == "]" || hasColon(behind: next))
    report(
      "expected ',' or '\(closing)'", at: SourceSpan(offset, next),
      fix: Fix(
        "insert ',' after the value", isCertain ? .safe : .unsafe,
        edits: [.init(SourceSpan(end, end), ",")]))
    isLost = wasLost && byte != UInt8(ascii: "\"")
  }

  private func hasColon(behind end: Int) -> Bool {
    let next = JSONLexing.triviaEnd(in: bytes, from: end).end
    return next < bytes.count && bytes[next] == UInt8(ascii: ":")
  }

  private func isPartOfNumber(_ byte: UInt8) -> Bool {
    byte.isDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "+")
  }

  /// Returns whether a byte certainly begins a value or a key.
  private func beginsCleanly(_ byte: UInt8) -> Bool {
    byte.isDigit || "\"'{[-".utf8.contains(byte) || JSONLexing.isIdentifierStart(byte)
  }
}
