import CSystem
import Glibc
import Synchronization

/// An alarm with which one thread ends the waits of others; it is never reset.
package final class Alarm: Sendable {
  private let event: EventDescriptor
  private let hasRung = Atomic<Bool>(false)

  package init() throws(Failure) { event = try EventDescriptor() }

  /// Ends all current and later waits with this alarm (`eventfd_write`).
  package func ring() {
    hasRung.store(true, ordering: .relaxed)
    event.raise()
  }

  /// Whether the alarm has rung, for code that does not wait.
  package var isRinging: Bool { hasRung.load(ordering: .relaxed) }

  /// The descriptor that becomes readable, for `poll`; it must not be read from.
  package var number: Int32 { event.number }
}

/// A signal with which any thread wakes a waiting thread; it can be used repeatedly.
package final class Bell: Sendable {
  private let event: EventDescriptor

  package init() throws(Failure) { event = try EventDescriptor() }

  /// Ends the current wait, or the next one (`eventfd_write`).
  ///
  /// Several calls before a wait count as one.
  package func ring() { event.raise() }

  /// Waits until the bell rings (`poll`, `eventfd_read`); returns false at the deadline.
  package func wait(
    until deadline: ContinuousClock.Instant?, _ name: @autoclosure () -> String, _ work: Work
  ) throws(Failure) -> Bool {
    guard try waitUntil(.readable, event.number, name(), until: deadline, work) else {
      return false
    }
    var count: eventfd_t = 0
    _ = unsafe eventfd_read(event.number, &count)
    return true
  }
}

/// A descriptor that a thread makes readable to wake another one (`eventfd`).
private struct EventDescriptor: ~Copyable {
  let number: Int32

  init() throws(Failure) {
    number = try perform(.event, "an event") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
  }

  deinit {
    GuardedSection.checkThatWaitingIsAllowed()
    _ = close(number)
  }

  /// Makes the descriptor readable (`eventfd_write`).
  func raise() {
    GuardedSection.checkThatWaitingIsAllowed()
    _ = eventfd_write(number, 1)
  }
}

/// The condition that a wait waits for.
package enum Readiness: Sendable {
  /// There are bytes to read, or the end was reached.
  case readable
  /// There is room to write, or the reader has closed its end.
  case writable

  fileprivate var events: Int16 { Int16(self == .readable ? POLLIN : POLLOUT) }
}

/// Waits (`poll`) until the descriptor is ready; returns false when the deadline passes first.
///
/// Throws ``Failure/Kind/interrupted`` as soon as the operation must stop. All waits for other
/// processes use this function. With a descriptor of -1, only the deadline or the operation ends
/// the wait.
package func waitUntil(
  _ readiness: Readiness, _ number: Int32, _ name: @autoclosure () -> String,
  until deadline: ContinuousClock.Instant? = nil, _ work: Work
) throws(Failure) -> Bool {
  while true {
    var polled = (
      pollfd(fd: work.stop?.number ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: number, events: readiness.events, revents: 0)
    )
    let count = try perform(.poll, name()) {
      unsafe withUnsafeMutableBytes(of: &polled) { bytes in
        unsafe poll(
          bytes.baseAddress?.assumingMemoryBound(to: pollfd.self), 2,
          milliseconds(until: deadline))
      }
    }
    if polled.0.revents != 0 { throw Failure(.interrupted, name()) }
    if polled.1.revents != 0 { return true }
    if count == 0, let deadline, ContinuousClock.now >= deadline { return false }
  }
}

/// Returns the timeout of `poll`, rounded up, so that it does not return just before the deadline.
private func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
  guard let deadline else { return -1 }
  let left = deadline - .now
  guard left > .zero else { return 0 }
  let milliseconds = min(left, .seconds(1_000_000)).wholeMilliseconds
  return Int32(Duration.milliseconds(milliseconds) < left ? milliseconds + 1 : milliseconds)
}
