import CSystem
import Glibc
import Synchronization

/// A way for one thread to end the waits of others; once it rings, it goes on ringing.
package final class Alarm: Sendable {
  private let event: Event
  private let hasRung = Atomic<Bool>(false)

  /// Makes an alarm.
  package init() throws(Failure) { event = try Event() }

  /// Ends all waits that were given this alarm, those under way and later ones
  /// (`eventfd_write`).
  package func ring() {
    hasRung.store(true, ordering: .relaxed)
    event.raise()
  }

  /// Whether the alarm rings, for work that does not wait.
  package var isRinging: Bool { hasRung.load(ordering: .relaxed) }

  /// The descriptor that becomes readable, for `poll`; it must not be read from.
  package var number: Int32 { event.number }
}

extension Alarm {
  /// The alarm of the current task.
  ///
  /// It ends every wait of the current thread, as a signal does. It rings when the task is
  /// cancelled. Threads that the task starts inherit it.
  @TaskLocal package static var ofTask: Alarm?
}

/// A way for any thread to wake one that waits, again and again.
package final class Bell: Sendable {
  private let event: Event

  /// Makes a bell.
  package init() throws(Failure) { event = try Event() }

  /// Ends the wait that is under way, or the next one (`eventfd_write`); rung again before somebody
  /// waits, it is as if it had rung once.
  package func ring() { event.raise() }

  /// Waits until it rings (`poll`, `eventfd_read`); false at the deadline.
  ///
  /// It throws ``Failure/Kind/interrupted`` when the alarm rings; signals are for other threads.
  package func wait(
    until deadline: ContinuousClock.Instant?, unless alarm: Alarm?,
    _ name: @autoclosure () -> String
  ) throws(Failure) -> Bool {
    let awakening = try waitUntil(
      .readable, event.number, name(), until: deadline, unless: alarm, hearingSignals: false)
    switch awakening {
    case .ready:
      var count: eventfd_t = 0
      _ = unsafe eventfd_read(event.number, &count)
      return true
    case .timedOut: return false
    case .alarmed: throw Failure(.interrupted, name())
    }
  }
}

/// A descriptor that a thread makes readable to wake another one (`eventfd`).
private struct Event: ~Copyable {
  let number: Int32

  init() throws(Failure) {
    number = try perform(.event, "an event") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
  }

  deinit { _ = close(number) }

  /// Makes the descriptor readable (`eventfd_write`).
  func raise() {
    GuardedSection.checkThatWaitingIsAllowed()
    _ = eventfd_write(number, 1)
  }
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

/// Waits (`poll`) until the descriptor is ready.
///
/// Throws ``Failure/Kind/interrupted`` as soon as a signal requests a stop, or the task of this
/// thread is cancelled (``Alarm/ofTask``).
///
/// Everything that waits for another process waits here. With a descriptor of -1, only a signal, the
/// alarm or the deadline ends the wait.
/// If another thread hears signals and rings the alarm when all is to end, the wait need not hear them.
package func waitUntil(
  _ readiness: Readiness, _ number: Int32, _ name: @autoclosure () -> String,
  until deadline: ContinuousClock.Instant? = nil, unless alarm: Alarm? = nil,
  hearingSignals hearsSignals: Bool = true
) throws(Failure) -> Awakening {
  let ofTask = hearsSignals ? Alarm.ofTask : nil
  while true {
    var polled = (
      pollfd(fd: hearsSignals ? Interrupt.event : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm?.number ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: number, events: readiness.events, revents: 0),
      pollfd(fd: ofTask?.number ?? -1, events: Int16(POLLIN), revents: 0)
    )
    let count = try perform(.poll, name()) {
      if hearsSignals, Interrupt.pending != nil { return Int32(0) }
      return unsafe withUnsafeMutableBytes(of: &polled) { bytes in
        unsafe poll(
          bytes.baseAddress?.assumingMemoryBound(to: pollfd.self), 4,
          milliseconds(until: deadline))
      }
    }
    if polled.3.revents != 0 { throw Failure(.interrupted, name()) }
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
  let milliseconds = min(left, .seconds(1_000_000)).wholeMilliseconds
  return Int32(Duration.milliseconds(milliseconds) < left ? milliseconds + 1 : milliseconds)
}
