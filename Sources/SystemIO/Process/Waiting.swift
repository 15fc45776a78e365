import CSystem
import Glibc

/// A way for one thread to end the waits of others; once it rings, it goes on ringing.
package final class Alarm: Sendable {
  private let event: FileDescriptor

  /// Makes an alarm (`eventfd`).
  package init() throws(Failure) {
    let number = try perform(.event, "an event") {
      eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    }
    event = FileDescriptor(owning: number, path: "an event")
  }

  /// Ends all waits that were given this alarm, those under way and later ones
  /// (`eventfd_write`).
  package func ring() { _ = eventfd_write(event.number, 1) }

  /// The descriptor that becomes readable, for `poll`; it must not be read from.
  package var number: Int32 { event.number }
}

/// What a wait is for.
package enum Readiness: Sendable {
  /// There are bytes to read, or the end was reached.
  case readable
  /// There is room to write, or the reader has gone.
  case writable

  fileprivate var events: Int16 { Int16(self == .readable ? POLLIN : POLLOUT) }
}

/// How a wait ended, if no signal ended it.
package enum Awakening: Sendable {
  case ready
  /// The alarm rang.
  case alarmed
  /// The deadline passed.
  case timedOut
}

/// Waits (`poll`) until the descriptor is ready; it throws ``Failure/Kind/interrupted`` as soon as a
/// signal asks to stop.
///
/// Everything that waits for another process waits here. With a descriptor of -1, only a signal, the
/// alarm or the deadline ends the wait.
/// If another thread hears signals and rings the alarm when all is to end, the wait need not hear them.
package func waitUntil(
  _ readiness: Readiness, _ number: Int32, _ name: @autoclosure () -> String,
  until deadline: ContinuousClock.Instant? = nil, unless alarm: Alarm? = nil,
  hearingSignals hearsSignals: Bool = true
) throws(Failure) -> Awakening {
  while true {
    var polled = (
      pollfd(fd: hearsSignals ? Interrupt.event : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm?.number ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: number, events: readiness.events, revents: 0)
    )
    let count = try perform(.poll, name()) {
      if hearsSignals, Interrupt.pending != nil { return Int32(0) }
      return unsafe withUnsafeMutableBytes(of: &polled) { bytes in
        unsafe poll(
          bytes.baseAddress?.assumingMemoryBound(to: pollfd.self), 3,
          milliseconds(until: deadline))
      }
    }
    if hearsSignals, Interrupt.pending != nil || polled.0.revents != 0 {
      throw Failure(.interrupted, name())
    }
    if polled.1.revents != 0 { return .alarmed }
    if polled.2.revents != 0 { return .ready }
    if count == 0, let deadline, ContinuousClock.now >= deadline { return .timedOut }
  }
}

/// How long `poll` may take at most: rounded up, so that it does not return just before the deadline.
private func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
  guard let deadline else { return -1 }
  let left = deadline - .now
  guard left > .zero else { return 0 }
  let (seconds, attoseconds) = left.components
  guard seconds < 1_000_000 else { return 1_000_000_000 }
  return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
}
