import TestSupport
import Testing

@testable import BlockSharing

@Suite("What waiting for a server may cost")
struct WaitingBudgetTests {
  private static let limit: Duration = .seconds(2)

  /// Threads that each look up blocks, one after the other, with a clock that the test controls.
  private struct Run {
    var budget: WaitingBudget
    let start = ContinuousClock.now
    var now: Duration = .zero
    /// The time in which at least one thread waited.
    var waited: Duration = .zero
    var requests = 0
    var found = 0
    var busy: [(end: Duration, wait: WaitingBudget.Wait?, brings: Bool)]

    init(threads: Int) {
      budget = WaitingBudget(limit: WaitingBudgetTests.limit, threads: threads)
      busy = Array(repeating: (.zero, nil, false), count: threads)
    }

    /// Simulates lookups of blocks.
    ///
    /// The server responds after `latency`, with a block if `brings` is true; without a block, the
    /// thread encodes.
    mutating func pass(
      _ blocks: Int, encoding: Duration, latency: () -> Duration, brings: () -> Bool
    ) {
      for _ in 0..<blocks {
        let thread = busy.indices.min { busy[$0].end < busy[$1].end } ?? 0
        move(to: busy[thread].end)
        if let wait = busy[thread].wait {
          busy[thread].wait = nil
          if busy[thread].brings {
            budget.end(wait, at: start + now, provedIn: .milliseconds(1))
            found += 1
          } else {
            budget.end(wait, at: start + now)
            budget.note(encodedIn: encoding)
            busy[thread].end = now + encoding
          }
          continue
        }
        guard let wait = budget.begin(at: start + now) else {
          budget.note(encodedIn: encoding)
          busy[thread].end = now + encoding
          continue
        }
        requests += 1
        let answer = now + latency()
        let limit = wait.deadline - start
        busy[thread] = (min(answer, limit), wait, answer <= limit && brings())
      }
    }

    private mutating func move(to time: Duration) {
      if busy.contains(where: { $0.wait != nil }) { waited += max(.zero, time - now) }
      now = max(now, time)
    }
  }

  @Test(arguments: [1, 2, 8, 64])
  func `a server that never responds costs at most the limit for any number of threads`(
    threads: Int
  ) {
    var run = Run(threads: threads)
    run.pass(5000, encoding: .milliseconds(10), latency: { .seconds(1000) }, brings: { false })
    #expect(run.waited <= Self.limit + .milliseconds(1))
    #expect(run.waited > Self.limit / 2)
    #expect(run.requests <= 2 * threads)
  }

  @Test(arguments: 0..<40)
  func `slow responses without blocks cost at most the limit`(seed: Int) {
    var random = Seeded(seed: UInt64(seed))
    var run = Run(threads: [1, 2, 3, 8][seed % 4])
    let encoding: Duration = .milliseconds(40)
    let slow = [3, 10, 100, 900][seed / 4 % 4]
    run.pass(
      20_000, encoding: encoding,
      latency: { .milliseconds(Int(random.next() % UInt64(slow)) + 3) }, brings: { false })
    #expect(run.waited <= Self.limit + .milliseconds(1))
  }

  @Test
  func `a fast server without blocks may respond for hours`() {
    var run = Run(threads: 2)
    run.pass(
      100_000, encoding: .milliseconds(300), latency: { .milliseconds(10) }, brings: { false })
    #expect(run.requests >= 49_000)
  }

  @Test
  func `found blocks compensate for the waiting time from the first block on`() {
    for (encoding, latency) in [(300, 2), (300, 100), (20, 8)] {
      var run = Run(threads: 2)
      run.pass(
        20_000, encoding: .milliseconds(encoding), latency: { .milliseconds(latency) },
        brings: { true })
      #expect(run.found > 9_000, "\(encoding) \(latency)")
    }
    // If responses take longer than encoding, requests stop.
    var run = Run(threads: 2)
    run.pass(20_000, encoding: .milliseconds(5), latency: { .milliseconds(50) }, brings: { true })
    #expect(run.waited < .seconds(4))
    #expect(run.requests < 200)
  }

  @Test
  func `short waits do not increase the limit`() {
    var run = Run(threads: 2)
    run.pass(2_000, encoding: .milliseconds(300), latency: { .milliseconds(2) }, brings: { true })
    let before = run.waited
    run.pass(2_000, encoding: .milliseconds(300), latency: { .seconds(500) }, brings: { false })
    #expect(run.waited - before <= Self.limit + .milliseconds(5))
  }

  @Test
  func `one request without a response takes half of the limit`() throws {
    var budget = WaitingBudget(limit: Self.limit, threads: 2)
    let start = ContinuousClock.now
    let begun = budget.begin(at: start)
    let wait = try #require(begun)
    #expect(wait.deadline == start + .seconds(1))
    #expect(budget.left(at: start + .seconds(1)) == .seconds(1))
  }
}
