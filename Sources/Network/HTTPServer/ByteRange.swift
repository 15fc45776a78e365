import TerminalText

/// The part of a file that the `Range` of a request selects.
package enum ByteRange: Sendable, Equatable {
  /// The complete file: no `Range`, or one that may be ignored.
  case whole
  case part(Range<UInt64>)
  /// A range outside the file.
  case outside

  /// Reads the value of `Range` for a file of a size.
  ///
  /// A request for several ranges gets the complete file, which HTTP allows.
  package init(_ value: String?, of size: UInt64) {
    self = .whole
    guard let value, let equals = value.firstIndex(of: "="),
      value[..<equals].lowercased().filter({ $0 != " " }) == "bytes"
    else { return }
    let set = value[value.index(after: equals)...]
    guard !set.contains(",") else { return }
    let ends = set.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " && $0 != "\t" } }
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }) else { return }
    switch (ends[0].isEmpty, ends[1].isEmpty) {
    case (true, true): return
    case (true, false):
      let count = min(Self.number(ends[1]), size)
      self = count == 0 ? .outside : .part(size - count..<size)
    case (false, _):
      let first = Self.number(ends[0])
      let last = ends[1].isEmpty ? UInt64.max : Self.number(ends[1])
      guard last >= first else { return }
      guard first < size else {
        self = .outside
        return
      }
      self = .part(first..<(last < size - 1 ? last + 1 : size))
    }
  }

  /// Returns a number; the maximum value if it does not fit.
  private static func number(_ text: String) -> UInt64 { UInt64(text) ?? .max }
}
