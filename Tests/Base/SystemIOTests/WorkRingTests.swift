import Glibc
import Synchronization
import SystemIO
import Testing

@Suite("Work in parallel, in order")
struct WorkRingTests {
  struct Slot: ~Copyable, Sendable {
    var input = 0
    var output = 0
  }

  /// Squares the numbers below `count`, some slowly, and returns them in the order of delivery.
  static func squares(_ count: Int, threads: Int, window: Int) throws -> [Int] {
    var ring = try WorkRing<Slot, Int>(
      window: window, threads: threads, makeWorker: { 0 },
      perform: { done, slot in
        done += 1
        var spin = slot.input % 7 == 0 ? 2000 : 1
        while spin > 0 { spin -= 1 }
        slot.output = slot.input * slot.input
      })
    var results: [Int] = []
    func take(_ ring: inout WorkRing<Slot, Int>) -> Bool {
      guard let slot = ring.takeOldest() else { return false }
      results.append(slot.output)
      return true
    }
    for number in 0..<count {
      if !ring.hasRoom { _ = take(&ring) }
      ring.give(Slot(input: number))
      #expect(ring.count <= window)
    }
    while take(&ring) {}
    #expect(ring.count == 0)
    return results
  }

  @Test(arguments: [1, 2, 3, 8], [1, 2, 8])
  func `slots are returned in the order of submission`(threads: Int, window: Int) throws {
    #expect(
      try Self.squares(500, threads: threads, window: window) == (0..<500).map { $0 * $0 })
  }

  /// Pairs of works: neither of a pair ends before both have begun.
  final class Pairs: Sendable {
    private let begun: [Begun]

    final class Begun: Sendable { let semaphore = Semaphore() }

    init(count: Int) { begun = (0..<2 * count).map { _ in Begun() } }

    func meet(_ number: Int) {
      begun[number].semaphore.signal()
      begun[number ^ 1].semaphore.wait()
    }
  }

  @Test
  func `with two threads, the caller does half of the work`() throws {
    let pairs = Pairs(count: 4)
    let threads = Guarded<[pthread_t]>([])
    var ring = try WorkRing<Slot, Int>(
      window: 8, threads: 2, makeWorker: { 0 },
      perform: { _, slot in
        let own = pthread_self()
        threads.with { $0.append(own) }
        pairs.meet(slot.input)
      })
    for number in 0..<8 { ring.give(Slot(input: number)) }
    while ring.takeOldest() != nil {}
    let seen = threads.with { $0 }
    #expect(seen.count == 8)
    #expect(Set(seen).count == 2)
    let caller = pthread_self()
    #expect(seen.filter { $0 == caller }.count == 4)
  }

  /// An object that one thread owns: it ends with its thread.
  final class Tool: Sendable {
    let life: Life

    init(_ life: Life) {
      self.life = life
      life.count.add(1, ordering: .relaxed)
    }

    deinit { life.count.subtract(1, ordering: .relaxed) }
  }

  @Test
  func `a ring that is abandoned during work ends its threads`() throws {
    let life = Life()
    func giveUp(after round: Int) throws {
      var ring = try WorkRing<Slot, Tool>(
        window: 4, threads: 3, makeWorker: { Tool(life) },
        perform: { _, slot in slot.output = slot.input })
      for _ in 0..<round % 5 where ring.hasRoom { ring.give(Slot()) }
    }
    for round in 0..<50 {
      try giveUp(after: round)
      #expect(life.count.load(ordering: .relaxed) == 0)
    }
  }

  /// Counts live objects: those in a ring must end with it, exactly once.
  final class Life: Sendable {
    let count = Atomic<Int>(0)
  }

  struct Counted: ~Copyable, Sendable {
    let life: Life

    init(_ life: Life) {
      self.life = life
      life.count.add(1, ordering: .relaxed)
    }

    deinit { life.count.subtract(1, ordering: .relaxed) }
  }

  @Test(arguments: [1, 2, 8])
  func `a slot ends with its owner: the caller, a worker or the ring`(threads: Int) throws {
    let life = Life()
    for round in 0..<50 {
      var ring = try WorkRing<Counted, Int>(
        window: 3, threads: threads, makeWorker: { 0 }, perform: { _, _ in })
      for number in 0..<round {
        if !ring.hasRoom || number % 5 == 4 { _ = ring.takeOldest() }
        ring.give(Counted(life))
      }
      #expect(life.count.load(ordering: .relaxed) == ring.count)
    }
    #expect(life.count.load(ordering: .relaxed) == 0)
  }
}
