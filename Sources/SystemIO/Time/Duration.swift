extension Duration {
  /// Its milliseconds, rounded towards zero.
  ///
  /// A quotient of durations is a `Double`, for which 5802 seconds are a little less than themselves.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (milliseconds, isTooLarge) = seconds.multipliedReportingOverflow(by: 1000)
    guard !isTooLarge else { return seconds < 0 ? .min : .max }
    return milliseconds.addingSaturated(attoseconds / 1_000_000_000_000_000)
  }
}
