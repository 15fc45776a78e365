import CSystem
import Glibc
import Synchronization

/// The wish to stop that arrives as a signal, kept until the work comes to a place where it can.
///
/// What is half done is then taken back, and ``ProcessState/end(bySignal:)`` ends the process. Work
/// that computes looks at ``pending`` between its steps. A wait ends at once, because every wait also
/// watches ``event``.
package enum Interrupt {
  private static let number = Atomic<Int32>(0)
  private static let alarm = Atomic<Int32>(-1)

  /// From now on the first SIGINT, SIGTERM or SIGHUP (the terminal was closed) is remembered; a
  /// second one ends the process at once.
  ///
  /// A signal that the process was started to ignore stays ignored. System calls are
  /// restarted (`SA_RESTART`), so C libraries never see `EINTR`. What may wait without end waits in
  /// `poll`, which is never restarted.
  package static func install() {
    // Both must exist before a signal can use them.
    number.store(0, ordering: .relaxed)
    resetEvent()
    for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { Interrupt.remember($0) }
      action.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_RESETHAND))
      unsafe sigaction(signal, &action, nil)
    }
  }

  /// Makes the descriptor that a signal makes readable, or resets it.
  private static func resetEvent() {
    var count: eventfd_t = 0
    if event >= 0 {
      _ = unsafe eventfd_read(event, &count)
      return
    }
    let made = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    // Without one, a wait still ends if the signal arrives on the waiting thread.
    guard made >= 0 else { return }
    let isOurs = alarm.compareExchange(expected: -1, desired: made, ordering: .relaxed).exchanged
    if !isOurs { _ = close(made) }
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    // SIG_IGN is the address 1; functions can be compared only by their addresses.
    return unsafe sigaction(signal, nil, &action) == 0
      && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// The signal handler: it must not allocate memory or take a lock.
  private static func remember(_ signal: Int32) {
    let before = errno
    number.store(signal, ordering: .relaxed)
    if event >= 0 { _ = eventfd_write(event, 1) }
    errno = before
  }

  /// The signal that asked to stop; nil if there was none.
  package static var pending: Int32? {
    let signal = number.load(ordering: .relaxed)
    return signal == 0 ? nil : signal
  }

  /// A descriptor that becomes readable when a signal asks to stop; -1 before ``install()``.
  ///
  /// It is for `poll`, also inside a C library that waits by itself. Do not read from it.
  package static var event: Int32 { alarm.load(ordering: .relaxed) }
}
