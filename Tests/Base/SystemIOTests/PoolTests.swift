import SystemIO
import TestSupport
import Testing

@Suite(.mustEnd)
struct PoolTests {
  /// Two numbers that are equal while no thread changes them.
  private final class Twins {
    var first = 0
    var second = 0
  }

  @Test(arguments: [1, 2, 16])
  func `only one thread at a time uses an object of a pool`(threads: Int) throws {
    let made = Noted<Int>()
    let pool = Pool {
      made.add(0)
      return Twins()
    }
    let broken = Noted<Int>()
    try onThreads(threads) { number in
      for _ in 0..<5000 {
        let areEqual = try? pool.with { twins in
          defer { twins.second += 1 }
          defer { twins.first += 1 }
          return twins.first == twins.second
        }
        if areEqual != true { broken.add(number) }
      }
    }
    #expect(broken.all == [])
    #expect((1...threads).contains(made.all.count))
  }

  @Test func `an object is used again, also after a failure`() throws {
    let made = Noted<Int>()
    let pool = Pool {
      made.add(0)
      return Twins()
    }
    for _ in 0..<2 {
      #expect(throws: Failure(.outOfMemory)) {
        try pool.with { twins throws(Failure) in
          twins.first += 1
          throw Failure(.outOfMemory)
        }
      }
    }
    #expect(try pool.with { $0.first } == 2)
    #expect(made.all.count == 1)
  }

  @Test func `a pool keeps at most the allowed number of objects`() throws {
    let made = Noted<Int>()
    let pool = Pool(keeping: 1) {
      made.add(0)
      return Twins()
    }
    for _ in 0..<2 {
      try pool.with { _ throws(Failure) in try pool.with { _ throws(Failure) in } }
    }
    #expect(made.all.count == 3)
  }

  @Test func `a failure to create an object is thrown, and the next call tries again`() throws {
    let tries = Noted<Int>()
    let pool = Pool { () throws(Failure) in
      if tries.add(0) == 0 { throw Failure(.outOfMemory) }
      return Twins()
    }
    #expect(throws: Failure(.outOfMemory)) { try pool.with { $0.first } }
    #expect(try pool.with { $0.first } == 0)
  }
}
