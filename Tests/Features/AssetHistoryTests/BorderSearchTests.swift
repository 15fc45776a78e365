@testable import AssetHistory
import SystemIO
import TestSupport
import Testing

/// Compares the search for borders with all borders of small histories.
@Suite struct BorderSearchTests {
  private static func search(_ random: inout Seeded) -> (BorderSearch, count: Int) {
    let updates = 1 + random.next(below: 3)
    let count = 1 + random.next(below: 8)
    let units = (0..<count).map { _ in
      let size = UInt64(1 + random.next(below: 1000))
      let rate = 1 + random.next(below: 4)
      return BorderSearch.Unit(
        sizes: (0..<updates).map { _ in random.next(below: 10) == 0 ? 0 : size },
        changes: (0..<updates).map { _ in random.next(below: 4) < rate - 1 })
    }
    return (
      BorderSearch(
        units,
        BorderSearch.Conditions(
          frame: UInt64(random.next(below: 100)), penalty: UInt64(random.next(below: 50)),
          mostPacks: 3)),
      count
    )
  }

  /// Calls a function with all divisions of units into at most three packs.
  private static func eachDivision(of count: Int, _ body: ([Int]) -> Void) {
    func extend(_ borders: [Int], _ packs: Int) {
      if borders.count == count { return body(borders) }
      for pack in 0..<min(packs + 1, 3) { extend(borders + [pack], max(packs, pack + 1)) }
    }
    extend([], 0)
  }

  @Test(arguments: 0..<20)
  func `the search is within 5 % of the best borders`(part: Int) throws {
    for seed in UInt64(part * 100)..<UInt64(part * 100 + 100) {
      var random = Seeded(seed: seed)
      let (search, count) = Self.search(&random)
      var least = UInt64.max
      Self.eachDivision(of: count) { least = min(least, search.objective(of: $0)) }
      let found = search.best(from: Array(repeating: 0, count: count), .unstoppable)
      #expect(Set(found).count <= 3)
      #expect(found == search.best(from: Array(repeating: 0, count: count), .unstoppable))
      #expect(Double(search.objective(of: found)) <= Double(least) * 1.05, "seed \(seed)")
    }
  }

  @Test func `units of different kinds never share a pack`() {
    let units = [0, 1, 0, 1].map {
      BorderSearch.Unit(sizes: [10, 10], changes: [true, false], kind: $0)
    }
    let search = BorderSearch(units, BorderSearch.Conditions(frame: 100, penalty: 100))
    let found = search.best(from: [0, 1, 2, 3], .unstoppable)
    #expect(found[0] == found[2])
    #expect(found[1] == found[3])
    #expect(found[0] != found[1])
  }

  @Test(arguments: 0..<10)
  func `anchors, the fewest and the most packs are kept`(part: Int) {
    for seed in UInt64(part * 40)..<UInt64(part * 40 + 40) {
      var random = Seeded(seed: seed)
      let count = 4 + random.next(below: 12)
      let packs = 1 + random.next(below: 3)
      var units = (0..<count).map { number in
        BorderSearch.Unit(
          sizes: (0..<4).map { _ in UInt64(random.next(below: 1000)) },
          changes: (0..<4).map { _ in random.next(below: 3) == 0 }, kind: number % 2)
      }
      // Today's packs 0, 1, … contain units of one kind each.
      let today = units.indices.map { $0 % 2 + 2 * ($0 / 2 % packs) }
      for pack in Set(today) where random.next(below: 2) == 0 {
        if let first = today.firstIndex(of: pack) { units[first].anchor = pack }
      }
      var conditions = BorderSearch.Conditions(
        frame: 10, penalty: UInt64(random.next(below: 500)))
      for kind in 0..<2 {
        conditions.fewestPacks[kind] = Set(today.filter { $0 % 2 == kind }).count
      }
      conditions.mostPacks = Set(today).count + random.next(below: 3)
      let search = BorderSearch(units, conditions)
      let found = search.best(from: today, .unstoppable)
      #expect(search.objective(of: found) <= search.objective(of: today))
      #expect(Set(found).count <= conditions.mostPacks)
      for kind in 0..<2 {
        let own = Set(zip(units, found).filter { $0.0.kind == kind }.map(\.1))
        #expect(own.count >= conditions.fewestPacks[kind] ?? 0, "seed \(seed)")
      }
      let groups = Dictionary(grouping: zip(units, found), by: \.1)
      for group in groups.values {
        #expect(Set(group.compactMap { $0.0.anchor }).count <= 1, "seed \(seed)")
        #expect(Set(group.map { $0.0.kind }).count == 1, "seed \(seed)")
      }
    }
  }

  @Test func `a weight makes an update count more`() {
    // The second unit changes in the first update, the third in the second one. The three cannot
    // all be apart.
    let units = [[false, false], [true, false], [false, true]].map {
      BorderSearch.Unit(sizes: [100, 100], changes: $0)
    }
    for (weights, apart) in [([100, 1] as [UInt64], 1), ([1, 100], 2)] {
      let search = BorderSearch(
        units, BorderSearch.Conditions(mostPacks: 2, weights: [0: weights]))
      let found = search.best(from: [0, 0, 0], .unstoppable)
      #expect(found.count { $0 == found[apart] } == 1, "\(weights)")
    }
  }

  @Test func `what may change by chance is apart if it is large`() {
    // Both never changed: a pack of both would be downloaded for a change of each.
    for (size, isApart) in [(10_000 as UInt64, true), (100, false)] {
      let units = (0..<2).map { _ in
        BorderSearch.Unit(sizes: [size, size], changes: [false, false], chance: 500)
      }
      let search = BorderSearch(units, BorderSearch.Conditions(penalty: 1000))
      let found = search.best(from: [0, 0], .unstoppable)
      #expect((found[0] != found[1]) == isApart)
    }
    // A unit that changes in each update has no further changes.
    let units = [0, 500].map {
      BorderSearch.Unit(sizes: [100, 100], changes: [true, true], chance: $0)
    }
    #expect(units.map { BorderSearch([$0], .init()).cost(of: [0]) } == [200, 200])
  }
}
