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
  ///
  /// Packs with equal paths are compared once, so that the time is linear in the number of
  /// languages with the same files.
  package init(
    of members: [Member], paths visit: (_ number: Int, (AssetPath) -> Void) -> Void
  ) {
    var search = Search()
    let nodes = members.map { member in
      let word = LanguageWord(member.language)
      var paths: Set<UInt64> = []
      visit(member.number) { paths.insert(fingerprint(of: word.commonPart(of: $0))) }
      return search.node(with: paths, in: member.language.meaning)
    }
    search.join()
    // A pack without a related one is a group.
    var groups: [[Int]] = []
    var places: [Int: Int] = [:]
    for (member, node) in zip(members, nodes) {
      guard let group = search.group(of: node) else {
        groups.append([member.number])
        continue
      }
      if let place = places[group] {
        groups[place].append(member.number)
      } else {
        places[group] = groups.count
        groups.append([member.number])
      }
    }
    self.groups = groups
  }

  /// The search for related packs.
  ///
  /// All packs with equal paths and equal languages are one node.
  private struct Search {
    private struct Node {
      let meaning: LanguageMeaning
      /// A node of the same group; its own number for the first one.
      var parent: Int
      /// Whether a pack of another node is related.
      var isRelated = false
    }

    private struct Pair: Hashable {
      var one: Int
      var other: Int
    }

    private var nodes: [Node] = []
    /// The different sets of paths, and the nodes with each of them.
    private var sets: [Set<UInt64>: Int] = [:]
    private var nodesOfSet: [[LanguageMeaning: Int]] = []

    /// Returns the node of a pack.
    mutating func node(with paths: Set<UInt64>, in meaning: LanguageMeaning) -> Int {
      let set = sets[paths] ?? sets.count
      if set == sets.count {
        sets[paths] = set
        nodesOfSet.append([:])
      }
      if let node = nodesOfSet[set][meaning] { return node }
      nodesOfSet[set][meaning] = nodes.count
      nodes.append(Node(meaning: meaning, parent: nodes.count))
      return nodes.count - 1
    }

    /// Joins the nodes of different languages that share enough paths.
    mutating func join() {
      let numbers = nodesOfSet.map { $0.values.sorted() }
      for (paths, set) in sets where !paths.isEmpty { relate(numbers[set], numbers[set]) }
      let counts = sets.reduce(into: [Int](repeating: 0, count: sets.count)) { counts, set in
        counts[set.value] = set.key.count
      }
      for (pair, count) in sharedPaths where count * 2 >= min(counts[pair.one], counts[pair.other])
      {
        relate(numbers[pair.one], numbers[pair.other])
      }
    }

    /// The number of shared paths of each pair of sets.
    private var sharedPaths: [Pair: Int] {
      var owners = PackSets()
      var ownersOfPath: [UInt64: PackSets.Number] = [:]
      for (paths, set) in sets.sorted(by: { $0.value < $1.value }) {
        for path in paths { ownersOfPath[path] = owners.adding(set, to: ownersOfPath[path] ?? 0) }
      }
      var sizes: [PackSets.Number: Int] = [:]
      for set in ownersOfPath.values { sizes[set, default: 0] += 1 }
      var shared: [Pair: Int] = [:]
      for (set, size) in sizes {
        let members = owners.members(of: set)
        for (index, one) in members.enumerated() {
          for other in members[(index + 1)...] {
            shared[Pair(one: one, other: other), default: 0] += size
          }
        }
      }
      return shared
    }

    /// Joins the nodes of two sets of paths if their languages are different.
    ///
    /// No two nodes of a set have the same language. So if a set has a node with another language
    /// than a given node, one of its first two nodes is such a node.
    private mutating func relate(_ some: [Int], _ others: [Int]) {
      for (from, to) in [(some, others), (others, some)] {
        for node in from {
          guard let other = to.prefix(2).first(where: { nodes[$0].meaning != nodes[node].meaning })
          else { continue }
          let roots = (root(node), root(other))
          nodes[max(roots.0, roots.1)].parent = min(roots.0, roots.1)
          nodes[node].isRelated = true
          nodes[other].isRelated = true
        }
      }
    }

    private mutating func root(_ node: Int) -> Int {
      var node = node
      while nodes[node].parent != node {
        nodes[node].parent = nodes[nodes[node].parent].parent
        node = nodes[node].parent
      }
      return node
    }

    /// Returns a number for the group of a node; nil if no other node is related.
    mutating func group(of node: Int) -> Int? { nodes[node].isRelated ? root(node) : nil }
  }
}
