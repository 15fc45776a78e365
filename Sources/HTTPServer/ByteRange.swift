import TerminalText

/// The part of a file that a client asks for: what `Range` says, made fit for a size.
package enum ByteRange: Sendable, Equatable {
  /// All of it: no part is asked for, or in a way that may be passed over.
  case whole
  /// From one byte to before another.
  case part(Range<UInt64>)
  /// A part that is not there.
  case outside

  /// Reads the value of `Range` for a file of a size.
  ///
  /// Several parts at once are answered by the whole, which is always allowed: who asks for parts
  /// of one pack asks for one.
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

  /// A number that may be larger than any file.
  private static func number(_ text: String) -> UInt64 { UInt64(text) ?? .max }
}
