import Synchronization
import SystemIO

/// The faults that are switched on, and how often they happened to whom.
package final class FaultBoard: Sendable {
  private let contents: Guarded<Contents>
  /// Whether any switch is on; requests read it without the lock.
  private let isOn: Atomic<Bool>

  private struct Contents {
    var faults: [Fault]
    var latency: Duration = .zero
    var isOffline = false
    var rate: UInt64?
    var throttles: [String: Throttle] = [:]
    var counts: [Occurrence: Int] = [:]
    /// How often each fault happened, to whomever.
    var acted: [String: Int] = [:]
    var listeners: [@Sendable () -> Void] = []

    var isOn: Bool { !faults.isEmpty || latency > .zero || isOffline || rate != nil }

    mutating func forget(_ isMeant: (String) -> Bool) {
      counts = counts.filter { !isMeant($0.key.fault) }
      acted = acted.filter { !isMeant($0.key) }
    }
  }

  /// Changes the switches and updates `isOn`.
  private func changing<Success: Sendable>(_ body: (inout Contents) -> Success) -> Success {
    contents.with { contents in
      let result = body(&contents)
      isOn.store(contents.isOn, ordering: .releasing)
      return result
    }
  }

  private struct Occurrence: Hashable {
    let fault: String
    let device: String
    let target: Fault.Target
  }

  package init(_ faults: [Fault] = []) {
    contents = Guarded(Contents(faults: faults))
    isOn = Atomic(!faults.isEmpty)
  }

  /// How long every answer takes to begin.
  package var latency: Duration {
    get { isOn.load(ordering: .acquiring) ? contents.with { $0.latency } : .zero }
    set { changing { $0.latency = newValue } }
  }

  /// Whether nothing is answered.
  package var isOffline: Bool {
    get { isOn.load(ordering: .acquiring) && contents.with { $0.isOffline } }
    set {
      let listeners = changing { contents in
        defer { contents.isOffline = newValue }
        return newValue && !contents.isOffline ? contents.listeners : []
      }
      // Called without the lock: a listener ends responses, and their ends are logged.
      for listener in listeners { listener() }
    }
  }

  /// Adds a function to call after the server goes offline, on the thread that sets ``isOffline``.
  package func tellOfGoingOffline(_ listener: @escaping @Sendable () -> Void) {
    contents.with { $0.listeners.append(listener) }
  }

  /// How many bytes a second each device gets; nil for as many as there are.
  package var bytesPerSecond: UInt64? {
    get { contents.with { $0.rate } }
    set {
      changing { contents in
        contents.rate = newValue
        contents.throttles = [:]
      }
    }
  }

  /// What all downloads of a device share.
  package func throttle(for device: String) -> Throttle? {
    guard isOn.load(ordering: .acquiring) else { return nil }
    return contents.with { contents in
      guard let rate = contents.rate else { return nil }
      if let throttle = contents.throttles[device] { return throttle }
      if contents.throttles.count >= Self.mostDevices { contents.throttles = [:] }
      let made = Throttle(bytesPerSecond: rate)
      contents.throttles[device] = made
      return made
    }
  }

  /// The faults that are switched on.
  package var all: [Fault] { isOn.load(ordering: .acquiring) ? contents.with { $0.faults } : [] }

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
    contents.with { contents in
      Status(
        isOffline: contents.isOffline, latency: contents.latency, bytesPerSecond: contents.rate,
        faults: contents.faults.map { fault in
          .init(fault: fault, count: contents.acted[fault.description] ?? 0)
        })
    }
  }

  /// Switches a fault on; it begins to count anew.
  ///
  /// False if there are as many as there may be.
  @discardableResult
  package func add(_ fault: Fault) -> Bool {
    changing { contents in
      let name = fault.description
      let others = contents.faults.filter { $0.description != name }
      guard others.count < Self.mostFaults else { return false }
      contents.faults = others + [fault]
      contents.forget { $0 == name }
      return true
    }
  }

  /// Switches all faults off.
  package func removeAll() {
    changing { contents in
      contents.faults = []
      contents.forget { _ in true }
    }
  }

  /// Switches a fault off; says whether it was on.
  package func remove(_ fault: Fault) -> Bool {
    changing { contents in
      let count = contents.faults.count
      contents.faults.removeAll { $0.description == fault.description }
      contents.forget { $0 == fault.description }
      return contents.faults.count < count
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
    return contents.with { contents in
      for fault in contents.faults
      where fault.kind != excluded && fault.concerns(target)
        && fault.kind.happens(toBodyOf: size)
      {
        let name = fault.description
        if let times = fault.times {
          let key = Occurrence(fault: name, device: device, target: target)
          let count = contents.counts[key] ?? 0
          guard count < times else { continue }
          // Whoever makes up addresses cannot fill the memory.
          if contents.counts.count >= Self.mostCounts { contents.counts = [:] }
          contents.counts[key] = count + 1
        }
        contents.acted[name, default: 0] += 1
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
