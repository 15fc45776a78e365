/// Takes an element out of a list without disturbing what stands around it.
public enum ElementRemoval {
  /// The edits that remove an element, one comma, and the line if nothing else stands on it.
  ///
  /// Comments stay.
  public static func edits(for element: SourceSpan, in list: JSONNode) -> [Fix.Edit] {
    let bytes = list.document.source.bytes
    let next = JSONLexing.triviaEnd(in: bytes, from: element.end).end
    if next < bytes.count, bytes[next] == UInt8(ascii: ",") {
      let isTogether = !bytes[element.end..<next].contains(UInt8(ascii: "/"))
      guard !isTogether else {
        return [.init(widened(SourceSpan(element.start, next + 1), in: bytes), "")]
      }
      return [.init(element, ""), .init(SourceSpan(next, next + 1), "")]
    }
    // The last element without a comma behind it: the one before it goes.
    guard let comma = commaBefore(element, in: list) else {
      return [.init(widened(element, in: bytes), "")]
    }
    return [
      .init(SourceSpan(comma, comma + 1), ""),
      .init(widened(element, in: bytes), ""),
    ]
  }

  private static func commaBefore(_ element: SourceSpan, in list: JSONNode) -> Int? {
    let bytes = list.document.source.bytes
    var end: Int?
    for other in list.elements {
      if other.span.start >= element.start { break }
      end = other.span.end
    }
    guard let end else { return nil }
    let comma = JSONLexing.triviaEnd(in: bytes, from: end).end
    return comma < element.start && bytes[comma] == UInt8(ascii: ",") ? comma : nil
  }

  /// The span with its whole line if nothing else stands there, else with the blanks before it.
  private static func widened(_ span: SourceSpan, in bytes: [UInt8]) -> SourceSpan {
    var start = span.start
    while start > 0, isBlank(bytes[start - 1]) { start -= 1 }
    var end = span.end
    while end < bytes.count, isBlank(bytes[end]) { end += 1 }
    let startsLine = start == 0 || bytes[start - 1] == 0x0A
    if startsLine, end < bytes.count, bytes[end] == 0x0A { return SourceSpan(start, end + 1) }
    return SourceSpan(startsLine ? span.start : start, span.end)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D
  }
}
