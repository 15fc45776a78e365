extension Encoder {
  /// Writes all blocks with the effort of this encoder, or with a lower one that makes them
  /// smaller; returns false if they do not fit.
  ///
  /// The paths of `better` and `best` have more different distances in numbered lines and in
  /// repeated records, and can then be longer.
  @unsafe
  mutating func parseShortest(
    _ source: UnsafeRawPointer, count: Int, to output: inout OutputCursor
  ) -> Bool {
    let choice = unsafe encodeSmallest(of: effort, source, count: count, to: output)
    if let result = unsafe choice.result { return unsafe output.keep(result) }
    return unsafe parse(choice.effort, source, count: count, to: &output)
  }

  /// Encodes with this effort and with lower ones; returns the one with the smallest blocks.
  ///
  /// `default` takes a tenth of the time of `better`, so all of the input is also encoded with it.
  @unsafe
  private mutating func encodeSmallest(
    of effort: Effort, _ source: UnsafeRawPointer, count: Int, to output: OutputCursor
  ) -> Choice {
    guard effort == .better || effort == .best else {
      return unsafe encodeSmaller(of: effort, effort.lower, source, count: count, to: output)
    }
    let lower = unsafe encodeSmallest(of: .default, source, count: count, to: output)
    // The other efforts would save as little of media that is already compressed.
    if unsafe count - lower.byteCount < count / 40 { return unsafe lower }
    let own = unsafe encodeSmaller(
      of: effort, effort == .best ? .better : nil, source, count: count, to: output,
      expected: lower.byteCount / 25 * 23)
    if unsafe own.byteCount < lower.byteCount { return unsafe own }
    return unsafe Choice(effort: lower.effort, byteCount: lower.byteCount, result: nil)
  }

  /// Encodes with an effort and with a lower one; returns the one with the smaller blocks.
  ///
  /// Only two parts are encoded with the lower effort, the start and the one that became smallest;
  /// and all of the input if one of them becomes smaller, if the input is redundant and so encoded
  /// fast, or if the size is not below the expected one.
  @unsafe
  private mutating func encodeSmaller(
    of effort: Effort, _ lower: Effort?, _ source: UnsafeRawPointer, count: Int,
    to output: OutputCursor, expected: Int = .max
  ) -> Choice {
    var result = unsafe output.trial(markAt: effort.trialSize)
    _ = unsafe parse(effort, source, count: count, to: &result)
    let size = unsafe result.byteCount
    let own = unsafe Choice(effort: effort, byteCount: size, result: result)
    guard let lower else { return unsafe own }
    if let regions = unsafe result.regions, size >= count / 6, size < expected {
      if count - size < count / 40 { return unsafe own }
      let parts = [regions.start, regions.densest.prefix(effort.trialSize)]
      guard parts.contains(where: { unsafe becomes($0, smallerWith: lower, source) }) else {
        return unsafe own
      }
    }
    guard let smaller = unsafe self.size(with: lower, source, count: count, below: size) else {
      return unsafe own
    }
    return unsafe Choice(effort: lower, byteCount: smaller, result: nil)
  }

  /// Returns whether an effort makes a part of the input smaller.
  @unsafe
  private mutating func becomes(
    _ part: OutputCursor.Region, smallerWith effort: Effort, _ source: UnsafeRawPointer
  ) -> Bool {
    let limit = part.output + (part.input.count - part.output) / 256
    return unsafe size(
      with: effort, source + part.input.lowerBound, count: part.input.count, below: limit) != nil
  }

  /// An effort, and the size of its blocks; `result` is nil if they were not kept.
  @unsafe
  private struct Choice {
    let effort: Effort
    let byteCount: Int
    let result: OutputCursor?
  }

  /// Returns the size of all blocks with an effort, if it is below a limit.
  @unsafe
  private mutating func size(
    with effort: Effort, _ source: UnsafeRawPointer, count: Int, below limit: Int
  ) -> Int? {
    var counter = unsafe OutputCursor.counter(below: limit, scratch: writer.scratch.base)
    guard unsafe parse(effort, source, count: count, to: &counter) else { return nil }
    return unsafe counter.byteCount
  }

  @unsafe
  private mutating func parse(
    _ effort: Effort, _ source: UnsafeRawPointer, count: Int, to output: inout OutputCursor
  ) -> Bool {
    switch effort {
    case .fast: unsafe parseFast(source, count: count, to: &output)
    case .default: unsafe parseLazily(source, count: count, to: &output)
    case .better: unsafe parseOptimally(source, count: count, with: ladder, to: &output)
    case .best: unsafe parseOptimally(source, count: count, with: tree, to: &output)
    }
  }
}

extension Effort {
  /// The next lower effort.
  fileprivate var lower: Effort? {
    switch self {
    case .fast: nil
    case .default: .fast
    case .better: .default
    case .best: .better
    }
  }

  /// The number of bytes of each part that is also encoded with the lower effort.
  fileprivate var trialSize: Int {
    switch self {
    case .fast: 0
    case .default: 1 << 15
    case .better, .best: 1 << 17
    }
  }
}
