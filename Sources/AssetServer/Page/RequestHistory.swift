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
    private var lines: [UInt64: Line] = [:]
    /// The numbers of the requests in order of arrival.
    private var order: [UInt64] = []
    /// The bytes of requests in progress that are already counted.
    private var running: [UInt64: UInt64] = [:]
    private var devices: [String: Device] = [:]
    private var change: UInt64 = 0
    private var deviceChange: UInt64 = 0
    /// The readers, and whether each was called since its last read.
    var watchers: [ObjectIdentifier: (watcher: Watcher, isCalled: Bool)] = [:]
    var isOver = false

    private static let mostRunning = 4096

    /// Records an event; returns the readers to call.
    mutating func note(_ event: RequestEvent, at now: ContinuousClock.Instant) -> [Watcher] {
      change += 1
      let start = lines[event.number]?.start
      let counted = running[event.number]
      // A request that was removed is not added again.
      if start != nil || counted == nil {
        if start == nil { makeRoom(for: event.number) }
        lines[event.number] = Line(event: event, start: start ?? now, change: change)
      }
      if running.count >= Self.mostRunning { running = [:] }
      running[event.number] = event.outcome == nil ? event.sent : nil
      count(event, after: counted)
      return call()
    }

    private mutating func makeRoom(for number: UInt64) {
      if order.count >= RequestHistory.mostRequests {
        // Requests in progress are kept before ended ones.
        let index = order.firstIndex { running[$0] == nil } ?? 0
        lines[order.remove(at: index)] = nil
      }
      order.append(number)
    }

    private mutating func count(_ event: RequestEvent, after counted: UInt64?) {
      if devices[event.device] == nil, devices.count >= RequestHistory.mostDevices,
        let oldest = devices.values.min(by: { $0.last < $1.last })
      {
        devices[oldest.address] = nil
      }
      var device =
        devices[event.device] ?? Device(address: event.device, last: event.time, change: change)
      switch event.problem {
      case nil, .refused: if counted == nil { device.requests += 1 }
      // A client that fails during the TLS handshake has not sent a request.
      case .distrust, .handshake: break
      }
      device.bytes += event.sent - min(counted ?? 0, event.sent)
      if let userAgent = event.userAgent { device.userAgent = userAgent }
      device.last = max(device.last, event.time)
      device.change = change
      devices[event.device] = device
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
        lines: order.compactMap { lines[$0] }.filter { $0.change > seen },
        devices: deviceChange > seen || seen == 0
          ? devices.values.sorted { ($1.last, $0.address) < ($0.last, $1.address) } : nil,
        change: change, isOver: isOver)
    }
  }
}
