import SystemIO
import TestSupport
import Testing

@Suite(.mustEnd)
struct GuardedTests {
  /// Two numbers that are equal while no thread changes them.
  private struct Twins {
    var first = 0
    var second = 0

    /// Increments both numbers, and returns whether they were equal before.
    mutating func count() -> Bool {
      let areEqual = first == second
      first += 1
      second += 1
      return areEqual
    }
  }

  @Test(arguments: [1, 2, 16])
  func `only one thread at a time accesses a guarded value`(threads: Int) throws {
    let twins = Guarded(Twins())
    let broken = Noted<Int>()
    try onThreads(threads) { number in
      for _ in 0..<5000 where !twins.with({ $0.count() }) { broken.add(number) }
    }
    #expect(broken.all == [])
    #expect(twins.with { $0.first } == threads * 5000)
  }

  @Test(arguments: [1, 2, 16])
  func `only one thread at a time has its turn`(threads: Int) throws {
    let twins = InTurn(Twins())
    let broken = Noted<Int>()
    try onThreads(threads) { number in
      for _ in 0..<5000 where !twins.with({ $0.count() }) { broken.add(number) }
    }
    #expect(broken.all == [])
    #expect(twins.with { $0.first } == threads * 5000)
  }

  @Test func `a value is accessible again after a closure throws`() {
    let (guarded, inTurn) = (Guarded(1), InTurn(1))
    for _ in 0..<2 {
      #expect(throws: Failure(.outOfMemory)) {
        try guarded.with { number throws(Failure) in
          number += 1
          throw Failure(.outOfMemory)
        }
      }
      #expect(throws: Failure(.outOfMemory)) {
        try inTurn.with { number throws(Failure) in
          number += 1
          throw Failure(.outOfMemory)
        }
      }
    }
    #expect(guarded.with { $0 } == 3)
    #expect(inTurn.with { $0 } == 3)
    // The thread may make system calls again.
    #expect(throws: Never.self) { try FileStatus(ofFileAt: "/") }
  }

  @Test func `a turn may make system calls, access guarded values and start other turns`() throws {
    let (outer, inner, value) = (InTurn(0), InTurn(0), Guarded(0))
    let kind = try outer.with { _ throws(Failure) in
      inner.with { $0 += value.with { $0 } }
      return try FileStatus(ofFileAt: "/").kind
    }
    #expect(kind == .directory)
  }

  #if DEBUG
    @Test func `a system call inside a guarded closure ends a debug build`() async {
      await #expect(processExitsWith: .failure) {
        Guarded(0).with { _ in _ = try? FileStatus(ofFileAt: "/") }
      }
    }

    @Test func `a second guarded value inside a guarded closure ends a debug build`() async {
      await #expect(processExitsWith: .failure) {
        let other = Guarded(0)
        Guarded(0).with { _ in other.with { $0 += 1 } }
      }
    }

    @Test func `a turn inside a guarded closure ends a debug build`() async {
      await #expect(processExitsWith: .failure) {
        let turn = InTurn(0)
        Guarded(0).with { _ in turn.with { $0 += 1 } }
      }
    }

    @Test func `a wait inside a guarded closure ends a debug build`() async {
      await #expect(processExitsWith: .failure) {
        let semaphore = Semaphore(1)
        Guarded(0).with { _ in semaphore.wait() }
      }
    }

    @Test func `an alarm that rings inside a guarded closure ends a debug build`() async {
      await #expect(processExitsWith: .failure) {
        let alarm = try Alarm()
        Guarded(0).with { _ in alarm.ring() }
      }
    }

    @Test func `an object of a pool inside a guarded closure ends a debug build`() async {
      await #expect(processExitsWith: .failure) {
        let pool = Pool { 0 }
        Guarded(0).with { _ in _ = try? pool.with { $0 } }
      }
    }

    @Test func `a file that closes inside a guarded closure ends a debug build`() async {
      await #expect(processExitsWith: .failure) {
        let file = Guarded<FileDescriptor?>(try FileDescriptor.open("/", for: .directory))
        file.with { $0 = nil }
      }
    }

    @Test func `an alarm whose last owner is a guarded value ends a debug build`() async {
      await #expect(processExitsWith: .failure) {
        let alarm = Guarded<Alarm?>(try Alarm())
        alarm.with { $0 = nil }
      }
    }

    @Test func `a second lock by the same thread ends a debug build`() async {
      await #expect(processExitsWith: .failure) {
        let turn = InTurn(0)
        turn.with { _ in turn.with { $0 += 1 } }
      }
    }
  #endif
}
