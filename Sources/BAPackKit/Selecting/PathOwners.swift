import SystemIO

/// Which of several packs have a path, for very many paths and packs.
///
/// Packs are added in order. Each set of packs that occurs is stored once, as a smaller set and the
/// pack that was added to it. So hundreds of packs that share one folder cost no more than their
/// files.
struct PathOwners {
  /// A set of packs; the empty one is 0.
  typealias Owners = Int32

  private struct Growth: Hashable {
    var owners: Owners
    var pack: Int32
  }

  private var owners: [ArraySlice<UInt8>: Owners] = [:]
  private var sets: [Growth] = [Growth(owners: 0, pack: -1)]
  private var numbers: [Growth: Owners] = [:]

  /// Adds the files of the packs with these numbers, which are in ascending order.
  init(of packs: [SelectedPack], _ numbers: some Sequence<Int>) {
    owners.reserveCapacity(packs.reduce(0) { $0 + $1.selection.count })
    for number in numbers {
      for entry in packs[number].filePlaces {
        let path = packs[number].selection.pathInContents(at: entry)
        owners[path] = grown(owners[path] ?? 0, by: number)
      }
    }
  }

  private mutating func grown(_ owners: Owners, by pack: Int) -> Owners {
    let growth = Growth(owners: owners, pack: Int32(pack))
    if let known = numbers[growth] { return known }
    let number = Owners(sets.count)
    sets.append(growth)
    numbers[growth] = number
    return number
  }

  /// The packs that have a path, as a set that can be compared.
  func owners(of path: ArraySlice<UInt8>) -> Owners { owners[path] ?? 0 }

  /// The packs of a set, in their order.
  func packs(_ owners: Owners) -> [Int] {
    var packs: [Int] = []
    var owners = owners
    while owners != 0 {
      packs.append(Int(sets[Int(owners)].pack))
      owners = sets[Int(owners)].owners
    }
    return packs.reversed()
  }
}

extension SelectedPack {
  /// The indices of its files.
  var filePlaces: LazyFilterSequence<Range<Int>> {
    selection.indices.lazy.filter { [selection] in selection.isFile(at: $0) }
  }
}
