/// The part of the caller's output that has not been written yet.
@unsafe
struct OutputCursor {
  private(set) var next: UnsafeMutableRawPointer
  private(set) var end: UnsafeMutableRawPointer
  private var trial: Trial?

  /// A trial continues without writing when the output is full.
  private struct Trial {
    /// The position of the input from which the end of a block is kept.
    var mark = 0
    /// The size at which the trial ends.
    var limit = Int.max
    var byteCount = 0
    var isFull = false
    /// The input and the output at the end of the last finished block.
    var reached = (input: 0, output: 0)
    var start: Region?
    var densest: Region?
  }

  /// A part of the input, and the size of its blocks.
  struct Region {
    var input: Range<Int>
    var output: Int

    /// Returns the first bytes of the input, with their share of the output.
    func prefix(_ count: Int) -> Region {
      guard count < input.count else { return self }
      return Region(
        input: input.lowerBound..<input.lowerBound + count, output: output * count / input.count)
    }
  }

  init(next: UnsafeMutableRawPointer, end: UnsafeMutableRawPointer) {
    unsafe (self.next, self.end) = (next, end)
  }

  var room: Int { unsafe end - next }

  /// The number of bytes that a trial has written or counted.
  var byteCount: Int { unsafe trial?.byteCount ?? 0 }

  /// Returns a copy for a trial.
  func trial(markAt mark: Int) -> OutputCursor {
    var copy = unsafe self
    unsafe copy.trial = Trial(mark: mark)
    return unsafe copy
  }

  /// Returns a cursor for a trial that writes nothing, and ends at a size.
  static func counter(
    below limit: Int, scratch: UnsafeMutablePointer<UInt8>
  ) -> OutputCursor {
    let place = UnsafeMutableRawPointer(scratch)
    var cursor = unsafe OutputCursor(next: place, end: place)
    unsafe cursor.trial = Trial(limit: limit)
    return unsafe cursor
  }

  /// Keeps what a trial wrote; returns false if the output is full.
  mutating func keep(_ other: OutputCursor) -> Bool {
    guard let trial = unsafe other.trial, !trial.isFull else { return false }
    unsafe next = other.next
    return true
  }

  /// Counts the input of a finished block.
  mutating func reach(_ input: Int) {
    guard var trial = unsafe trial else { return }
    let block = Region(
      input: trial.reached.input..<input, output: trial.byteCount - trial.reached.output)
    trial.reached = (input, trial.byteCount)
    if trial.start == nil, input >= trial.mark {
      trial.start = Region(input: 0..<input, output: trial.byteCount)
    }
    let densest = trial.densest
    if densest.map({ block.output * $0.input.count < $0.output * block.input.count }) ?? true {
      trial.densest = block
    }
    unsafe self.trial = trial
  }

  /// The blocks of a trial up to its mark, and those with the smallest share of their input.
  var regions: (start: Region, densest: Region)? {
    guard let start = unsafe trial?.start, let densest = unsafe trial?.densest else { return nil }
    return (start, densest)
  }

  /// Counts bytes that have already been written at `next`.
  mutating func skip(_ count: Int) {
    unsafe assert(count >= 0 && count <= room, "more was written than there is room")
    unsafe next += count
    unsafe trial?.byteCount += count
  }

  /// Appends bytes; returns false if there is no room and this is not a trial, or at its limit.
  mutating func append(_ bytes: UnsafeRawPointer, count: Int) -> Bool {
    guard unsafe room >= count else {
      guard let limit = unsafe trial?.limit, unsafe byteCount + count < limit else { return false }
      unsafe trial?.byteCount += count
      unsafe trial?.isFull = true
      unsafe end = next
      return true
    }
    unsafe next.copyMemory(from: bytes, byteCount: count)
    unsafe skip(count)
    return true
  }

  mutating func append(_ number: UInt32) -> Bool {
    unsafe withUnsafeBytes(of: number.littleEndian) { bytes in
      guard let start = bytes.baseAddress else { return false }
      return unsafe append(start, count: bytes.count)
    }
  }
}
