import CSystem
import Glibc

/// The output of a program that has ended.
package struct ProgramOutput: Sendable {
  package let end: ChildProcess.End
  /// The bytes of its standard output.
  package let bytes: [UInt8]
  /// The start of its standard error.
  package let errors: [UInt8]

  /// The number of bytes of the standard error that are kept.
  private static let mostErrors = 16 << 10

  /// Runs a program without a shell, and returns its output.
  ///
  /// The program reads `input`, and never the terminal. It and the processes that it starts are
  /// killed at the deadline, if the operation must stop, or if the output is too long.
  ///
  /// - Throws: ``Failure/Kind/timedOut(_:)`` at the deadline, and ``Failure/Kind/malformed(_:)`` if
  ///   the output has more than `limit` bytes.
  package init(
    of words: [String], changing variables: [String: String?] = [:], reading input: [UInt8] = [],
    atMost limit: Int, until deadline: ContinuousClock.Instant, _ work: Work
  ) throws(Failure) {
    let name = words.first ?? ""
    let given = try ChildProcess.memoryFile(input)
    let errors = try ChildProcess.memoryFile([])
    var ends: [Int32] = [-1, -1]
    _ = try perform(.event, name) { unsafe pipe2(&ends, O_CLOEXEC) }
    let output = FileDescriptor(owning: ends[0], path: name)
    let child: ChildProcess
    do {
      // The reading ends when all processes with the other end have closed it.
      let written = FileDescriptor(owning: ends[1], path: name)
      child = try ChildProcess(
        words, changing: variables, streams: [given.number, written.number, errors.number],
        keeping: nil, inOwnGroup: true)
    }
    do throws(Failure) {
      bytes = try Self.read(output, atMost: limit, until: deadline, work)
      guard try waitUntil(.readable, child.alarm.number, name, until: deadline, work) else {
        throw Failure(.timedOut(.call(.read)), name)
      }
    } catch {
      child.signal(SIGKILL)
      _ = try? waitUntil(.readable, child.alarm.number, name, .unstoppable)
      throw error
    }
    end = child.end ?? .signal(SIGKILL)
    try errors.seek(to: 0)
    self.errors = try errors.readToEnd(atMost: Self.mostErrors)
  }

  private static func read(
    _ output: borrowing FileDescriptor, atMost limit: Int, until deadline: ContinuousClock.Instant,
    _ work: Work
  ) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      guard try waitUntil(.readable, output.number, output.path, until: deadline, work) else {
        throw Failure(.timedOut(.call(.read)), output.path)
      }
      let chunk = try [UInt8](capacity: 64 << 10) { (buffer) throws(Failure) in
        _ = try output.read(into: &buffer)
      }
      if chunk.isEmpty { return bytes }
      bytes += chunk
      if bytes.count > limit {
        throw Failure(.malformed("the output has more than \(limit) bytes"), output.path)
      }
    }
  }
}
