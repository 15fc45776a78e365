import SystemIO
import Testing

@Suite("Work in parallel, in order")
struct WorkRingTests {
  struct Slot: ~Copyable, Sendable {
    var input = 0
    var output = 0
  }

  /// Squares the numbers below `count`, some slowly, and returns them as they are delivered.
  static func squares(_ count: Int, threads: Int, window: Int) throws -> [Int] {
    var ring = try WorkRing<Slot, Int>(
      window: window, threads: threads, makeSlot: { Slot() }, makeWorker: { 0 },
      perform: { done, slot in
        done += 1
        var spin = slot.input % 7 == 0 ? 2000 : 1
        while spin > 0 { spin -= 1 }
        slot.output = slot.input * slot.input
      })
    var results: [Int] = []
    func take(_ ring: inout WorkRing<Slot, Int>) {
      ring.waitForOldest()
      results.append(ring.oldest.output)
      ring.releaseOldest()
    }
    for number in 0..<count {
      if !ring.hasFreeSlot { take(&ring) }
      ring.free.input = number
      ring.post()
    }
    while !ring.isEmpty { take(&ring) }
    return results
  }

  @Test("what is given comes back in order", arguments: [1, 2, 3, 8], [1, 2, 8])
  func order(threads: Int, window: Int) throws {
    #expect(
      try Self.squares(500, threads: threads, window: window) == (0..<500).map { $0 * $0 })
  }

  @Test("a ring that is given up with work under way ends its threads")
  func givenUp() throws {
    for round in 0..<50 {
      var ring = try WorkRing<Slot, Int>(
        window: 4, threads: 3, makeSlot: { Slot() }, makeWorker: { 0 },
        perform: { _, slot in slot.output = slot.input })
      for _ in 0..<round % 5 where ring.hasFreeSlot { ring.post() }
    }
  }
}
