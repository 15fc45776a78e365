package import Faults
import Synchronization
import SystemIO

/// The faults, latency, rate and offline mode of a server, which can change while it runs.
package final class LiveFaults: Sendable {
  private let state: Guarded<State>
  /// Whether any switch is on; requests read it without waiting for other threads.
  private let isOn: Atomic<Bool>

  private struct State: Sendable {
    var faults: FaultBoard<DownloadEffect>
    var latency: Duration = .zero
    var isOffline = false
    var rate: UInt64?
    var throttles: [String: Throttle] = [:]
    var listeners: [@Sendable () -> Void] = []
  }

  package init(_ faults: [DownloadFault] = []) {
    state = Guarded(State(faults: FaultBoard(faults)))
    isOn = Atomic(!faults.isEmpty)
  }

  /// Changes the switches and updates `isOn`.
  private func change<Success: Sendable, Thrown: Error>(
    _ body: (inout State) throws(Thrown) -> Success
  ) throws(Thrown) -> Success {
    try state.with { (state) throws(Thrown) in
      let result = try body(&state)
      let isOn =
        !state.faults.isEmpty || state.latency > .zero || state.isOffline || state.rate != nil
      self.isOn.store(isOn, ordering: .releasing)
      return result
    }
  }

  /// Returns a value of the switches; nil if no switch is on.
  private func ifOn<Success: Sendable>(_ body: (inout State) -> Success?) -> Success? {
    isOn.load(ordering: .acquiring) ? state.with { body(&$0) } : nil
  }

  /// The delay of every response.
  package var latency: Duration {
    get { ifOn { $0.latency } ?? .zero }
    set { change { $0.latency = newValue } }
  }

  /// Whether the server closes every connection without a response.
  package var isOffline: Bool {
    get { ifOn { $0.isOffline } ?? false }
    set {
      let listeners = change { state in
        defer { state.isOffline = newValue }
        return newValue && !state.isOffline ? state.listeners : []
      }
      // A listener ends responses, and their ends are logged.
      for listener in listeners { listener() }
    }
  }

  /// Adds a function to call after the server goes offline, on the thread that sets ``isOffline``.
  package func reportGoingOffline(to listener: @escaping @Sendable () -> Void) {
    state.with { $0.listeners.append(listener) }
  }

  /// The rate of each device, in bytes per second; nil for no limit.
  package var bytesPerSecond: UInt64? {
    get { state.with { $0.rate } }
    set {
      change { state in
        state.rate = newValue
        state.throttles = [:]
      }
    }
  }

  /// Returns the throttle that all downloads of a device share; nil if there is no limit.
  package func throttle(for device: String) -> Throttle? {
    ifOn { state in
      guard let rate = state.rate else { return nil }
      if let throttle = state.throttles[device] { return throttle }
      if state.throttles.count >= Self.deviceCapacity { state.throttles = [:] }
      let made = Throttle(bytesPerSecond: rate)
      state.throttles[device] = made
      return made
    }
  }

  private static let deviceCapacity = 1024

  /// All switches at one moment.
  package struct Status: Sendable, Equatable {
    package internal(set) var isOffline = false
    package internal(set) var latency = Duration.zero
    package internal(set) var bytesPerSecond: UInt64?
    package internal(set) var faults: [ActiveFault] = []
  }

  /// A fault that is switched on.
  package struct ActiveFault: Sendable, Equatable {
    package let fault: DownloadFault
    /// The number of times that it happened.
    package let count: Int
  }

  /// All switches at this moment.
  package var status: Status {
    state.with { state in
      Status(
        isOffline: state.isOffline, latency: state.latency, bytesPerSecond: state.rate,
        faults: state.faults.strikeCounts.map { ActiveFault(fault: $0.fault, count: $0.count) })
    }
  }

  // MARK: Faults

  /// The faults that are switched on.
  package var faults: [DownloadFault] { ifOn { $0.faults.all } ?? [] }

  /// Makes a change of the faults that a client requests.
  package func apply(_ change: FaultChange<DownloadEffect>) throws(ControlError) {
    try self.change { (state) throws(ControlError) in try state.faults.apply(change) }
  }

  /// Returns the fault to apply to a response whose body has `size` bytes, and counts it.
  ///
  /// Requires a response with a body. The effect `excluded` is ignored, because it would not change
  /// this response.
  package func strike(
    _ target: DownloadFault.Target, for device: String, bodyOf size: UInt64,
    except excluded: DownloadEffect? = nil
  ) -> DownloadFault? {
    ifOn { $0.faults.strike(target, by: device, bodyOf: size, except: excluded) }
  }
}
