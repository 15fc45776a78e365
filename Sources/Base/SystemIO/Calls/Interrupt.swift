import CSystem
import Glibc
import Synchronization

/// The user's request to stop, which arrives as a signal.
///
/// The signal rings ``alarm``, which ends the ``Work`` of a command. A command that stopped removes
/// incomplete files, and then ``ProcessState/end(bySignal:)`` ends the process. Only commands use
/// this type: a library receives a ``Work``.
package enum Interrupt {
  private static let number = Atomic<Int32>(0)

  /// Rings at the first signal after ``install()``; nil if no descriptor could be created.
  package static let alarm: Alarm? = try? Alarm()

  /// Makes the first SIGINT, SIGTERM or SIGHUP (the terminal was closed) raise the alarm; a second
  /// signal ends the process immediately.
  ///
  /// A signal that was ignored when the process started remains ignored. System calls are restarted
  /// (`SA_RESTART`), so C libraries never see `EINTR`. Waits without a limit use `poll`, which is
  /// never restarted. Without an alarm, the first signal ends the process.
  package static func install() {
    // The first use of the alarm allocates memory, so it must not be in the handler.
    guard alarm != nil else { return }
    for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { Interrupt.handle($0) }
      action.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_RESETHAND))
      unsafe sigaction(signal, &action, nil)
    }
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    // SIG_IGN is the address 1; functions can be compared only by their addresses.
    return unsafe sigaction(signal, nil, &action) == 0
      && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// Handles a signal; must not allocate memory or lock.
  private static func handle(_ signal: Int32) {
    let before = errno
    number.store(signal, ordering: .relaxed)
    alarm?.ring()
    errno = before
  }

  /// The signal that requested the stop; nil if there was none.
  package static var pending: Int32? {
    let signal = number.load(ordering: .relaxed)
    return signal == 0 ? nil : signal
  }
}
