import Arguments
import BAPackKit
import Glibc
import SystemIO

/// The lifetime of a server: until a signal, or until the command of `--exec` has ended.
enum ServingTime {
  /// Waits until a signal arrives.
  static func waitForSignal(_ work: Work) throws(PackError) -> Never {
    try mappingInterrupt { () throws(Failure) in
      while true { try work.pause(until: nil) }
    }
  }

  /// Runs the command of `--exec`, and returns its exit status.
  ///
  /// As in a shell, the status is 127 if the command does not exist, 126 if it cannot be started,
  /// and 128 plus the number of the signal if a signal ended it.
  static func run(
    _ command: [String], changing variables: [String: String?], input: [UInt8]? = nil,
    _ log: RequestLog, _ work: Work
  ) throws(PackError) -> ExitStatus {
    let child: ChildProcess
    do throws(Failure) {
      child = try ChildProcess(command, changing: variables, input: input)
    } catch {
      let isMissing = error.code == ENOENT
      log.report(
        PackError(
          .missing, "cannot start '\(command.first ?? "")': \(error.reason)",
          remedy: .advice(
            isMissing
              ? "the first word after '--' must be a program in PATH, or its path; a shell command "
                + "requires 'sh -c'"
              : "the first word after '--' must be an executable program")))
      return ExitStatus(rawValue: isMissing ? 127 : 126)
    }
    return try wait(for: child, work)
  }

  /// Waits until the command has ended; passes a received signal on to it and to its child
  /// processes.
  private static func wait(
    for child: ChildProcess, _ work: Work
  ) throws(PackError) -> ExitStatus {
    do throws(PackError) {
      try mappingInterrupt { () throws(Failure) in
        _ = try waitUntil(.readable, child.alarm.number, "", work)
      }
    } catch {
      end(child, by: Interrupt.pending ?? SIGTERM)
      throw error
    }
    switch child.end {
    case .status(let status): return ExitStatus(rawValue: status)
    case .signal(let number): return ExitStatus(rawValue: 128 + number)
    case nil: return .failed
    }
  }

  /// Passes a signal on to the command, waits for its end for at most 5 seconds, and then kills it.
  private static func end(_ child: ChildProcess, by signal: Int32) {
    // The terminal sends SIGINT to the whole foreground process group.
    if signal != SIGINT || child.hasOwnGroup { child.signal(signal) }
    let end = ContinuousClock.now + .seconds(5)
    _ = try? waitUntil(.readable, child.alarm.number, "", until: end, .unstoppable)
    // The system does not report the end of the last process in a group.
    while child.isRunning, .now < end {
      try? Work.unstoppable.pause(until: .now + .milliseconds(10))
    }
    if child.isRunning { child.signal(SIGKILL) }
  }

  /// Maps the end of the work to the error message.
  static func mappingInterrupt<Success>(
    _ body: () throws(Failure) -> Success
  ) throws(PackError) -> Success {
    do throws(Failure) {
      return try body()
    } catch {
      guard error.kind == .interrupted else { throw PackError(error, while: .reading) }
      throw PackError(.interrupted, "stopped")
    }
  }
}
