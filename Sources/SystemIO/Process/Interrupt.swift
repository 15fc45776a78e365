import Glibc
import Synchronization

/// The wish to stop that arrives as a signal, kept until the work comes to a place where it can.
///
/// What is half done is then taken back, and ``ProcessState/end(bySignal:)`` ends the process.
package enum Interrupt {
  private static let number = Atomic<Int32>(0)

  /// From now on the first SIGINT, SIGTERM or SIGHUP (the terminal was closed) is remembered; a
  /// second one ends the process at once.
  ///
  /// A signal that the process was started to ignore stays ignored.
  package static func install() {
    // The atomic exists before a signal can ask for it.
    number.store(0, ordering: .relaxed)
    for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { Interrupt.remember($0) }
      action.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_RESETHAND))
      unsafe sigaction(signal, &action, nil)
    }
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    // SIG_IGN is the address 1; functions can be compared only by theirs.
    return unsafe sigaction(signal, nil, &action) == 0
      && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private static func remember(_ signal: Int32) {
    number.store(signal, ordering: .relaxed)
  }

  /// The signal that asked to stop; nil while none has.
  package static var pending: Int32? {
    let signal = number.load(ordering: .relaxed)
    return signal == 0 ? nil : signal
  }
}
