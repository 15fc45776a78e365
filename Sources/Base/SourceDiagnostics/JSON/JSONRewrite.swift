/// Changes values of a JSON5 text and keeps the rest unchanged: comments, layout, order.
///
/// The changes of one rewrite must not overlap; a removed part must not be changed.
package struct JSONRewrite {
  private let bytes: [UInt8]
  private let lineEnd: String
  private var edits: [(span: SourceSpan, text: String)] = []

  /// Creates a rewrite of a text without errors.
  package init(of document: JSONDocument) {
    bytes = document.source.bytes
    let first = bytes.firstIndex { $0 == 0x0A || $0 == 0x0D }
    lineEnd =
      first.map { [bytes] index in
        if bytes[index] == 0x0A { return "\n" }
        return index + 1 < bytes.count && bytes[index + 1] == 0x0A ? "\r\n" : "\r"
      } ?? "\n"
  }

  /// The text with all changes.
  package var text: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    let order = edits.enumerated().sorted { left, right in
      let starts = (left.element.span.start, right.element.span.start)
      return starts.0 == starts.1 ? left.offset < right.offset : starts.0 < starts.1
    }
    for (_, edit) in order {
      result += bytes[position..<max(position, edit.span.start)]
      result += edit.text.utf8
      position = max(position, edit.span.end)
    }
    return result + bytes[position...]
  }

  // MARK: Values

  /// Replaces a value by another one.
  package mutating func replace(_ node: JSONNode, by value: JSONValue) {
    let isSpread = bytes[node.span.start..<node.span.end].contains(where: Self.endsLine)
    edits.append(
      (node.span, text(of: value, at: isSpread ? indentation(at: node.span.start) : nil)))
  }

  /// Returns the text of a value with this indentation; on one line if `indent` is nil.
  private func text(of value: JSONValue, at indent: String?) -> String {
    guard let indent else { return JSONWriter.string(value, .compact) }
    let lines = String(decoding: JSONWriter.bytes(value, .readable), as: UTF8.self)
      .split(separator: "\n")
    return lines.enumerated().map { index, line in
      guard indent.contains("\t") else { return (index > 0 ? indent : "") + line }
      let depth = line.prefix { $0 == " " }.count
      return (index > 0 ? indent : "") + String(repeating: "\t", count: depth / 2)
        + line.dropFirst(depth)
    }.joined(separator: lineEnd)
  }

  // MARK: More elements and members

  /// Adds elements after the existing ones of an array; with `asLines`, each of them is one line.
  package mutating func append(
    _ values: [JSONValue], asLines: Bool = false, to array: JSONNode
  ) {
    let layout = Layout(behind: array.elements.map(\.span).last, of: array, in: bytes)
    let indent = layout.indent
    insert(
      values.map { asLines ? JSONWriter.string($0, .line) : text(of: $0, at: indent) }, layout,
      before: array.span.end - 1)
  }

  /// Adds a member after the existing ones of an object.
  package mutating func append(_ member: JSONValue.Member, to object: JSONNode) {
    let spans = object.members.map { SourceSpan($0.key.span.start, $0.value.span.end) }
    let layout = Layout(behind: spans.last, of: object, in: bytes)
    let value = text(of: member.value, at: layout.indent)
    insert(
      [JSONWriter.string(.string(member.key), .compact) + ": " + value], layout,
      before: object.span.end - 1)
  }

  private mutating func insert(_ items: [String], _ layout: Layout, before end: Int) {
    guard !items.isEmpty else { return }
    let line = layout.indent.map { lineEnd + $0 }
    guard let last = layout.last else {
      // The list was empty: its closing bracket is on a separate line.
      let closing = layout.indent.map { lineEnd + $0.dropLast($0.hasSuffix("\t") ? 1 : 2) } ?? ""
      let text = items.joined(separator: "," + (line ?? " "))
      edits.append((SourceSpan(end, end), (line ?? "") + text + closing))
      return
    }
    if layout.comma == nil { edits.append((SourceSpan(last, last), ",")) }
    let text = items.map { (line ?? " ") + $0 }.joined(separator: ",")
    edits.append(
      (SourceSpan(layout.place, layout.place), text + (layout.comma == nil ? "" : ",")))
  }

  /// The layout of a list at its end.
  private struct Layout {
    /// The end of the last item; nil if there is none.
    var last: Int?
    /// The comma after it.
    var comma: Int?
    /// The place for the next item: after a comment that belongs to the last one.
    var place: Int
    /// The text before each item; nil if they are all on one line.
    var indent: String?

    init(behind item: SourceSpan?, of list: JSONNode, in bytes: [UInt8]) {
      let hasLines = bytes.contains(where: JSONRewrite.endsLine)
      guard let item else {
        let own = JSONRewrite.indentation(at: list.span.start, in: bytes)
        place = list.span.end - 1
        indent = hasLines ? own + (own.contains("\t") ? "\t" : "  ") : nil
        return
      }
      last = item.end
      let next = JSONLexing.triviaEnd(in: bytes, from: item.end).end
      comma = next < bytes.count && bytes[next] == UInt8(ascii: ",") ? next : nil
      let start = comma.map { $0 + 1 } ?? item.end
      var end = start
      var isComment = false
      // Up to the end of the line, if only comments follow.
      let limit = min(JSONLexing.triviaEnd(in: bytes, from: start).end, list.span.end - 1)
      while end < limit, !JSONRewrite.endsLine(bytes[end]) {
        if bytes[end] == UInt8(ascii: "/") { isComment = true }
        end += 1
      }
      place = isComment ? end : start
      let isOwnLine = JSONRewrite.startsLine(item.start, in: bytes)
      indent =
        isOwnLine || isComment ? JSONRewrite.indentation(at: item.start, in: bytes) : nil
    }
  }

  // MARK: Fewer elements and members

  /// Removes a member from an object.
  package mutating func remove(_ key: String, from object: JSONNode) {
    let members = Array(object.members)
    let spans = members.map { SourceSpan($0.key.span.start, $0.value.span.end) }
    remove(spans, where: { members[$0].key.string == key })
  }

  /// Removes elements from an array.
  package mutating func remove(from array: JSONNode, where isRemoved: (Int) -> Bool) {
    remove(array.elements.map(\.span), where: isRemoved)
  }

  /// Removes elements, each with the comma after it.
  ///
  /// If the last elements are removed, the comma before them is removed, too.
  private mutating func remove(_ spans: [SourceSpan], where isRemoved: (Int) -> Bool) {
    for index in spans.indices where isRemoved(index) {
      guard let comma = comma(behind: spans[index]) else {
        delete(spans[index])
        if let kept = spans[..<index].indices.last(where: { !isRemoved($0) }),
          let comma = self.comma(behind: spans[kept])
        {
          delete(SourceSpan(comma, comma + 1))
        }
        continue
      }
      let between = bytes[spans[index].end..<comma]
      if between.contains(UInt8(ascii: "/")) {
        delete(spans[index])
        delete(SourceSpan(comma, comma + 1))
      } else {
        delete(SourceSpan(spans[index].start, comma + 1))
      }
    }
  }

  private func comma(behind span: SourceSpan) -> Int? {
    let next = JSONLexing.triviaEnd(in: bytes, from: span.end).end
    return next < bytes.count && bytes[next] == UInt8(ascii: ",") ? next : nil
  }

  /// Removes a span, with its whole line if the line has no other text.
  private mutating func delete(_ span: SourceSpan) {
    var start = span.start
    while start > 0, Self.isBlank(bytes[start - 1]) { start -= 1 }
    var end = span.end
    while end < bytes.count, Self.isBlank(bytes[end]) { end += 1 }
    guard start == 0 || Self.endsLine(bytes[start - 1]), end < bytes.count,
      Self.endsLine(bytes[end])
    else {
      edits.append((span, ""))
      return
    }
    let isPair = bytes[end] == 0x0D && end + 1 < bytes.count && bytes[end + 1] == 0x0A
    edits.append((SourceSpan(start, end + (isPair ? 2 : 1)), ""))
  }

  // MARK: Lines

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private static func startsLine(_ offset: Int, in bytes: [UInt8]) -> Bool {
    let before = bytes[..<offset].lastIndex { !isBlank($0) }
    return before.map { endsLine(bytes[$0]) } ?? true
  }

  private func indentation(at offset: Int) -> String { Self.indentation(at: offset, in: bytes) }

  /// Returns the spaces and tabs at the start of the line that contains an offset.
  private static func indentation(at offset: Int, in bytes: [UInt8]) -> String {
    let start = bytes[..<offset].lastIndex(where: endsLine).map { $0 + 1 } ?? 0
    return String(decoding: bytes[start..<offset].prefix(while: isBlank), as: UTF8.self)
  }
}
