extension Duration {
  /// Its milliseconds, rounded towards zero.
  ///
  /// This does not divide by a duration of one millisecond: the quotient would be a `Double`, which
  /// may be slightly less than the exact number.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (milliseconds, isTooLarge) = seconds.multipliedReportingOverflow(by: 1000)
    guard !isTooLarge else { return seconds < 0 ? .min : .max }
    return milliseconds.addingSaturated(attoseconds / 1_000_000_000_000_000)
  }
}

extension Duration {
  /// Reads `200ms`, `1.5s`, `2m`, `3h`; nil for other texts, and for more than a day.
  package init?(written text: String) {
    let units: [(name: String, milliseconds: UInt64)] = [
      ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
    ]
    guard let unit = units.first(where: { text.hasSuffix($0.name) }),
      let count = UInt64(decimal: text.dropLast(unit.name.count), times: unit.milliseconds),
      count <= 86_400_000
    else { return nil }
    self = .milliseconds(Int64(count))
  }

  /// The duration in the notation that ``init(written:)`` reads: `10s`, `1500ms`.
  package var written: String {
    let milliseconds = wholeMilliseconds
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }
}
