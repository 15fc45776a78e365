/// Sets of packs.
///
/// Each set is stored once, as a smaller set and the pack that was added.
///
/// Hundreds of packs that share a folder therefore need little memory.
struct PackSets: Sendable {
  /// A set of packs; the empty one is 0.
  typealias Number = Int32

  private struct Growth: Hashable {
    var set: Number
    var pack: Int32
  }

  private var sets: [Growth] = [Growth(set: 0, pack: -1)]
  private var numbers: [Growth: Number] = [:]

  /// Returns the set with one more pack.
  mutating func adding(_ pack: Int, to set: Number) -> Number {
    let growth = Growth(set: set, pack: Int32(pack))
    if let known = numbers[growth] { return known }
    let number = Number(sets.count)
    sets.append(growth)
    numbers[growth] = number
    return number
  }

  /// Returns the packs of a set, in the order in which they were added.
  func members(of set: Number) -> [Int] {
    var packs: [Int] = []
    var set = set
    while set != 0 {
      packs.append(Int(sets[Int(set)].pack))
      set = sets[Int(set)].set
    }
    return packs.reversed()
  }
}
