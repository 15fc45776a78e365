import Glibc
import Synchronization
package import SystemIO

/// A destination of text: one of the program's two outputs, or memory in a test.
///
/// Only this type writes to standard output and standard error. Any thread may write: the bytes of
/// one call are written together.
package final class TextStream: Sendable {
  package let isTerminal: Bool
  /// The stream's name in messages.
  package let path: String
  /// The maximum width of lines; a window can change while the program runs.
  package var columns: Int { number.flatMap(Terminal.columns) ?? givenColumns }
  /// The error of a write that no caller has received; a closed pipe is no error.
  package var failure: Failure? {
    isAbandoned ? nil : buffer.with { $0.isThrown ? nil : $0.refusal }
  }

  private let number: Int32?
  private let givenColumns: Int
  private let buffer: InTurn<Buffer>
  private let abandoned = Atomic<Bool>(false)

  /// Whether further text is discarded, because a thread may be blocked in a write.
  private var isAbandoned: Bool { abandoned.load(ordering: .relaxed) }

  /// Discards all further text, without waiting for a thread that writes.
  func abandon() { abandoned.store(true, ordering: .relaxed) }

  /// Writes to an open descriptor, `capacity` bytes at a time; a test may treat it as a terminal.
  init(_ number: Int32, path: String, capacity: Int, asTerminal: Bool = false) {
    isTerminal = asTerminal || Terminal.isTerminal(number)
    self.path = path
    self.number = number
    givenColumns = 80
    buffer = InTurn(
      Buffer(descriptor: FileDescriptor(owning: number, path: path), capacity: capacity))
  }

  /// Keeps the text in memory, for tests.
  package init(capturedAs terminal: Bool = false, columns: Int = 80) {
    isTerminal = terminal
    path = "standard output"
    number = nil
    givenColumns = columns
    buffer = InTurn(Buffer(descriptor: nil, capacity: .max))
  }

  /// The kept text.
  package var captured: String { String(decoding: capturedBytes, as: UTF8.self) }

  /// The kept bytes.
  package var capturedBytes: [UInt8] { buffer.with { $0.waiting } }

  /// Writes bytes that are useless if incomplete: a closed pipe is an error.
  package func write(_ bytes: RawSpan) throws(Failure) {
    if isAbandoned { return }
    try buffer.with { buffer throws(Failure) in
      buffer.waiting.append(copying: bytes)
      buffer.writeIfFull()
      if let refusal = buffer.refusal {
        buffer.isThrown = true
        throw refusal
      }
      if buffer.isClosed { throw Failure(.write, path, code: EPIPE) }
    }
  }

  package func write(_ text: String) { write(Array(text.utf8)) }

  package func write(_ bytes: [UInt8]) {
    if isAbandoned { return }
    buffer.with { buffer in
      guard !buffer.isClosed else { return }
      buffer.waiting += bytes
      buffer.writeIfFull()
    }
  }

  /// Writes a line that consists of these bytes.
  package func write(line bytes: ArraySlice<UInt8>) {
    if isAbandoned { return }
    buffer.with { buffer in
      guard !buffer.isClosed else { return }
      buffer.waiting += bytes
      buffer.waiting.append(UInt8(ascii: "\n"))
      buffer.writeIfFull()
    }
  }

  /// Writes the buffered text.
  ///
  /// After a reader closes a pipe, all further text is discarded without an error.
  package func flush() {
    if !isAbandoned { buffer.with { $0.write() } }
  }

  /// The unwritten bytes, and their destination.
  private struct Buffer: ~Copyable {
    let descriptor: FileDescriptor?
    let capacity: Int
    var waiting: [UInt8] = []
    var isClosed = false
    var refusal: Failure?
    /// Whether the error was thrown to a caller, which reports it.
    var isThrown = false

    mutating func writeIfFull() {
      if waiting.count >= capacity { write() }
    }

    mutating func write() {
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
}
