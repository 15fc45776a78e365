import SystemIO

/// A queue of log entries that a separate thread writes, so that a blocked output, such as a paused
/// terminal or a full pipe, does not block the threads that add entries.
///
/// At most ``capacity`` entries are queued, and at most as many are being written. An entry
/// contains a request head of at most 16 KiB. If the output is slow, other threads wait for free
/// capacity. If it is blocked for ``patience``, entries are dropped and counted until it accepts
/// data again.
final class LogQueue: Sendable {
  typealias Entry = @Sendable () -> Void

  private static let capacity = 1024
  private static let patience = Duration.milliseconds(100)
  /// The pause before a write, in which more entries arrive: one large write is faster than many
  /// small ones.
  private static let shortestPause = Duration.milliseconds(10)

  private struct State {
    var waiting: [Entry] = []
    var dropped = 0
    var isStuck = false
    var isEnding = false
    var isAsleep = false
  }

  private let state = Guarded(State())
  private let news: Bell
  private let room: Bell
  private let ended: Alarm

  /// Starts the thread.
  ///
  /// The thread calls `finish` after each group of entries, with the number of entries that were
  /// dropped after the group.
  init(_ finish: @escaping @Sendable (_ dropped: Int) -> Void) throws(Failure) {
    (news, room, ended) = (try Bell(), try Bell(), try Alarm())
    try WorkerThreads.startAlone { [self] in
      while let (entries, dropped) = next() {
        for entry in entries { entry() }
        finish(dropped)
      }
      ended.ring()
    }
  }

  /// Waits for entries; returns nil when the queue has ended.
  private func next() -> (entries: [Entry], dropped: Int)? {
    // More entries arrive during this pause, unless there are many already.
    _ = try? news.wait(until: .now + Self.shortestPause, "", .unstoppable)
    while true {
      let (entries, dropped, isEnding) = state.with { state in
        let before = state
        state = State(isEnding: before.isEnding, isAsleep: before.waiting.isEmpty)
        return (before.waiting, before.dropped, before.isEnding)
      }
      if !entries.isEmpty || dropped > 0 {
        room.ring()
        return (entries, dropped)
      }
      if isEnding { return nil }
      _ = try? news.wait(until: nil, "", .unstoppable)
    }
  }

  /// Adds an entry, or counts it as dropped.
  func add(_ entry: @escaping @Sendable () -> Void) {
    var deadline: ContinuousClock.Instant?
    while !isAdded(entry, isLast: deadline.map { .now >= $0 } ?? false) {
      let end = deadline ?? .now + Self.patience
      deadline = end
      _ = try? room.wait(until: end, "", .unstoppable)
    }
    // Other threads may wait for the same capacity.
    if deadline != nil { room.ring() }
  }

  /// Adds an entry if there is capacity, or drops it if the output is blocked; returns false
  /// otherwise.
  private func isAdded(_ entry: @escaping Entry, isLast: Bool) -> Bool {
    let (isDone, isCalled) = state.with { state in
      guard state.waiting.count < Self.capacity else {
        if isLast { state.isStuck = true }
        if state.isStuck { state.dropped += 1 }
        return (state.isStuck, false)
      }
      state.waiting.append(entry)
      defer { state.isAsleep = false }
      return (true, state.isAsleep || state.waiting.count == Self.capacity / 2)
    }
    if isCalled { news.ring() }
    return isDone
  }

  /// Waits until all added entries are written; returns false after the time limit.
  func flush(within time: Duration) -> Bool {
    guard let isWritten = try? Alarm() else { return false }
    add { isWritten.ring() }
    return Self.waits(for: isWritten, time)
  }

  /// Ends the queue after all added entries are written; returns false after the time limit.
  ///
  /// In that case, a write may be blocked forever.
  func end(within time: Duration) -> Bool {
    state.with { $0.isEnding = true }
    news.ring()
    return Self.waits(for: ended, time)
  }

  private static func waits(for alarm: Alarm, _ time: Duration) -> Bool {
    (try? waitUntil(.readable, alarm.number, "", until: .now + time, .unstoppable)) == true
  }
}
