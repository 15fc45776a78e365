// Long because all steps of the search share the state of its packs.

package import SystemIO

/// A search for borders of packs with small updates: which units share a pack.
///
/// A unit counts in an update if any unit of its pack changed, because a device downloads changed
/// packs as a whole. The search is deterministic.
package struct BorderSearch: Sendable {
  /// Files that stay together.
  package struct Unit: Sendable {
    /// The size in an archive after each update.
    package var sizes: [UInt64]
    /// Whether one of the files changed in each update.
    package var changes: [Bool]
    /// The kind of pack.
    ///
    /// Units of different kinds never share a pack.
    package var kind: Int
    /// The only pack of today in which it can be; nil if it can be in each pack of its kind.
    package var anchor: Int?
    /// The changes in thousandths that are expected in as many updates in addition to those in
    /// ``changes``: what never changed may change later.
    package var chance: UInt64

    package init(
      sizes: [UInt64], changes: [Bool], kind: Int = 0, anchor: Int? = nil, chance: UInt64 = 0
    ) {
      self.sizes = sizes
      self.changes = changes
      self.kind = kind
      self.anchor = anchor
      self.chance = chance
    }
  }

  /// The limits of the result, and what a pack costs in addition to its files.
  package struct Conditions: Sendable {
    /// The bytes of an archive without its files.
    package var frame: UInt64 = 0
    /// The bytes that one more pack must save.
    package var penalty: UInt64 = 0
    package var mostPacks = 200
    /// The smallest number of packs of each kind; one for kinds without a value.
    package var fewestPacks: [Int: Int] = [:]
    /// The weight of each update for packs of each kind; 1 if empty.
    package var weights: [Int: [UInt64]] = [:]

    package init(
      frame: UInt64 = 0, penalty: UInt64 = 0, mostPacks: Int = 200, fewestPacks: [Int: Int] = [:],
      weights: [Int: [UInt64]] = [:]
    ) {
      self.frame = frame
      self.penalty = penalty
      self.mostPacks = mostPacks
      self.fewestPacks = fewestPacks
      self.weights = weights
    }
  }

  package let units: [Unit]
  package let conditions: Conditions
  private let updates: Int

  package init(_ units: [Unit], _ conditions: Conditions) {
    self.units = units
    self.conditions = conditions
    updates = units.first?.changes.count ?? 0
  }

  /// The downloads in all updates, with the number of the pack of each unit.
  package func cost(of borders: [Int]) -> UInt64 {
    state(borders).packs.reduce(0) { $0 + $1.cost }
  }

  /// The downloads and the penalties of all packs.
  package func objective(of borders: [Int]) -> UInt64 {
    state(borders).packs.reduce(0) { $0 + $1.cost + ($1.count > 0 ? conditions.penalty : 0) }
  }

  /// The downloads if each unit had its own archive without a header.
  package var lowerBound: UInt64 {
    units.reduce(0) { sum, unit in
      unit.changes.indices.reduce(sum) {
        unit.changes[$1] ? $0 + unit.sizes[$1] * weight(of: unit.kind, $1) : $0
      }
    }
  }

  /// Returns the best borders that were found; stops early if the operation must stop.
  ///
  /// - Parameters:
  ///   - today: The borders that the others must be better than.
  ///   - known: Other borders from which the search starts, too.
  package func best(from today: [Int], or known: [[Int]] = [], _ work: Work) -> [Int] {
    var found = today
    var least = objective(of: today)
    for start in known where Set(start).count <= conditions.mostPacks {
      let value = objective(of: start)
      if value < least {
        found = start
        least = value
      }
    }
    for start in known.map(merged) + starts(today) where !work.isStopped {
      let borders = improved(start, work)
      guard Set(borders).count <= conditions.mostPacks else { continue }
      let value = objective(of: borders)
      if value < least {
        found = borders
        least = value
      }
    }
    return found
  }

  private func weight(of kind: Int, _ update: Int) -> UInt64 {
    conditions.weights[kind]?[update] ?? 1
  }
}

extension BorderSearch {
  /// A pack during the search.
  fileprivate struct Pack {
    var count = 0
    let kind: Int
    /// The pack of today that it must be; units with different anchors never share a pack.
    var anchor: Int?
    /// The number of units that changed in each update, and the size of all units after it.
    var changes: [Int32]
    var sizes: [UInt64]
    var chance: UInt64 = 0
    /// The downloads in all updates.
    var cost: UInt64 = 0
  }

  fileprivate struct State {
    var borders: [Int]
    var packs: [Pack]

    var used: Int { packs.count { $0.count > 0 } }
  }

  private func emptyPack(of kind: Int) -> Pack {
    Pack(
      kind: kind, changes: Array(repeating: 0, count: updates),
      sizes: Array(repeating: 0, count: updates))
  }

  private func state(_ borders: [Int]) -> State {
    var places: [Int: Int] = [:]
    var state = State(borders: [], packs: [])
    for (unit, pack) in zip(units, borders) {
      let place = places[pack] ?? state.packs.count
      if places[pack] == nil {
        places[pack] = place
        state.packs.append(emptyPack(of: unit.kind))
      }
      state.packs[place].add(unit)
      state.borders.append(place)
    }
    for place in state.packs.indices { state.packs[place].cost = cost(of: state.packs[place]) }
    return state
  }

  private func cost(of pack: Pack) -> UInt64 {
    cost(of: pack.kind, pack.chance) { (pack.changes[$0] > 0, pack.sizes[$0]) }
  }

  /// Returns the cost of a pack with or without one more unit.
  private func cost(of pack: Pack, _ unit: Unit, isAdded: Bool) -> UInt64 {
    cost(of: pack.kind, isAdded ? pack.chance + unit.chance : pack.chance - unit.chance) { update in
      let change: Int32 = unit.changes[update] ? 1 : 0
      return isAdded
        ? (pack.changes[update] + change > 0, pack.sizes[update] + unit.sizes[update])
        : (pack.changes[update] - change > 0, pack.sizes[update] - unit.sizes[update])
    }
  }

  private func cost(of left: Pack, with right: Pack) -> UInt64 {
    cost(of: left.kind, left.chance + right.chance) { update in
      (
        left.changes[update] > 0 || right.changes[update] > 0,
        left.sizes[update] + right.sizes[update]
      )
    }
  }

  /// Returns the downloads of a pack: in each update that changes it, its size.
  ///
  /// Of the other updates, some change it by chance: with many chances, nearly all of them.
  @inline(__always)
  private func cost(
    of kind: Int, _ chance: UInt64, _ update: (Int) -> (isChanged: Bool, size: UInt64)
  ) -> UInt64 {
    var sum: UInt64 = 0
    var unchanged: UInt64 = 0
    var last: UInt64 = 0
    for index in 0..<updates {
      let (isChanged, size) = update(index)
      last = size
      if !isChanged {
        unchanged += 1
      } else if size > 0 {
        sum += (size + conditions.frame) * weight(of: kind, index)
      }
    }
    guard chance > 0, last > 0 else { return sum }
    let changes = unchanged * chance * 1000 / (chance + 1000 * UInt64(updates))
    return sum + (last + conditions.frame) * changes / 1000
  }
}

extension BorderSearch.Pack {
  fileprivate mutating func add(_ unit: BorderSearch.Unit) {
    count += 1
    chance += unit.chance
    anchor = anchor ?? unit.anchor
    for update in changes.indices {
      changes[update] += unit.changes[update] ? 1 : 0
      sizes[update] += unit.sizes[update]
    }
  }

  fileprivate mutating func remove(_ unit: BorderSearch.Unit) {
    count -= 1
    chance -= unit.chance
    if unit.anchor != nil { anchor = nil }
    for update in changes.indices {
      changes[update] -= unit.changes[update] ? 1 : 0
      sizes[update] -= unit.sizes[update]
    }
  }
}

// MARK: Starts

extension BorderSearch {
  /// Today's borders, units that change in the same updates together, units that change at least
  /// a number of times apart from the others, and each unit alone.
  private func starts(_ today: [Int]) -> [[Int]] {
    var places: [[Bool]: Int] = [:]
    let kinds = (units.map(\.kind).max() ?? 0) + 1
    let classes = units.map { unit -> Int in
      let place = places[unit.changes] ?? places.count
      places[unit.changes] = place
      return place * kinds + unit.kind
    }
    let counts = Set(units.map { $0.changes.count(where: { $0 }) }).sorted().dropFirst()
    // Eight of them are enough: their results are improved.
    let step = max(1, counts.count / 8)
    let frequencies = counts.enumerated().filter { $0.offset % step == 0 }.map(\.element)
      .map { least in
        units.map { ($0.changes.count(where: { $0 }) >= least ? kinds : 0) + $0.kind }
      }
    let alone = units.count <= 200 ? [Array(units.indices)] : []
    return [today] + ([classes] + frequencies + alone).map { merged(separatingAnchors($0)) }
  }

  /// Gives each unit with an anchor a pack of its own.
  private func separatingAnchors(_ borders: [Int]) -> [Int] {
    let next = (borders.max() ?? 0) + 1
    return zip(units, borders).map { unit, pack in unit.anchor.map { next + $0 } ?? pack }
  }

  /// Divides packs until there are enough, and merges them until there are not too many.
  private func merged(_ borders: [Int]) -> [Int] {
    var state = state(borders)
    for (kind, fewest) in conditions.fewestPacks.sorted(by: { $0.key < $1.key }) {
      while state.packs.count(where: { $0.kind == kind && $0.count > 0 }) < fewest {
        // The largest pack gives its last unit away.
        guard
          let from = state.packs.indices.filter({
            state.packs[$0].kind == kind && state.packs[$0].count > 1
          }).max(by: { state.packs[$0].count < state.packs[$1].count }),
          let unit = state.borders.lastIndex(of: from)
        else { break }
        state.packs.append(emptyPack(of: kind))
        move(unit, to: state.packs.count - 1, &state)
      }
    }
    mergePacks(&state, downTo: conditions.mostPacks)
    return state.borders
  }
}

// MARK: Steps

extension BorderSearch {
  private func improved(_ borders: [Int], _ work: Work) -> [Int] {
    var state = state(borders)
    for _ in 0..<100 where !work.isStopped {
      let hasMoved = moveUnits(&state) || exchangeUnits(&state)
      let hasMerged = mergePacks(&state, downTo: nil)
      if !hasMoved && !hasMerged { break }
    }
    return state.borders
  }

  private func move(_ unit: Int, to place: Int, _ state: inout State) {
    let from = state.borders[unit]
    state.packs[from].remove(units[unit])
    state.packs[place].add(units[unit])
    state.packs[from].cost = cost(of: state.packs[from])
    state.packs[place].cost = cost(of: state.packs[place])
    state.borders[unit] = place
  }

  /// Returns whether a pack of this kind may be removed.
  private func canLosePack(of kind: Int, _ state: State) -> Bool {
    state.packs.count { $0.kind == kind && $0.count > 0 } > conditions.fewestPacks[kind] ?? 1
  }

  /// Moves units to other packs or to new ones while that is better; returns whether it was.
  private func moveUnits(_ state: inout State) -> Bool {
    var hasMoved = false
    for unit in units.indices {
      let from = state.borders[unit]
      let isAlone = state.packs[from].count == 1
      if isAlone && !canLosePack(of: units[unit].kind, state) { continue }
      let rest = cost(of: state.packs[from], units[unit], isAdded: false)
      let saved = isAlone ? conditions.penalty : 0
      var best: (gain: UInt64, to: Int)?
      for (place, pack) in state.packs.enumerated()
      where place != from && pack.count > 0 && pack.kind == units[unit].kind
        && (pack.anchor == nil || units[unit].anchor == nil)
      {
        let before = state.packs[from].cost + saved + pack.cost
        let after = rest + cost(of: pack, units[unit], isAdded: true)
        if after < before, before - after > best?.gain ?? 0 { best = (before - after, place) }
      }
      if !isAlone, state.used < conditions.mostPacks {
        let own = cost(of: emptyPack(of: units[unit].kind), units[unit], isAdded: true)
        let (before, after) = (state.packs[from].cost, rest + own + conditions.penalty)
        if after < before, before - after > best?.gain ?? 0 {
          best = (before - after, state.packs.count)
        }
      }
      guard let best else { continue }
      if best.to == state.packs.count { state.packs.append(emptyPack(of: units[unit].kind)) }
      move(unit, to: best.to, &state)
      hasMoved = true
    }
    return hasMoved
  }

  /// Exchanges pairs of units of a small project while that is better.
  private func exchangeUnits(_ state: inout State) -> Bool {
    guard units.count <= 64 else { return false }
    for first in units.indices {
      for second in units.indices.dropFirst(first + 1) {
        let (from, to) = (state.borders[first], state.borders[second])
        guard from != to, units[first].kind == units[second].kind, units[first].anchor == nil,
          units[second].anchor == nil
        else { continue }
        var (left, right) = (state.packs[from], state.packs[to])
        left.remove(units[first])
        left.add(units[second])
        right.remove(units[second])
        right.add(units[first])
        left.cost = cost(of: left)
        right.cost = cost(of: right)
        guard left.cost + right.cost < state.packs[from].cost + state.packs[to].cost else {
          continue
        }
        state.packs[from] = left
        state.packs[to] = right
        state.borders.swapAt(first, second)
        return true
      }
    }
    return false
  }

  /// Merges packs while that is better, or while there are too many.
  @discardableResult
  private func mergePacks(_ state: inout State, downTo most: Int?) -> Bool {
    var used = state.packs.indices.filter { state.packs[$0].count > 0 }
    var changes = used.map { to in used.map { change(merging: $0, into: to, state) } }
    var hasMerged = false
    while true {
      var best: (change: Int64, from: Int, to: Int)?
      for to in used.indices where canLosePack(of: state.packs[used[to]].kind, state) {
        for from in used.indices.dropFirst(to + 1) {
          if let change = changes[to][from], change < best?.change ?? .max {
            best = (change, from, to)
          }
        }
      }
      guard let best, best.change < 0 || most.map({ used.count > $0 }) ?? false else {
        return hasMerged
      }
      let (from, to) = (used[best.from], used[best.to])
      for unit in state.borders.indices where state.borders[unit] == from {
        state.packs[from].remove(units[unit])
        state.packs[to].add(units[unit])
        state.borders[unit] = to
      }
      state.packs[from].cost = 0
      state.packs[to].cost = cost(of: state.packs[to])
      hasMerged = true
      used.remove(at: best.from)
      changes.remove(at: best.from)
      for row in changes.indices { changes[row].remove(at: best.from) }
      // Only the values of the larger pack are others.
      for other in used.indices {
        let value = change(merging: used[other], into: to, state)
        changes[best.to][other] = value
        changes[other][best.to] = value
      }
    }
  }

  /// Returns the change of the objective if two packs become one; nil if they cannot.
  private func change(merging from: Int, into to: Int, _ state: State) -> Int64? {
    guard from != to, state.packs[from].kind == state.packs[to].kind,
      state.packs[from].anchor == nil || state.packs[to].anchor == nil
    else { return nil }
    let before = state.packs[from].cost + state.packs[to].cost + conditions.penalty
    return Int64(clamping: cost(of: state.packs[to], with: state.packs[from]))
      - Int64(clamping: before)
  }
}
