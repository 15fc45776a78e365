import SystemIO

/// Writes on a thread of its own what threads that must not wait have to say: an output that accepts
/// nothing, such as a paused terminal or a full pipe, delays none of them.
///
/// At most ``capacity`` entries wait, and as many are being written: an entry holds a request, of which the
/// head has at most 16 KiB. While the output is only slower than they are, other threads wait for room.
/// When it accepts nothing for ``patience``, entries are dropped, and counted, until it accepts something
/// again.
final class LogQueue: @unchecked Sendable {
  typealias Entry = @Sendable () -> Void

  private static let capacity = 1024
  private static let patience = Duration.milliseconds(100)
  /// Many entries at once cost less than one after another.
  private static let shortestPause = Duration.milliseconds(10)

  /// Guards the properties below.
  private let lock = Lock()
  private var waiting: [Entry] = []
  private var dropped = 0
  private var isStuck = false
  private var isEnding = false
  private var isAsleep = false

  private let news: Bell
  private let room: Bell
  private let ended: Alarm

  /// Begins to write; `finish` is called behind several entries, with the number of those that were dropped
  /// behind them.
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

  /// Waits for entries; nil when there will be none.
  private func next() -> (entries: [Entry], dropped: Int)? {
    // Between two writes others come together, unless there are many already.
    _ = try? news.wait(until: .now + Self.shortestPause, unless: nil, "")
    while true {
      let (entries, dropped, isEnding) = lock.with {
        defer { (waiting, self.dropped, isStuck) = ([], 0, false) }
        isAsleep = waiting.isEmpty
        return (waiting, self.dropped, self.isEnding)
      }
      if !entries.isEmpty || dropped > 0 {
        room.ring()
        return (entries, dropped)
      }
      if isEnding { return nil }
      _ = try? news.wait(until: nil, unless: nil, "")
    }
  }

  /// Adds an entry, or counts it as dropped.
  func add(_ entry: @escaping @Sendable () -> Void) {
    var deadline: ContinuousClock.Instant?
    while !isAdded(entry, isLast: deadline.map { .now >= $0 } ?? false) {
      let end = deadline ?? .now + Self.patience
      deadline = end
      _ = try? room.wait(until: end, unless: nil, "")
    }
    // Others may wait for the same room.
    if deadline != nil { room.ring() }
  }

  /// Adds an entry if there is room, or drops it if there is none for too long; else false.
  private func isAdded(_ entry: @escaping Entry, isLast: Bool) -> Bool {
    let (isDone, isCalled) = lock.with {
      guard waiting.count < Self.capacity else {
        if isLast { isStuck = true }
        if isStuck { dropped += 1 }
        return (isStuck, false)
      }
      waiting.append(entry)
      defer { isAsleep = false }
      return (true, isAsleep || waiting.count == Self.capacity / 2)
    }
    if isCalled { news.ring() }
    return isDone
  }

  /// Waits until all that was added is written; false if that is not so in time.
  func flush(within time: Duration) -> Bool {
    guard let isWritten = try? Alarm() else { return false }
    add { isWritten.ring() }
    return Self.waits(for: isWritten, time)
  }

  /// Ends when all that was added is written; false if that is not so in time.
  ///
  /// Then a write is under way that may last forever.
  func end(within time: Duration) -> Bool {
    lock.with { isEnding = true }
    news.ring()
    return Self.waits(for: ended, time)
  }

  private static func waits(for alarm: Alarm, _ time: Duration) -> Bool {
    let awakening = try? waitUntil(
      .readable, alarm.number, "", until: .now + time, hearingSignals: false)
    return awakening == .ready
  }
}
