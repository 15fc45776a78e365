import Arguments
import BAPackKit
import Glibc
import SystemIO

/// How long a server of ours is there: until somebody stops it, or until a command that it serves has
/// ended.
enum ServingTime {
  /// Waits until a signal comes.
  static func waitForSignal() throws(PackError) -> Never {
    try hearingStop { () throws(Failure) in
      while true { _ = try waitUntil(.readable, -1, "") }
    }
  }

  /// Runs the command of `--exec`, and returns the status that it ended with.
  ///
  /// As in a shell, it is 127 for a command that does not exist, 126 for one that cannot be started, and 128
  /// plus the signal's number for one that a signal ended.
  static func run(
    _ command: [String], changing variables: [String: String?], _ log: RequestLog
  ) throws(PackError) -> ExitStatus {
    let child: ChildProcess
    do throws(Failure) {
      child = try ChildProcess(command, changing: variables)
    } catch {
      let isMissing = error.code == ENOENT
      log.report(
        PackError(
          .missing, "cannot start '\(command.first ?? "")': \(error.reason)",
          remedy: .advice(
            isMissing
              ? "the first word behind '--' is a program in PATH, or its path; a line for a shell needs "
                + "'sh -c'"
              : "the first word behind '--' is a program that may be run")))
      return ExitStatus(rawValue: isMissing ? 127 : 126)
    }
    return try wait(for: child)
  }

  /// Waits until the other program has ended; a signal that is for us is for it, too, and for what it
  /// started.
  private static func wait(for child: ChildProcess) throws(PackError) -> ExitStatus {
    do throws(PackError) {
      try hearingStop { () throws(Failure) in
        _ = try waitUntil(.readable, child.alarm.number, "")
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

  /// Passes a signal on, gives what gets it some time, and then ends it.
  private static func end(_ child: ChildProcess, by signal: Int32) {
    // The terminal sends its own signals to all.
    if signal != SIGINT || child.hasOwnGroup { child.signal(signal) }
    let end = ContinuousClock.now + .seconds(5)
    _ = try? waitUntil(.readable, child.alarm.number, "", until: end, hearingSignals: false)
    // Nothing tells when the last process of a group has ended.
    while child.isRunning, .now < end {
      _ = try? waitUntil(
        .readable, -1, "", until: .now + .milliseconds(10), hearingSignals: false)
    }
    if child.isRunning { child.signal(SIGKILL) }
  }

  /// Makes of a signal that asks to stop what the program says of it.
  static func hearingStop<Success>(
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
