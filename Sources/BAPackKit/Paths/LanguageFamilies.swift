/// Groups of localized packs with the same files in different languages.
///
/// Packs of two languages belong to one group if at least half of the paths of the smaller pack are
/// in both. Languages within the paths are ignored. The IDs of the packs do not matter.
package struct LanguageFamilies: Sendable {
  /// The groups of packs, by their numbers in ascending order.
  package private(set) var groups: [[Int]]

  /// A localized pack.
  package struct Member: Sendable {
    /// The number of the pack.
    package var number: Int
    /// The language of the pack.
    package var language: LanguageTag

    package init(number: Int, language: LanguageTag) {
      self.number = number
      self.language = language
    }
  }

  /// Divides packs into groups; `visit` passes each path of the pack with a number.
  package init(
    of members: [Member], paths visit: (_ number: Int, (AssetPath) -> Void) -> Void
  ) {
    var owners = PackSets()
    var sets: [UInt64: PackSets.Number] = [:]
    var counts = [Int](repeating: 0, count: members.count)
    for (place, member) in members.enumerated() {
      let word = LanguageWord(member.language)
      var own: Set<UInt64> = []
      visit(member.number) { own.insert(fingerprint(of: word.commonPart(of: $0))) }
      counts[place] = own.count
      for path in own { sets[path] = owners.adding(place, to: sets[path] ?? 0) }
    }
    // The number of shared paths of each pair of packs.
    var shared: [Pair: Int] = [:]
    var sizes: [PackSets.Number: Int] = [:]
    for set in sets.values { sizes[set, default: 0] += 1 }
    for (set, size) in sizes {
      let places = owners.members(of: set)
      for (index, one) in places.enumerated() {
        for other in places[(index + 1)...] {
          shared[Pair(one: one, other: other), default: 0] += size
        }
      }
    }
    var parents = Array(members.indices)
    func root(_ place: Int) -> Int {
      var place = place
      while parents[place] != place { place = parents[place] }
      return place
    }
    for (pair, count) in shared where count * 2 >= min(counts[pair.one], counts[pair.other]) {
      let (one, other) = (members[pair.one].language, members[pair.other].language)
      guard !one.isEquivalent(to: other) else { continue }
      let roots = (root(pair.one), root(pair.other))
      parents[max(roots.0, roots.1)] = min(roots.0, roots.1)
    }
    groups = Dictionary(grouping: members.indices, by: root).sorted { $0.key < $1.key }
      .map { $0.value.map { members[$0].number } }
  }

  private struct Pair: Hashable {
    var one: Int
    var other: Int
  }
}
