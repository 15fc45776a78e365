import Synchronization
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
  /// How often each fault happened, to whomever.
  private var acted: [String: Int] = [:]
  private var listeners: [@Sendable () -> Void] = []
  /// Whether any switch is on; requests read it without the lock.
  private let isOn = Atomic<Bool>(false)

  /// Changes the switches and updates `isOn`.
  private func changing<Success>(_ body: () -> Success) -> Success {
    lock.with {
      defer {
        let isOn = !faults.isEmpty || latencyValue > .zero || isOfflineValue || rate != nil
        self.isOn.store(isOn, ordering: .releasing)
      }
      return body()
    }
  }

  private struct Occurrence: Hashable {
    let fault: String
    let device: String
    let target: Fault.Target
  }

  package init(_ faults: [Fault] = []) {
    self.faults = faults
    isOn.store(!faults.isEmpty, ordering: .relaxed)
  }

  /// How long every answer takes to begin.
  package var latency: Duration {
    get { isOn.load(ordering: .acquiring) ? lock.with { latencyValue } : .zero }
    set { changing { latencyValue = newValue } }
  }

  /// Whether nothing is answered.
  package var isOffline: Bool {
    get { isOn.load(ordering: .acquiring) && lock.with { isOfflineValue } }
    set {
      let listeners = changing {
        defer { isOfflineValue = newValue }
        return newValue && !isOfflineValue ? self.listeners : []
      }
      // Called without the lock: a listener ends responses, and their ends are logged.
      for listener in listeners { listener() }
    }
  }

  /// Adds a function to call after the server goes offline, on the thread that sets ``isOffline``.
  package func tellOfGoingOffline(_ listener: @escaping @Sendable () -> Void) {
    lock.with { listeners.append(listener) }
  }

  /// How many bytes a second each device gets; nil for as many as there are.
  package var bytesPerSecond: UInt64? {
    get { lock.with { rate } }
    set {
      changing {
        rate = newValue
        throttles = [:]
      }
    }
  }

  /// What all downloads of a device share.
  package func throttle(for device: String) -> Throttle? {
    guard isOn.load(ordering: .acquiring) else { return nil }
    return lock.with {
      guard let rate else { return nil }
      if let throttle = throttles[device] { return throttle }
      if throttles.count >= Self.mostDevices { throttles = [:] }
      let made = Throttle(bytesPerSecond: rate)
      throttles[device] = made
      return made
    }
  }

  /// The faults that are switched on.
  package var all: [Fault] { isOn.load(ordering: .acquiring) ? lock.with { faults } : [] }

  /// What is switched on, all as it was at one moment.
  package struct Status: Sendable, Equatable {
    package let isOffline: Bool
    package let latency: Duration
    package let bytesPerSecond: UInt64?
    package let faults: [Active]

    /// A fault that is switched on.
    package struct Active: Sendable, Equatable {
      package let fault: Fault
      /// How often it happened, to whomever.
      package let count: Int
    }
  }

  /// What is switched on.
  package var status: Status {
    lock.with {
      Status(
        isOffline: isOfflineValue, latency: latencyValue, bytesPerSecond: rate,
        faults: faults.map { .init(fault: $0, count: acted[$0.description] ?? 0) })
    }
  }

  /// Switches a fault on; it begins to count anew.
  ///
  /// False if there are as many as there may be.
  @discardableResult
  package func add(_ fault: Fault) -> Bool {
    changing {
      let name = fault.description
      let others = faults.filter { $0.description != name }
      guard others.count < Self.mostFaults else { return false }
      faults = others + [fault]
      forget { $0 == name }
      return true
    }
  }

  /// Switches all faults off.
  package func removeAll() {
    changing {
      faults = []
      forget { _ in true }
    }
  }

  private func forget(_ isMeant: (String) -> Bool) {
    counts = counts.filter { !isMeant($0.key.fault) }
    acted = acted.filter { !isMeant($0.key) }
  }

  /// Switches a fault off; says whether it was on.
  package func remove(_ fault: Fault) -> Bool {
    changing {
      let count = faults.count
      faults.removeAll { $0.description == fault.description }
      forget { $0 == fault.description }
      return faults.count < count
    }
  }

  /// Returns the fault to apply to a response whose body has `size` bytes, and counts it.
  ///
  /// Call it only for responses that have a body. Faults of the kind `excluded` are ignored,
  /// because they would not change this response.
  package func strike(
    _ target: Fault.Target, for device: String, bodyOf size: UInt64,
    except excluded: Fault.Kind? = nil
  ) -> Fault? {
    guard isOn.load(ordering: .acquiring) else { return nil }
    return lock.with {
      for fault in faults
      where fault.kind != excluded && fault.concerns(target)
        && fault.kind.happens(toBodyOf: size)
      {
        let name = fault.description
        if let times = fault.times {
          let key = Occurrence(fault: name, device: device, target: target)
          let count = counts[key] ?? 0
          guard count < times else { continue }
          // Whoever makes up addresses cannot fill the memory.
          if counts.count >= Self.mostCounts { counts = [:] }
          counts[key] = count + 1
        }
        acted[name, default: 0] += 1
        return fault
      }
      return nil
    }
  }

  /// A program that adds faults and never takes one away must not slow every request down.
  package static let mostFaults = 200
  private static let mostDevices = 1024
  private static let mostCounts = 65_536
}
