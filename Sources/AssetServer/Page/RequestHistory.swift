import BAPackKit
import HTTPServer
import SystemIO

/// The last requests and what each device got, for everybody who looks at a page.
///
/// Whoever looks takes what changed since the last time: a slow reader misses the steps in between,
/// and costs no memory. There are at most ``mostRequests`` requests of at most 2 KiB and
/// ``mostDevices`` devices of at most 1 KiB: less than 1 MiB.
final class RequestHistory: Sendable {
  /// A request, and when it changed.
  struct Line: Sendable {
    fileprivate(set) var event: RequestEvent
    let start: ContinuousClock.Instant
    /// The number of the change that made it what it is.
    fileprivate(set) var change: UInt64
  }

  /// What a device got so far.
  struct Device: Sendable, Equatable {
    let address: String
    /// What it calls itself.
    fileprivate(set) var userAgent: String?
    fileprivate(set) var requests = 0
    fileprivate(set) var bytes: UInt64 = 0
    fileprivate(set) var last: Moment
    fileprivate var change: UInt64
  }

  /// Somebody who looks, on a thread of their own.
  final class Watcher: Sendable {
    let bell: Bell

    fileprivate init() throws(Failure) { bell = try Bell() }
  }

  /// What is new for somebody who looked before.
  struct News: Sendable {
    let lines: [Line]
    /// All devices, if one of them changed.
    let devices: [Device]?
    /// What to ask with the next time.
    let change: UInt64
    let isOver: Bool
  }

  static let mostRequests = 200
  static let mostDevices = 256
  private static let longestText = 300

  private let contents = Guarded(Contents())

  /// Takes down that a request begins, goes on or ends.
  func note(_ event: RequestEvent) {
    var event = event
    event.shorten(to: Self.longestText)
    let now = ContinuousClock.now
    ring(contents.with { [event] in $0.note(event, at: now) })
  }

  /// Calls those who look, because something else has changed.
  func notify() { ring(contents.with { $0.call() }) }

  private func ring(_ called: [Watcher]) {
    for watcher in called { watcher.bell.ring() }
  }

  /// What changed after a change; all there is after change 0.
  func news(after seen: UInt64, for watcher: Watcher? = nil) -> News {
    contents.with { $0.news(after: seen, for: watcher) }
  }

  /// Begins to be called; nil when there are too many who look, or nothing more will come.
  func watch(atMost limit: Int) throws(Failure) -> Watcher? {
    let watcher = try Watcher()
    return contents.with { contents in
      guard !contents.isOver, contents.watchers.count < limit else { return nil }
      contents.watchers[ObjectIdentifier(watcher)] = (watcher, false)
      return watcher
    }
  }

  /// Is called no more.
  func leave(_ watcher: Watcher) {
    contents.with { _ = $0.watchers.removeValue(forKey: ObjectIdentifier(watcher)) }
  }

  /// How many look.
  var watcherCount: Int { contents.with { $0.watchers.count } }

  /// Tells everybody who looks that nothing more will come.
  func end() {
    ring(
      contents.with { contents in
        contents.isOver = true
        return contents.call()
      })
  }
}

extension RequestHistory {
  /// The requests, the devices, and those who look.
  private struct Contents {
    private var lines: [UInt64: Line] = [:]
    /// The numbers of the requests as they came.
    private var order: [UInt64] = []
    /// The bytes of requests under way that were counted already.
    private var running: [UInt64: UInt64] = [:]
    private var devices: [String: Device] = [:]
    private var change: UInt64 = 0
    private var deviceChange: UInt64 = 0
    /// Those who look, and whether they know already that there is something new.
    var watchers: [ObjectIdentifier: (watcher: Watcher, isCalled: Bool)] = [:]
    var isOver = false

    private static let mostRunning = 4096

    /// Takes down an event; returns the watchers to call.
    mutating func note(_ event: RequestEvent, at now: ContinuousClock.Instant) -> [Watcher] {
      change += 1
      let start = lines[event.number]?.start
      let counted = running[event.number]
      // A request that was dropped already does not come back.
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
        // What still goes on is worth more than what is over.
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

    /// Returns the watchers to call: those that do not know yet that there is something new.
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
