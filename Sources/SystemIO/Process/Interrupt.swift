import CSystem
import Glibc
import Synchronization

/// The wish to stop that arrives as a signal, kept until the work comes to a place where it can.
///
/// What is half done is then taken back, and ``ProcessState/end(bySignal:)`` ends the process. Work
/// that computes looks at ``pending`` between its steps; work that waits hears the signal at once,
/// because every wait also watches ``event``.
package enum Interrupt {
  private static let number = Atomic<Int32>(0)
  private static let alarm = Atomic<Int32>(-1)

  /// From now on the first SIGINT, SIGTERM or SIGHUP (the terminal was closed) is remembered; a
  /// second one ends the process at once.
  ///
  /// A signal that the process was started to ignore stays ignored. Calls into the system go on as if
  /// nothing had happened (`SA_RESTART`): a file is read and written to the end of a step, and
  /// libraries in C never see `EINTR`. What may take for ever waits in `poll`, which is never restarted.
  package static func install() {
    // Both exist before a signal can ask for them.
    number.store(0, ordering: .relaxed)
    silence()
    for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { Interrupt.remember($0) }
      action.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_RESETHAND))
      unsafe sigaction(signal, &action, nil)
    }
  }

  /// Makes the descriptor that a signal rings, or takes back what an earlier one rang.
  private static func silence() {
    var count: eventfd_t = 0
    if event >= 0 {
      _ = unsafe eventfd_read(event, &count)
      return
    }
    let made = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    // Without one a wait still ends when the signal comes to the thread that waits.
    guard made >= 0 else { return }
    let isOurs = alarm.compareExchange(expected: -1, desired: made, ordering: .relaxed).exchanged
    if !isOurs { _ = close(made) }
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    // SIG_IGN is the address 1; functions can be compared only by theirs.
    return unsafe sigaction(signal, nil, &action) == 0
      && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// Runs inside the signal: nothing here takes a lock or memory.
  private static func remember(_ signal: Int32) {
    let before = errno
    number.store(signal, ordering: .relaxed)
    if event >= 0 { _ = eventfd_write(event, 1) }
    errno = before
  }

  /// The signal that asked to stop; nil while none has.
  package static var pending: Int32? {
    let signal = number.load(ordering: .relaxed)
    return signal == 0 ? nil : signal
  }

  /// A descriptor that can be read from the moment when a signal asked to stop; -1 while there is none.
  ///
  /// It is for `poll` alone, also for that of a library that waits by itself: nobody reads it.
  package static var event: Int32 { alarm.load(ordering: .relaxed) }
}
