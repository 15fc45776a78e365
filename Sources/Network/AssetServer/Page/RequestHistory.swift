import BAPackKit
import HTTPServer
import SystemIO

/// The last requests, and the totals of each device, for the open pages.
///
/// Each reader fetches the changes since its last read. A slow reader misses the states between two
/// reads, and requires no memory. There are at most ``mostRequests`` requests of at most 2 KiB and
/// ``mostDevices`` devices of at most 1 KiB: less than 1 MiB.
final class RequestHistory: Sendable {
  /// A request with the number of its last change.
  struct Line: Sendable {
    fileprivate(set) var event: RequestEvent
    let start: ContinuousClock.Instant
    /// The number of the change that produced this state.
    fileprivate(set) var change: UInt64
  }

  /// The totals of one device.
  struct Device: Sendable, Equatable {
    let address: String
    /// The last `User-Agent` of the device.
    fileprivate(set) var userAgent: String?
    fileprivate(set) var requests = 0
    fileprivate(set) var bytes: UInt64 = 0
    fileprivate(set) var last: Moment
    fileprivate var change: UInt64
  }

  /// A reader of the history, with its own thread.
  final class Watcher: Sendable {
    let bell: Bell

    fileprivate init() throws(Failure) { bell = try Bell() }
  }

  /// The changes since the last read.
  struct News: Sendable {
    let lines: [Line]
    /// All devices, if one of them changed.
    let devices: [Device]?
    /// The argument `seen` for the next read.
    let change: UInt64
    let isOver: Bool
  }

  static let mostRequests = 200
  static let mostDevices = 256
  private static let longestText = 300

  private let contents = Guarded(Contents())

  /// Records that a request begins, progresses or ends.
  func note(_ event: RequestEvent) {
    var event = event
    event.shorten(to: Self.longestText)
    let now = ContinuousClock.now
    ring(contents.with { [event] in $0.note(event, at: now) })
  }

  /// Wakes the readers, because other parts of the state have changed.
  func notify() { ring(contents.with { $0.call() }) }

  private func ring(_ called: [Watcher]) {
    for watcher in called { watcher.bell.ring() }
  }

  /// Returns the changes after the change `seen`; 0 returns the complete history.
  func news(after seen: UInt64, for watcher: Watcher? = nil) -> News {
    contents.with { $0.news(after: seen, for: watcher) }
  }

  /// Adds a reader; returns nil if there are too many readers or the history has ended.
  func watch(atMost limit: Int) throws(Failure) -> Watcher? {
    let watcher = try Watcher()
    return contents.with { contents in
      guard !contents.isOver, contents.watchers.count < limit else { return nil }
      contents.watchers[ObjectIdentifier(watcher)] = (watcher, false)
      return watcher
    }
  }

  /// Removes a reader.
  func leave(_ watcher: Watcher) {
    contents.with { _ = $0.watchers.removeValue(forKey: ObjectIdentifier(watcher)) }
  }

  /// The number of readers.
  var watcherCount: Int { contents.with { $0.watchers.count } }

  /// Wakes all readers for the last time.
  func end() {
    ring(
      contents.with { contents in
        contents.isOver = true
        return contents.call()
      })
  }
}

extension RequestHistory {
  /// The requests, the devices and the readers.
  private struct Contents {
    /// A ring of requests in order of arrival.
    private var lines: [Line] = []
    /// The index of the oldest request.
    private var oldest = 0
    /// The bytes of requests in progress that are already counted.
    private var running: [UInt64: UInt64] = [:]
    private var devices: [Device] = []
    /// The index of the device that sent the last request.
    private var latest = 0
    private var change: UInt64 = 0
    private var deviceChange: UInt64 = 0
    /// The readers, and whether each was called since its last read.
    var watchers: [ObjectIdentifier: (watcher: Watcher, isCalled: Bool)] = [:]
    var isOver = false

    private static let mostRunning = 4096

    /// Records an event; returns the readers to call.
    mutating func note(_ event: RequestEvent, at now: ContinuousClock.Instant) -> [Watcher] {
      change += 1
      let counted = running.isEmpty ? nil : running[event.number]
      // Most requests are recorded only once, when they end.
      let place =
        counted != nil || event.hasBegun
        ? lines.firstIndex { $0.event.number == event.number } : nil
      if let place {
        lines[place] = Line(event: event, start: lines[place].start, change: change)
      } else if counted == nil {
        add(Line(event: event, start: now, change: change))
      }
      // A request that was removed is not added again.
      if event.outcome == nil {
        if running.count >= Self.mostRunning { running = [:] }
        running[event.number] = event.sent
      } else if counted != nil {
        running[event.number] = nil
      }
      count(event, after: counted)
      return call()
    }

    /// The index of a request by its age; 0 is the oldest one.
    private func place(_ age: Int) -> Int { (oldest + age) % lines.count }

    private mutating func add(_ line: Line) {
      guard lines.count == RequestHistory.mostRequests else { return lines.append(line) }
      // Requests in progress are kept before ended ones.
      let removed = lines.indices.first { lines[place($0)].event.outcome != nil } ?? 0
      for age in stride(from: removed, to: 0, by: -1) { lines[place(age)] = lines[place(age - 1)] }
      lines[oldest] = line
      oldest = place(1)
    }

    /// Returns the index of a device, which replaces the one without requests for the longest time
    /// if there are too many.
    private mutating func place(of event: RequestEvent) -> Int {
      if latest < devices.count, devices[latest].address == event.device { return latest }
      if let known = devices.firstIndex(where: { $0.address == event.device }) { return known }
      let device = Device(address: event.device, last: event.time, change: change)
      if devices.count >= RequestHistory.mostDevices,
        let idle = devices.indices.min(by: { devices[$0].last < devices[$1].last })
      {
        devices[idle] = device
        return idle
      }
      devices.append(device)
      return devices.count - 1
    }

    private mutating func count(_ event: RequestEvent, after counted: UInt64?) {
      latest = place(of: event)
      switch event.problem {
      case nil, .refused: if counted == nil { devices[latest].requests += 1 }
      // A client that fails during the TLS handshake has not sent a request.
      case .distrust, .handshake: break
      }
      devices[latest].bytes += event.sent - min(counted ?? 0, event.sent)
      if let userAgent = event.userAgent { devices[latest].userAgent = userAgent }
      devices[latest].last = max(devices[latest].last, event.time)
      devices[latest].change = change
      deviceChange = change
    }

    /// Returns the readers that were not called since their last read.
    mutating func call() -> [Watcher] {
      var called: [Watcher] = []
      for (key, entry) in watchers where !entry.isCalled {
        watchers[key]?.isCalled = true
        called.append(entry.watcher)
      }
      return called
    }

    mutating func news(after seen: UInt64, for watcher: Watcher?) -> News {
      if let watcher { watchers[ObjectIdentifier(watcher)]?.isCalled = false }
      return News(
        lines: lines.indices.map { lines[place($0)] }.filter { $0.change > seen },
        devices: deviceChange > seen || seen == 0
          ? devices.sorted { ($1.last, $0.address) < ($0.last, $1.address) } : nil,
        change: change, isOver: isOver)
    }
  }
}
