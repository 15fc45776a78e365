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
    /// The number of saved bytes after which the trial ends.
    var sufficientSaving = Int.max
    /// The size at which the trial ends.
    var limit = Int.max
    var byteCount = 0
    var isFull = false
    /// The input and the output at the end of the first block that reaches the mark.
    var marked: (input: Int, output: Int)?
  }

  init(next: UnsafeMutableRawPointer, end: UnsafeMutableRawPointer) {
    unsafe (self.next, self.end) = (next, end)
  }

  var room: Int { unsafe end - next }

  /// The number of bytes that a trial has written or counted.
  var byteCount: Int { unsafe trial?.byteCount ?? 0 }

  /// Returns a copy for a trial that ends when it has saved this number of bytes.
  func trial(markAt mark: Int, sufficientSaving: Int = .max) -> OutputCursor {
    var copy = unsafe self
    unsafe copy.trial = Trial(mark: mark, sufficientSaving: sufficientSaving)
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

  /// Counts the input of a finished block; returns false if this is a trial that has saved enough.
  mutating func reach(_ input: Int) -> Bool {
    guard var trial = unsafe trial else { return true }
    if input >= trial.mark, trial.marked == nil { trial.marked = (input, trial.byteCount) }
    unsafe self.trial = trial
    return input - trial.byteCount < trial.sufficientSaving
  }

  /// The input and the output of a trial at the end of the first block that reaches its mark.
  var marked: (input: Int, output: Int)? { unsafe trial?.marked }

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
