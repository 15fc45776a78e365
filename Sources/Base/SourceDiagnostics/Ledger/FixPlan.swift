/// The fixes of a text that can be applied together.
package struct FixPlan {
  /// The edits of each fix.
  package private(set) var fixes: [[Fix.Edit]] = []

  /// Selects the first permitted fix of each finding.
  ///
  /// A fix that overlaps an earlier one is omitted. A check of the new text finds it again.
  package init(_ findings: Ledger, takingUnsafe takesUnsafe: Bool, in bytes: [UInt8]) {
    var taken = SpanSet()
    for finding in findings {
      guard
        let fix = finding.fixes.first(where: {
          $0.grade == .safe || takesUnsafe && $0.grade == .unsafe
        }), !fix.edits.isEmpty,
        fix.edits.allSatisfy({ $0.span.end <= bytes.count && !taken.touches($0.span) })
      else { continue }
      for edit in fix.edits { taken.insert(edit.span) }
      fixes.append(fix.edits)
    }
  }

  /// Returns the text with all edits of some fixes applied; the rest is unchanged.
  package static func apply(_ fixes: some Sequence<[Fix.Edit]>, to bytes: [UInt8]) -> [UInt8] {
    var edits: [Fix.Edit] = []
    for fix in fixes { edits += fix }
    // Fixes are in the order of their findings, which is nearly always that of their edits.
    if !zip(edits, edits.dropFirst()).allSatisfy({ !($1.span < $0.span) }) {
      edits.sort { $0.span < $1.span }
    }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    for edit in edits {
      result += bytes[position..<edit.span.start]
      result += edit.replacement.utf8
      position = edit.span.end
    }
    result += bytes[position...]
    return result
  }
}

/// Spans that do not touch each other, in order.
struct SpanSet {
  private var spans: [SourceSpan] = []

  init() {}

  init(_ spans: [SourceSpan]) { self.spans = spans.sorted() }

  mutating func insert(_ span: SourceSpan) {
    if let last = spans.last, !(last < span) {
      spans.insert(span, at: firstIndex(notBefore: span))
    } else {
      spans.append(span)
    }
  }

  /// Returns whether a span of the set shares a byte with `span`.
  ///
  /// If one of the two spans is empty, it is enough that they are adjacent.
  func touches(_ span: SourceSpan) -> Bool {
    var index = firstIndex(notBefore: span)
    index = max(0, index - 1)
    while index < spans.count, spans[index].start <= span.end {
      let other = spans[index]
      if other.overlaps(span) { return true }
      if other.end >= span.start, other.length == 0 || span.length == 0 { return true }
      index += 1
    }
    return false
  }

  /// Returns whether one span of the set covers all of `span`.
  func covers(_ span: SourceSpan) -> Bool {
    var index = max(0, firstIndex(notBefore: span) - 1)
    while index < spans.count, spans[index].start <= span.start {
      if spans[index].end >= span.end, spans[index].length > 0 { return true }
      index += 1
    }
    return false
  }

  private func firstIndex(notBefore span: SourceSpan) -> Int {
    // Callers process the text in order, so the next span is usually after all others.
    if let last = spans.last, last < span { return spans.count }
    var low = 0
    var high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if spans[middle] < span { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
