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

  /// Waits until the other program has ended; a signal that is for us is for it, too.
  static func wait(for child: ChildProcess) throws(PackError) -> ExitStatus {
    do throws(PackError) {
      try hearingStop { () throws(Failure) in
        _ = try waitUntil(.readable, child.alarm.number, "")
      }
    } catch {
      // The terminal sends its own signals to both.
      let signal = Interrupt.pending ?? SIGTERM
      if signal != SIGINT || !Terminal.isTerminal(0) { child.signal(signal) }
      _ = try? waitUntil(
        .readable, child.alarm.number, "", until: .now + .seconds(5), hearingSignals: false)
      child.signal(SIGKILL)
      throw error
    }
    switch child.end {
    case .status(let status): return ExitStatus(rawValue: status)
    case .signal(let number): return ExitStatus(rawValue: 128 + number)
    case nil: return .failed
    }
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
