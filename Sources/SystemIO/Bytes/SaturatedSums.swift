/// Sums of sizes that headers and texts only claim: beyond what can be counted they stay at the end.
extension FixedWidthInteger {
  /// The sum, or the nearest number that there is.
  package func addingSaturated(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// Adds a number as far as there are numbers.
  package mutating func addSaturated(_ other: Self) { self = addingSaturated(other) }
}

extension Sequence where Element: FixedWidthInteger {
  /// The sum, or the nearest number that there is.
  package var saturatedSum: Element { reduce(0) { $0.addingSaturated($1) } }
}
