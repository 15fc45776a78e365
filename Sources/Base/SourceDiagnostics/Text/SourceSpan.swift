/// A half-open range of UTF-8 offsets in a source text.
///
/// Offsets have 32 bits, because a text of 16 MiB can have millions of spans and none is longer
/// than 4 GiB.
public struct SourceSpan: Sendable, Hashable {
  private var first: UInt32
  private var last: UInt32

  /// Creates the span from `start` up to, not including, `end`.
  public init(_ start: Int, _ end: Int) {
    first = UInt32(clamping: start)
    last = UInt32(clamping: end)
  }

  /// The offset of the first byte.
  public var start: Int {
    get { Int(first) }
    set { first = UInt32(clamping: newValue) }
  }

  /// The offset after the last byte.
  public var end: Int {
    get { Int(last) }
    set { last = UInt32(clamping: newValue) }
  }

  /// The length in bytes.
  public var length: Int { max(0, end - start) }

  /// Returns whether two spans share a byte.
  public func overlaps(_ other: SourceSpan) -> Bool { start < other.end && other.start < end }
}

/// A place in a text.
package struct SourcePlace: Sendable, Equatable {
  package let source: SourceText
  package let span: SourceSpan

  package init(_ source: SourceText, _ span: SourceSpan) {
    self.source = source
    self.span = span
  }
}

extension SourceSpan: Comparable {
  /// Orders spans by their starts, then by their ends.
  public static func < (left: SourceSpan, right: SourceSpan) -> Bool {
    (left.first, left.last) < (right.first, right.last)
  }
}

extension SourceSpan: CustomStringConvertible {
  /// The offsets: `12..<17`.
  public var description: String { "\(first)..<\(last)" }
}
