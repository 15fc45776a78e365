extension Encoder {
  /// Writes all blocks with the effort of this encoder, or with a lower one that makes them
  /// smaller; returns false if they do not fit.
  ///
  /// The paths of `better` and `best` have more different distances in numbered lines and in
  /// repeated records, and are then longer. Only the start of a long input is encoded with the
  /// lower efforts, and all of it if its start becomes smaller: a second result takes too much
  /// time.
  @unsafe
  mutating func parseShortest(
    _ source: UnsafeRawPointer, count: Int, to output: inout OutputCursor
  ) -> Bool {
    var chosen = effort
    var result = unsafe output.trial(markAt: effort.trialStart)
    if effort == .better || effort == .best {
      // Input of which `default` saves less than 2.5 % is media that is already compressed: the
      // other efforts would save as little. With other input, this trial ends after few blocks.
      var draft = unsafe output.trial(
        markAt: Effort.default.trialStart, sufficientSaving: count / 40)
      if unsafe parse(.default, source, count: count, to: &draft) {
        chosen = .default
        unsafe result = draft
      }
    }
    if chosen == effort, unsafe !parse(effort, source, count: count, to: &result) { return false }
    let ownSize = unsafe result.byteCount
    var start = unsafe result.marked ?? (count, ownSize)
    // Redundant input is encoded fast.
    if ownSize < count / 6 { start = (count, ownSize) }
    if start.input < count, count - ownSize < count / 40 { return unsafe output.keep(result) }
    var smallest = (effort: chosen, size: ownSize)
    var next = chosen.lower
    while let lower = next {
      next = lower.lower
      if start.input < count {
        let limit = start.output + (start.input - start.output) / 256
        guard
          unsafe size(with: lower, source, count: start.input, below: limit) != nil
        else { continue }
      }
      if let size = unsafe size(with: lower, source, count: count, below: smallest.size) {
        smallest = (lower, size)
      }
    }
    if smallest.effort == chosen { return unsafe output.keep(result) }
    return unsafe parse(smallest.effort, source, count: count, to: &output)
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

  /// The number of bytes after which the comparison with the lower efforts ends with a block.
  fileprivate var trialStart: Int {
    switch self {
    case .fast: 0
    case .default: 1 << 15
    case .better, .best: 1 << 17
    }
  }
}
