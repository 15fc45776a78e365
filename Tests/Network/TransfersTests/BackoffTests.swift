import TestSupport
import Testing
import Transfers

@Suite struct BackoffTests {
  private static func backoff(
    first: Duration = .seconds(1), factor: Double = 2, longest: Duration = .seconds(30),
    shortest: Duration = .milliseconds(100), attempts: Int? = nil, patience: Duration? = nil,
    spread: Double = 0.5, random: Double = 0
  ) -> Backoff {
    var backoff = Backoff(
      first: first, factor: factor, longest: longest, shortest: shortest, attempts: attempts,
      patience: patience, spread: spread)
    backoff.random = { random }
    return backoff
  }

  private static func pauses(_ backoff: Backoff, _ count: Int, requested: Duration? = nil)
    -> [Duration?]
  {
    var backoff = backoff
    return (0..<count).map { _ in backoff.next(requested: requested) }
  }

  @Test func `pauses grow by the factor up to the longest pause`() {
    #expect(Self.pauses(Self.backoff(), 7) == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
    #expect(
      Self.pauses(Self.backoff(factor: 1.5, longest: .seconds(2)), 3)
        == [.seconds(1), .milliseconds(1500), .seconds(2)])
  }

  @Test func `two clients with different random numbers do not retry at the same time`() {
    let one = Self.pauses(Self.backoff(random: 0.2), 4).compactMap { $0 }
    let other = Self.pauses(Self.backoff(random: 0.9), 4).compactMap { $0 }
    #expect(zip(one, other).allSatisfy { $0 > $1 })
    let asked = [0.2, 0.9].map {
      Self.pauses(Self.backoff(random: $0), 1, requested: .seconds(60))[0]
    }
    #expect(asked[0] != asked[1])
    #expect(asked.allSatisfy { ($0 ?? .zero) >= .seconds(60) })
  }

  @Test(arguments: [Duration.zero, .seconds(-5), .milliseconds(1)])
  func `a requested pause below the shortest pause becomes the shortest pause`(requested: Duration)
  {
    let backoff = Self.backoff(
      first: .zero, shortest: .milliseconds(250), attempts: 4, random: 1)
    #expect(
      Self.pauses(backoff, 4, requested: requested)
        == [.milliseconds(250), .milliseconds(250), .milliseconds(250), nil])
  }

  @Test func `a requested pause is never shortened, and is marked as requested`() {
    var backoff = Self.backoff(patience: .seconds(10))
    #expect(backoff.next(requested: .seconds(4)) == .seconds(4))
    #expect(backoff.isRequested)
    #expect(backoff.next(requested: .seconds(1)) == .seconds(2))
    #expect(!backoff.isRequested)
    #expect(backoff.next(requested: .seconds(5)) == nil)
    // A computed pause uses the remaining patience.
    #expect(backoff.next() == .seconds(4))
    #expect(backoff.next() == nil)
  }

  @Test func `the number of attempts and the sum of the pauses are bounded`() {
    #expect(Self.pauses(Self.backoff(attempts: 3), 4) == [.seconds(1), .seconds(2), nil, nil])
    #expect(Self.pauses(Self.backoff(attempts: 1), 1) == [nil])
    let patient = Self.backoff(longest: .seconds(4), patience: .seconds(10))
    #expect(
      Self.pauses(patient, 5) == [.seconds(1), .seconds(2), .seconds(4), .seconds(3), nil])
  }

  @Test func `a success resets the pauses`() {
    var backoff = Self.backoff(attempts: 3, patience: .seconds(3))
    for _ in 0..<5 {
      #expect(backoff.next() == .seconds(1))
      #expect(backoff.next() == .seconds(2))
      #expect(backoff.next() == nil)
      backoff.succeed()
    }
  }

  @Test func `a pause has the minimum of the caller, within the patience`() {
    var backoff = Self.backoff(patience: .seconds(20))
    #expect(backoff.next(atLeast: .seconds(15)) == .seconds(15))
    #expect(backoff.next(atLeast: .seconds(15)) == .seconds(5))
    #expect(backoff.next(atLeast: .seconds(15)) == nil)
  }

  @Test func `no value makes a sum overflow`() {
    let extremes: [Duration] = [
      .zero, .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(1), .seconds(1),
    ]
    for first in extremes {
      for longest in extremes {
        for requested in extremes {
          for factor in [0, -1, 1, 1.000_001, 2, .infinity, .nan] {
            var backoff = Self.backoff(
              first: first, factor: factor, longest: longest, shortest: requested,
              patience: requested > .seconds(1) ? nil : longest, spread: factor, random: factor)
            for _ in 0..<20 {
              let pause = backoff.next(requested: requested, atLeast: first)
              #expect(pause.map { $0 >= .zero } ?? true)
            }
          }
        }
      }
    }
  }
}
