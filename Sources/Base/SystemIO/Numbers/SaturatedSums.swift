/// Sums of sizes from headers and texts, which may be false.
///
/// A sum that would overflow is the nearest number of the type.
extension FixedWidthInteger {
  /// Returns the sum, or the nearest number of the type.
  package func addingSaturated(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// Adds a number; the result is the sum, or the nearest number of the type.
  package mutating func addSaturated(_ other: Self) { self = addingSaturated(other) }
}

extension Sequence where Element: FixedWidthInteger {
  /// The sum, or the nearest number of the type.
  package var saturatedSum: Element { reduce(0) { $0.addingSaturated($1) } }
}
