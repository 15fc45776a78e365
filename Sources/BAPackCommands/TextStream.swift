import Glibc
package import SystemIO

/// A place that text goes to: one of the program's two outputs, or a test's memory.
///
/// The only file that writes to standard output and standard error.
package final class TextStream {
  /// Whether a person reads it.
  package let isTerminal: Bool
  /// What messages call it.
  package let path: String
  /// How wide its lines may be now; a window can change while the program runs.
  package var columns: Int { number.flatMap(Terminal.columns) ?? givenColumns }
  /// What went wrong with writing, other than a reader that has seen enough.
  package private(set) var failure: Failure?

  private let number: Int32?
  private let givenColumns: Int
  private let descriptor: FileDescriptor?
  private let capacity: Int
  private var waiting: [UInt8] = []
  private var isClosed = false

  /// Writes to an open descriptor, `capacity` bytes at a time.
  init(_ number: Int32, path: String, capacity: Int) {
    isTerminal = Terminal.isTerminal(number)
    self.path = path
    self.number = number
    givenColumns = 80
    descriptor = FileDescriptor(owning: number, path: path)
    self.capacity = capacity
  }

  /// Keeps what is written, for a test.
  package init(capturedAs terminal: Bool = false, columns: Int = 80) {
    isTerminal = terminal
    path = "standard output"
    number = nil
    givenColumns = columns
    descriptor = nil
    capacity = .max
  }

  /// What was written and kept.
  package var captured: String { String(decoding: waiting, as: UTF8.self) }

  /// What was written and kept, as it is.
  package var capturedBytes: [UInt8] { waiting }

  /// Writes what is worth nothing in part: a reader that has gone is an error.
  package func write(_ bytes: RawSpan) throws(Failure) {
    waiting.append(copying: bytes)
    if waiting.count >= capacity { flush() }
    if let failure { throw failure }
    if isClosed { throw Failure(.write, path, code: EPIPE) }
  }

  package func write(_ text: String) { write(Array(text.utf8)) }

  package func write(_ bytes: [UInt8]) {
    guard !isClosed else { return }
    waiting += bytes
    if waiting.count >= capacity { flush() }
  }

  /// Hands on what waits.
  ///
  /// A reader that closes its end of a pipe has what it wants: from then on nothing is written and
  /// nobody is told.
  package func flush() {
    guard descriptor != nil, !waiting.isEmpty, !isClosed else { return }
    do throws(Failure) {
      try descriptor?.write(waiting)
    } catch {
      isClosed = true
      if error.code != EPIPE { failure = error }
    }
    waiting.removeAll(keepingCapacity: true)
  }
}
