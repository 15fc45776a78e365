import Synchronization
import SystemIO
import TestSupport
import Testing

@Suite(.mustEnd)
struct LockTests {
  /// Two numbers that are equal whenever nobody has the lock.
  private final class Twins: @unchecked Sendable {
    let lock = Lock()
    var first = 0
    var second = 0
  }

  @Test(arguments: [1, 2, 8, 16])
  func `of many threads that want a lock one has it at a time`(threads: Int) throws {
    let twins = Twins()
    let rounds = 20_000
    let broken = Atomic(0)
    try onThreads(threads) { _ in
      for _ in 0..<rounds {
        twins.lock.with {
          if twins.first != twins.second { broken.add(1, ordering: .relaxed) }
          twins.first += 1
          twins.second += 1
        }
      }
    }
    #expect(broken.load(ordering: .relaxed) == 0)
    #expect(twins.first == threads * rounds)
  }

  @Test func `a lock is free again after its closure throws`() {
    let twins = Twins()
    for _ in 0..<2 {
      #expect(throws: Failure(.outOfMemory)) {
        try twins.lock.with { () throws(Failure) in throw Failure(.outOfMemory) }
      }
    }
    #expect(twins.lock.with { twins.first } == 0)
  }
}
