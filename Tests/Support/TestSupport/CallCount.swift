import Synchronization

/// A counter of calls from several threads.
package final class CallCount: Sendable {
  private let count = Atomic<Int>(0)

  /// Creates a counter with the value zero.
  package init() {}

  package func add() { count.add(1, ordering: .relaxed) }

  package var value: Int { count.load(ordering: .relaxed) }
}
