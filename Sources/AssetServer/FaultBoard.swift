import SystemIO

/// The faults that are switched on, and how often they happened to whom.
package final class FaultBoard: @unchecked Sendable {
  private let lock = Lock()
  private var faults: [Fault] = []
  private var latencyValue: Duration = .zero
  private var isOfflineValue = false
  private var rate: UInt64?
  private var throttles: [String: Throttle] = [:]
  private var counts: [Occurrence: Int] = [:]

  private struct Occurrence: Hashable {
    let fault: String
    let device: String
    let target: Fault.Target
  }

  package init(_ faults: [Fault] = []) { self.faults = faults }

  /// How long every answer takes to begin.
  package var latency: Duration {
    get { lock.with { latencyValue } }
    set { lock.with { latencyValue = newValue } }
  }

  /// Whether nothing is answered.
  package var isOffline: Bool {
    get { lock.with { isOfflineValue } }
    set { lock.with { isOfflineValue = newValue } }
  }

  /// How many bytes a second each device gets; nil for as many as there are.
  package var bytesPerSecond: UInt64? {
    get { lock.with { rate } }
    set {
      lock.with {
        rate = newValue
        throttles = [:]
      }
    }
  }

  /// What all downloads of a device share.
  package func throttle(for device: String) -> Throttle? {
    lock.with {
      guard let rate else { return nil }
      if let throttle = throttles[device] { return throttle }
      if throttles.count >= Self.mostDevices { throttles = [:] }
      let made = Throttle(bytesPerSecond: rate)
      throttles[device] = made
      return made
    }
  }

  /// The faults that are switched on.
  package var all: [Fault] { lock.with { faults } }

  /// Switches a fault on; it begins to count anew.
  package func add(_ fault: Fault) {
    lock.with {
      faults.removeAll { $0.description == fault.description }
      faults.append(fault)
      counts = counts.filter { $0.key.fault != fault.description }
    }
  }

  /// Switches a fault off; says whether it was on.
  package func remove(_ fault: Fault) -> Bool {
    lock.with {
      let count = faults.count
      faults.removeAll { $0.description == fault.description }
      return faults.count < count
    }
  }

  /// The fault that happens to this request; it counts as having happened.
  package func strike(_ target: Fault.Target, for device: String) -> Fault? {
    lock.with {
      for fault in faults where fault.concerns(target) {
        guard let times = fault.times else { return fault }
        let key = Occurrence(fault: fault.description, device: device, target: target)
        let count = counts[key] ?? 0
        guard count < times else { continue }
        // Whoever makes up addresses cannot fill the memory.
        if counts.count >= Self.mostCounts { counts = [:] }
        counts[key] = count + 1
        return fault
      }
      return nil
    }
  }

  private static let mostDevices = 1024
  private static let mostCounts = 65_536
}
