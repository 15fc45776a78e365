/// The part of the caller's output that has not been written yet.
@unsafe
struct OutputCursor {
  private(set) var next: UnsafeMutableRawPointer
  private(set) var end: UnsafeMutableRawPointer
  private var trial: Trial?

  /// A trial continues without writing when the output is full, and ends when it has saved enough.
  private struct Trial {
    let sufficientSaving: Int
    var byteCount = 0
    var isFull = false
  }

  init(next: UnsafeMutableRawPointer, end: UnsafeMutableRawPointer) {
    unsafe (self.next, self.end) = (next, end)
  }

  var room: Int { unsafe end - next }

  /// Returns a copy for a trial that ends when it has saved this number of bytes.
  func trial(sufficientSaving: Int) -> OutputCursor {
    var copy = unsafe self
    unsafe copy.trial = Trial(sufficientSaving: sufficientSaving)
    return unsafe copy
  }

  /// Keeps what a trial wrote; returns false if the output is full.
  mutating func keep(_ other: OutputCursor) -> Bool {
    guard let trial = unsafe other.trial, !trial.isFull else { return false }
    unsafe next = other.next
    return true
  }

  /// Returns whether this is a trial that has saved enough with this number of bytes of the input.
  func hasSavedEnough(of inputCount: Int) -> Bool {
    guard let trial = unsafe trial else { return false }
    return inputCount - trial.byteCount >= trial.sufficientSaving
  }

  /// Counts bytes that have already been written at `next`.
  mutating func skip(_ count: Int) {
    unsafe assert(count >= 0 && count <= room, "more was written than there is room")
    unsafe next += count
    unsafe trial?.byteCount += count
  }

  /// Appends bytes; returns false if there is no room and this is not a trial.
  mutating func append(_ bytes: UnsafeRawPointer, count: Int) -> Bool {
    guard unsafe room >= count else {
      guard unsafe trial != nil else { return false }
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
