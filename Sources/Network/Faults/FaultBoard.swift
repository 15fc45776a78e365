/// The faults that are switched on, and how often each one happened.
package struct FaultBoard<Effect: FaultEffect>: Sendable, Equatable {
  private var entries: [Entry] = []

  /// A fault, and its counts for each caller and target.
  private struct Entry: Sendable, Equatable {
    let fault: Fault<Effect>
    /// The number of times that it happened.
    var strikes = 0
    var counts: [Occasion: FaultCount] = [:]
  }

  private struct Occasion: Sendable, Hashable {
    let caller: String
    /// Nil for all requests together.
    let target: Fault<Effect>.Target?
  }

  /// The largest number of faults.
  ///
  /// A program that adds faults and never removes one must not slow down every request.
  package static var capacity: Int { 200 }
  /// The largest number of counts; clients that invent addresses must not fill the memory.
  private static var countCapacity: Int { 65_536 }

  package init(_ faults: [Fault<Effect>] = []) { for fault in faults { add(fault) } }

  /// The faults, in the order in which they were added.
  package var all: [Fault<Effect>] { entries.map(\.fault) }

  /// The faults, each with the number of times that it happened.
  package var strikeCounts: [(fault: Fault<Effect>, count: Int)] {
    entries.map { ($0.fault, $0.strikes) }
  }

  package var isEmpty: Bool { entries.isEmpty }

  /// Switches a fault on, with new counts if it is on already; returns false if there are too many.
  @discardableResult
  package mutating func add(_ fault: Fault<Effect>) -> Bool {
    remove(fault)
    guard entries.count < Self.capacity else { return false }
    entries.append(Entry(fault: fault))
    return true
  }

  /// Switches a fault off; returns false if it was not on.
  @discardableResult
  package mutating func remove(_ fault: Fault<Effect>) -> Bool {
    guard let index = entries.firstIndex(where: { $0.fault == fault }) else { return false }
    entries.remove(at: index)
    return true
  }

  /// Switches all faults off.
  package mutating func removeAll() { entries = [] }

  /// Returns the number of times that any fault happened to a target.
  package func strikes(on target: Fault<Effect>.Target) -> Int {
    entries.reduce(0) { sum, entry in
      entry.counts.reduce(sum) { $0 + ($1.key.target == target ? $1.value.strikes : 0) }
    }
  }

  /// Returns the fault that happens to a request, and counts it: the first one whose turn it is.
  ///
  /// Faults whose effect is not `possible` are ignored. Every other fault that applies to the
  /// request counts the call, also if an earlier fault is returned.
  package mutating func strike(
    _ target: Fault<Effect>.Target, by caller: String = "",
    _ possible: (Effect) -> Bool = { _ in true }
  ) -> Fault<Effect>? {
    let isCounted = Effect.scope == .downloads
    let occasion = Occasion(caller: isCounted ? caller : "", target: isCounted ? target : nil)
    var found: Fault<Effect>?
    for index in entries.indices {
      let fault = entries[index].fault
      guard fault.applies(to: target), possible(fault.effect) else { continue }
      if entries[index].counts[occasion] == nil { makeRoom() }
      var count = entries[index].counts[occasion] ?? FaultCount()
      count.calls += 1
      if found == nil, fault.turns.include(count, in: Effect.scope) {
        count.strikes += 1
        entries[index].strikes += 1
        found = fault
      }
      entries[index].counts[occasion] = count
    }
    return found
  }

  /// Discards all counts if there are too many.
  private mutating func makeRoom() {
    guard entries.reduce(0, { $0 + $1.counts.count }) >= Self.countCapacity else { return }
    for index in entries.indices { entries[index].counts = [:] }
  }
}

extension FaultBoard<DownloadEffect> {
  /// Returns the fault that happens to a download, and counts it.
  ///
  /// `size` is the number of bytes in the body of the response, if it has one and a fault must
  /// change it. The effect `excluded` is ignored, because it would not change this response.
  package mutating func strike(
    _ target: DownloadFault.Target, by caller: String = "", bodyOf size: UInt64?,
    except excluded: DownloadEffect? = nil
  ) -> DownloadFault? {
    strike(target, by: caller) { effect in
      effect != excluded && size.map(effect.changes(bodyOf:)) ?? true
    }
  }
}

/// The counts of a fault for one caller and target.
private struct FaultCount: Sendable, Equatable {
  /// The number of calls to which the fault applied.
  var calls = 0
  /// The number of calls at which it happened.
  var strikes = 0
}

extension FaultTurns {
  /// Returns whether it is the turn of a fault at its last counted call.
  ///
  /// A download that another fault changed is not one of the first `n` of this fault.
  fileprivate func include(_ count: FaultCount, in scope: FaultScope) -> Bool {
    switch self {
    case .always: true
    case .first(let number): (scope == .service ? count.calls - 1 : count.strikes) < number
    case .calls(let calls): calls.contains(count.calls)
    }
  }
}
