import SystemIO

/// Patterns that are compared with a path together, name by name.
///
/// The patterns form a tree of their components, in which equal beginnings are one branch.
/// Components without wildcards are in a table. Other components often require a byte that a name
/// lacks, which is detected first. So the time for a name depends on the number of patterns only if
/// their wildcards can match the name.
struct PatternSet {
  /// The nodes of the tree from which a match can continue in a folder.
  struct Frontier {
    fileprivate var nodes: [Int32] = []

    /// Whether no path in the folder can match.
    var isEmpty: Bool { nodes.isEmpty }
  }

  /// The end of one or more components of patterns.
  private struct Node {
    /// Whether the last component is `**`, which also matches in all subfolders.
    var crossesFolders = false
    /// Whether a name without wildcards can follow.
    var hasNames = false
    /// The names with wildcards that can follow.
    var wildcards: [Wildcard] = []
    /// The node after `**`, if that can follow.
    var anyFolders: Int32?
    /// The node before the last component.
    var parent: Int32 = 0
    /// The patterns that match a path that ends here.
    var matching: [Int32] = []
    /// The first pattern that can match below a path that ends here.
    var firstBelow: Int32?

    /// Whether it can match a name itself, or names can follow.
    var canGoOn: Bool { crossesFolders || hasNames || !wildcards.isEmpty }
  }

  /// A name with wildcards, and the node after it.
  private struct Wildcard {
    /// The bytes that a matching name must contain.
    var needed: ByteSketch
    var pattern: NamePattern
    var node: Int32
  }

  /// A name that follows a node.
  private struct Edge<Name: Hashable & Sendable>: Hashable {
    var node: Int32
    var name: Name
  }

  struct Pattern {
    var selector: Int
    /// The node after the last component.
    fileprivate var end: Int32
  }

  /// The patterns that match a name.
  struct Match {
    /// The selector of the first one.
    var selector: Int
    /// Whether one of them is not marked as used.
    var isNew: Bool
  }

  /// Whether wildcards match a leading dot.
  private let dotIsOrdinary: Bool
  /// The nodes; the first is the root.
  private var nodes = [Node()]
  /// The nodes after names without wildcards.
  private var names: [Edge<PathDigest>: Int32] = [:]
  /// The nodes after names with wildcards.
  private var wildcards: [Edge<NamePattern>: Int32] = [:]
  private var patterns: [Pattern] = []

  init(dotIsOrdinary: Bool) { self.dotIsOrdinary = dotIsOrdinary }

  var isEmpty: Bool { patterns.isEmpty }

  /// The frontier before the first match.
  var start: Frontier {
    var frontier = Frontier()
    reach(0, &frontier)
    return frontier
  }

  mutating func add(_ pattern: PathPattern, of selector: Int) {
    let index = Int32(patterns.count)
    var node: Int32 = 0
    for (place, component) in pattern.components.enumerated() {
      nodes[Int(node)].firstBelow = nodes[Int(node)].firstBelow ?? index
      switch component {
      case .anyFolders:
        // A final `**` also matches no folder.
        if place > 0, place == pattern.components.count - 1 {
          nodes[Int(node)].matching.append(index)
        }
        node = self.node(after: node)
      case .name(let name): node = self.node(after: node, name)
      }
    }
    if node > 0 { nodes[Int(node)].matching.append(index) }
    if nodes[Int(node)].crossesFolders {
      nodes[Int(node)].firstBelow = nodes[Int(node)].firstBelow ?? index
    }
    patterns.append(Pattern(selector: selector, end: node))
  }

  /// Returns whether a path that ends with this name matches a pattern.
  func matches(_ name: ArraySlice<UInt8>, _ frontier: Frontier) -> Bool {
    var matches = false
    forEachNode(after: frontier, name) { if !nodes[$0].matching.isEmpty { matches = true } }
    return matches
  }

  /// Returns the match of a path that ends with this name.
  func match(_ name: ArraySlice<UInt8>, _ frontier: Frontier, _ marks: Marks) -> Match? {
    var first = Int32.max
    var isNew = false
    forEachNode(after: frontier, name) { node in
      guard let pattern = nodes[node].matching.first else { return }
      first = min(first, pattern)
      if !marks.isUsed[node] { isNew = true }
    }
    return first == .max ? nil : Match(selector: patterns[Int(first)].selector, isNew: isNew)
  }

  /// Returns the selectors of all patterns that match a path that ends with this name.
  func selectors(matching name: ArraySlice<UInt8>, _ frontier: Frontier) -> [Int] {
    var matching: [Int32] = []
    forEachNode(after: frontier, name) { matching += nodes[$0].matching }
    Self.removeDuplicates(&matching)
    return matching.map { patterns[Int($0)].selector }
  }

  /// Returns the frontier after a folder's name.
  func advance(_ frontier: Frontier, over name: ArraySlice<UInt8>) -> Frontier {
    var next = Frontier()
    forEachNode(after: frontier, name) { reach($0, &next) }
    Self.removeDuplicates(&next.nodes)
    return next
  }

  /// The end of a path, as a set of patterns sees it.
  enum Reached {
    /// The frontier in a folder that no pattern matches.
    case folder(Frontier)
    /// The first name of the path that a pattern matches, and the frontier before it.
    case match(ArraySlice<UInt8>, Frontier)

    /// The frontier; nil if a pattern matches.
    var frontier: Frontier? {
      if case .folder(let frontier) = self { frontier } else { nil }
    }
  }

  /// Follows a path from the source root to its end, or to a match of the path or a parent folder.
  func follow(_ path: some Sequence<ArraySlice<UInt8>>) -> Reached {
    var frontier = start
    for name in path {
      if matches(name, frontier) { return .match(name, frontier) }
      frontier = advance(frontier, over: name)
    }
    return .folder(frontier)
  }
}

extension PatternSet {
  /// The results of a walk for the patterns of a set.
  struct Marks {
    /// Whether the patterns that end at a node matched a path.
    fileprivate var isUsed = Flags()
    /// Whether the patterns that can match below a node count as used.
    fileprivate var isUsedBelow = Flags()
    /// The first link that the patterns that can match below a node did not follow, and its number.
    fileprivate var links: [Int32: (number: Int, path: [UInt8])] = [:]
  }

  /// A flag for each node.
  fileprivate struct Flags {
    private var values: [Bool] = []

    subscript(node: Int) -> Bool { node < values.count && values[node] }

    mutating func set(_ node: Int) {
      if node >= values.count {
        values.append(contentsOf: repeatElement(false, count: node + 1 - values.count))
      }
      values[node] = true
    }
  }

  /// Marks the patterns that match a path that ends with this name as used.
  func mark(_ name: ArraySlice<UInt8>, _ frontier: Frontier, _ marks: inout Marks) {
    forEachNode(after: frontier, name) { if !nodes[$0].matching.isEmpty { marks.isUsed.set($0) } }
  }

  /// Marks the patterns that can match in a folder as used.
  func mark(below frontier: Frontier, _ marks: inout Marks) {
    for node in frontier.nodes { marks.isUsedBelow.set(Int(node)) }
  }

  /// Records a link that the patterns that could match in its target did not follow.
  func note(link path: [UInt8], below frontier: Frontier, _ marks: inout Marks) {
    for node in frontier.nodes where marks.links[node] == nil {
      marks.links[node] = (marks.links.count, path)
    }
  }

  /// Returns the patterns that are not marked as used, in the order in which they were added.
  func unused(_ marks: Marks) -> [Pattern] {
    patterns.filter { pattern in
      let end = Int(pattern.end)
      if marks.isUsed[end] { return false }
      // A final `**` also matches no folder.
      if nodes[end].crossesFolders, marks.isUsed[Int(nodes[end].parent)] { return false }
      return !nodesBelow(pattern).contains { marks.isUsedBelow[Int($0)] }
    }
  }

  /// Returns the first link that a pattern did not follow.
  func link(passedBy pattern: Pattern, _ marks: Marks) -> [UInt8]? {
    nodesBelow(pattern).compactMap { marks.links[$0] }.min { $0.number < $1.number }?.path
  }

  /// Returns the first selector with a pattern that can match in a folder.
  func firstSelector(below frontier: Frontier) -> Int? {
    frontier.nodes.compactMap { nodes[Int($0)].firstBelow }.min().map { patterns[Int($0)].selector }
  }

  /// Returns the selectors of all patterns that can match in a folder.
  func selectors(below frontier: Frontier) -> [Int] {
    let nodes = Set(frontier.nodes)
    return patterns.filter { nodesBelow($0).contains { nodes.contains($0) } }.map(\.selector)
  }

  /// Returns the nodes from which a pattern can match more names.
  private func nodesBelow(_ pattern: Pattern) -> [Int32] {
    var found: [Int32] = []
    var node = pattern.end
    if nodes[Int(node)].crossesFolders { found.append(node) }
    while node > 0 {
      node = nodes[Int(node)].parent
      found.append(node)
    }
    return found
  }
}

extension PatternSet {
  /// Returns the node after `**`, which is added if it does not exist.
  private mutating func node(after node: Int32) -> Int32 {
    if let next = nodes[Int(node)].anyFolders { return next }
    let next = addNode(after: node, crossingFolders: true)
    nodes[Int(node)].anyFolders = next
    return next
  }

  /// Returns the node after a name, which is added if it does not exist.
  private mutating func node(after node: Int32, _ name: NamePattern) -> Int32 {
    if let literal = name.literal {
      let edge = Edge(node: node, name: Self.digest(of: literal[...]))
      if let next = names[edge] { return next }
      let next = addNode(after: node)
      names[edge] = next
      nodes[Int(node)].hasNames = true
      return next
    }
    let edge = Edge(node: node, name: name)
    if let next = wildcards[edge] { return next }
    let next = addNode(after: node)
    wildcards[edge] = next
    nodes[Int(node)].wildcards.append(Wildcard(needed: name.needed, pattern: name, node: next))
    return next
  }

  private mutating func addNode(after parent: Int32, crossingFolders: Bool = false) -> Int32 {
    nodes.append(Node(crossesFolders: crossingFolders, parent: parent))
    return Int32(nodes.count - 1)
  }

  private static func digest(of name: ArraySlice<UInt8>) -> PathDigest {
    PathDigest.Builder().appending(name).digest
  }

  /// Calls a function with the index of each node after a name.
  private func forEachNode(
    after frontier: Frontier, _ name: ArraySlice<UInt8>, _ body: (Int) -> Void
  ) {
    var digest: PathDigest?
    var sketch: ByteSketch?
    for index in frontier.nodes {
      let place = Int(index)
      if nodes[place].crossesFolders, dotIsOrdinary || name.first != dot { body(place) }
      if nodes[place].hasNames {
        let known = digest ?? Self.digest(of: name)
        digest = known
        if let next = names[Edge(node: index, name: known)] { body(Int(next)) }
      }
      if nodes[place].wildcards.isEmpty { continue }
      let known = sketch ?? ByteSketch(name)
      sketch = known
      for wildcard in nodes[place].wildcards
      where known.has(wildcard.needed)
        && wildcard.pattern.matches(name, dotIsOrdinary: dotIsOrdinary)
      {
        body(Int(wildcard.node))
      }
    }
  }

  /// Adds a node, if a match can continue there, and the node after a following `**`, because `**`
  /// can match no folder.
  private func reach(_ node: Int, _ frontier: inout Frontier) {
    if nodes[node].canGoOn { frontier.nodes.append(Int32(node)) }
    if let next = nodes[node].anyFolders { frontier.nodes.append(next) }
  }

  /// Sorts numbers, and removes duplicates.
  private static func removeDuplicates(_ numbers: inout [Int32]) {
    guard numbers.count > 1 else { return }
    numbers.sort()
    var last: Int32?
    numbers.removeAll { number in
      defer { last = number }
      return number == last
    }
  }
}
