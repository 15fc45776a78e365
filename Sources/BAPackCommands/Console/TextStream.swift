import Glibc
import Synchronization
package import SystemIO

/// A place that text goes to: one of the program's two outputs, or a test's memory.
///
/// The only file that writes to standard output and standard error. Any thread may write: what
/// is written by one call stays together.
package final class TextStream: @unchecked Sendable {
  /// Whether a person reads it.
  package let isTerminal: Bool
  /// The stream's name in messages.
  package let path: String
  /// How wide lines may be now; a window can change while the program runs.
  package var columns: Int { number.flatMap(Terminal.columns) ?? givenColumns }
  /// What went wrong while writing; a reader that stopped reading does not count.
  package var failure: Failure? { isAbandoned ? nil : lock.with { refusal } }

  private let number: Int32?
  private let givenColumns: Int
  private let descriptor: FileDescriptor?
  private let capacity: Int
  /// Guards the properties below.
  private let lock = Lock()
  private var waiting: [UInt8] = []
  private var isClosed = false
  private var refusal: Failure?
  private let abandoned = Atomic<Bool>(false)

  /// Whether a writing thread holds the lock, possibly forever.
  private var isAbandoned: Bool { abandoned.load(ordering: .relaxed) }

  /// Discards all further text, and does not wait for a thread that writes.
  func abandon() { abandoned.store(true, ordering: .relaxed) }

  /// Writes to an open descriptor, `capacity` bytes at a time; a test may say that it is a terminal.
  init(_ number: Int32, path: String, capacity: Int, asTerminal: Bool = false) {
    isTerminal = asTerminal || Terminal.isTerminal(number)
    self.path = path
    self.number = number
    givenColumns = 80
    descriptor = FileDescriptor(owning: number, path: path)
    self.capacity = capacity
  }

  /// Keeps what is written in memory, for tests.
  package init(capturedAs terminal: Bool = false, columns: Int = 80) {
    isTerminal = terminal
    path = "standard output"
    number = nil
    givenColumns = columns
    descriptor = nil
    capacity = .max
  }

  /// What was kept.
  package var captured: String { String(decoding: capturedBytes, as: UTF8.self) }

  /// What was kept, as bytes.
  package var capturedBytes: [UInt8] { lock.with { waiting } }

  /// Writes bytes that are useless if incomplete: if the reader has gone, that is an error.
  package func write(_ bytes: RawSpan) throws(Failure) {
    if isAbandoned { return }
    lock.lock()
    defer { lock.unlock() }
    waiting.append(copying: bytes)
    if waiting.count >= capacity { handOn() }
    if let refusal { throw refusal }
    if isClosed { throw Failure(.write, path, code: EPIPE) }
  }

  package func write(_ text: String) { write(Array(text.utf8)) }

  package func write(_ bytes: [UInt8]) {
    if isAbandoned { return }
    lock.with {
      guard !isClosed else { return }
      waiting += bytes
      if waiting.count >= capacity { handOn() }
    }
  }

  /// Writes what is buffered.
  ///
  /// A reader that closes its end of a pipe has what it wants: from then on nothing is written and
  /// nothing is reported.
  package func flush() {
    if !isAbandoned { lock.with { handOn() } }
  }

  /// The same, for whoever has the lock.
  private func handOn() {
    guard descriptor != nil, !waiting.isEmpty, !isClosed else { return }
    do throws(Failure) {
      try descriptor?.write(waiting)
    } catch {
      isClosed = true
      if error.code != EPIPE { refusal = error }
    }
    waiting.removeAll(keepingCapacity: true)
  }
}
