/// A half-open range of UTF-8 offsets in a source text.
public struct SourceSpan: Sendable, Hashable, Comparable {
  /// The offset of the first byte.
  public var start: Int
  /// The offset behind the last byte.
  public var end: Int

  /// Makes the span from `start` up to, not including, `end`.
  public init(_ start: Int, _ end: Int) {
    self.start = start
    self.end = end
  }

  /// Orders spans by where they start, then by where they end.
  public static func < (left: SourceSpan, right: SourceSpan) -> Bool {
    (left.start, left.end) < (right.start, right.end)
  }
}
