/// Removes elements from a list without changing the text around them.
package struct ElementRemoval {
  private let list: JSONNode
  /// The places of the elements, found in one pass when the first one is removed.
  private lazy var spans: [SourceSpan] = list.elements.map(\.span)

  /// Prepares to remove elements of a list.
  package init(from list: JSONNode) { self.list = list }

  /// Returns the fix that removes an element.
  ///
  /// It is never safe: perhaps another element is the wrong one.
  package mutating func fix(for element: SourceSpan) -> Fix {
    Fix("remove it", .unsafe, edits: edits(for: element))
  }

  /// Returns the edits that remove an element, one comma, and the line if it is empty afterwards.
  ///
  /// Comments are kept.
  private mutating func edits(for element: SourceSpan) -> [Fix.Edit] {
    let bytes = list.document.source.bytes
    let next = JSONLexing.triviaEnd(in: bytes, from: element.end).end
    if next < bytes.count, bytes[next] == UInt8(ascii: ",") {
      let isTogether = !bytes[element.end..<next].contains(UInt8(ascii: "/"))
      guard !isTogether else {
        return [.init(widened(SourceSpan(element.start, next + 1), in: bytes), "")]
      }
      return [.init(element, ""), .init(SourceSpan(next, next + 1), "")]
    }
    // The last element, without a comma after it: the comma before it is removed.
    guard let comma = commaBefore(element, in: bytes) else {
      return [.init(widened(element, in: bytes), "")]
    }
    return [
      .init(SourceSpan(comma, comma + 1), ""),
      .init(widened(element, in: bytes), ""),
    ]
  }

  private mutating func commaBefore(_ element: SourceSpan, in bytes: [UInt8]) -> Int? {
    var low = 0
    var high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].start < element.start { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let comma = JSONLexing.triviaEnd(in: bytes, from: spans[low - 1].end).end
    return comma < element.start && bytes[comma] == UInt8(ascii: ",") ? comma : nil
  }

  /// Returns the span with its whole line if the line has no other text, or else with the blanks
  /// before it.
  private func widened(_ span: SourceSpan, in bytes: [UInt8]) -> SourceSpan {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    var start = span.start
    while start > 0, isBlank(bytes[start - 1]) { start -= 1 }
    var end = span.end
    while end < bytes.count, isBlank(bytes[end]) { end += 1 }
    let startsLine = start == 0 || bytes[start - 1] == 0x0A || bytes[start - 1] == 0x0D
    let lineEnd = end < bytes.count ? JSONLexing.lineEnd(in: bytes, at: end) : 0
    if startsLine, lineEnd > 0 { return SourceSpan(start, end + lineEnd) }
    return SourceSpan(startsLine ? span.start : start, span.end)
  }
}
