import CSystem
import Glibc

/// Something that one thread rings and that others hear while they wait; once rung, it rings for ever.
package final class Alarm: Sendable {
  private let event: FileDescriptor

  /// `eventfd`.
  package init() throws(Failure) {
    let number = try perform(.event, "an event") {
      eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    }
    event = FileDescriptor(owning: number, path: "an event")
  }

  /// Ends all waits that listen for it, those under way and those to come.
  package func ring() { _ = eventfd_write(event.number, 1) }

  /// For `poll`, also for that of a library that waits by itself: nobody reads it.
  package var number: Int32 { event.number }
}

/// What a wait is for.
package enum Readiness: Sendable {
  /// There is something to read, or nothing more will come.
  case readable
  /// There is room to write, or nobody takes it any more.
  case writable

  fileprivate var events: Int16 { Int16(self == .readable ? POLLIN : POLLOUT) }
}

/// How a wait ended, when no signal ended it.
package enum Awakening: Sendable {
  case ready
  /// Somebody rang the alarm.
  case alarmed
  /// The time was over.
  case timedOut
}

/// Waits (`poll`) until the descriptor is ready; it throws ``Failure/Kind/interrupted`` as soon as a
/// signal asks to stop.
///
/// This is the one way in which anything waits for what may never come. A descriptor of -1 waits for
/// the other endings alone.
package func waitUntil(
  _ readiness: Readiness, _ number: Int32, _ name: @autoclosure () -> String,
  until deadline: ContinuousClock.Instant? = nil, unless alarm: Alarm? = nil
) throws(Failure) -> Awakening {
  while true {
    var polled = (
      pollfd(fd: Interrupt.event, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm?.number ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: number, events: readiness.events, revents: 0)
    )
    let count = try perform(.poll, name()) {
      if Interrupt.pending != nil { return Int32(0) }
      return unsafe withUnsafeMutableBytes(of: &polled) { bytes in
        unsafe poll(
          bytes.baseAddress?.assumingMemoryBound(to: pollfd.self), 3,
          milliseconds(until: deadline))
      }
    }
    if Interrupt.pending != nil || polled.0.revents != 0 { throw Failure(.interrupted, name()) }
    if polled.1.revents != 0 { return .alarmed }
    if polled.2.revents != 0 { return .ready }
    if count == 0, let deadline, ContinuousClock.now >= deadline { return .timedOut }
  }
}

/// How long `poll` may take at most: rounded up, so that it never asks again and again for nothing.
private func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
  guard let deadline else { return -1 }
  let left = deadline - .now
  guard left > .zero else { return 0 }
  let (seconds, attoseconds) = left.components
  guard seconds < 1_000_000 else { return 1_000_000_000 }
  return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
}
