import SystemIO

/// Patterns that are compared with a path together, name by name.
///
/// The patterns form a tree of their components, in which equal beginnings are one branch.
/// Components without wildcards are in a table. Other components often require a byte that a name
/// lacks, which is detected first. So the time for a name depends on the number of patterns only if
/// their wildcards can match the name.
struct PatternSet {
  /// The nodes of the tree from which a match can continue in a folder.
  struct Progress {
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
    /// The patterns that match a path that ends here.
    var matching: [Int32] = []

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

  /// Whether wildcards match a leading dot.
  private let dotIsOrdinary: Bool
  /// The nodes; the first is the root.
  private var nodes = [Node()]
  /// The nodes after names without wildcards.
  private var names: [Edge<PathDigest>: Int32] = [:]
  /// The nodes after names with wildcards.
  private var wildcards: [Edge<NamePattern>: Int32] = [:]
  /// The selectors of the patterns.
  private var selectors: [Int] = []
  private var isUsed: [Bool] = []

  init(dotIsOrdinary: Bool) { self.dotIsOrdinary = dotIsOrdinary }

  var isEmpty: Bool { selectors.isEmpty }

  /// The selectors of the patterns that matched no name.
  var unused: [Int] { selectors.indices.filter { !isUsed[$0] }.map { selectors[$0] } }

  /// The progress before the first match.
  var start: Progress {
    var progress = Progress()
    reach(0, &progress)
    return progress
  }

  /// Adds the pattern of a selector.
  mutating func add(_ pattern: PathPattern, of selector: Int) {
    let index = Int32(selectors.count)
    var node: Int32 = 0
    for (place, component) in pattern.components.enumerated() {
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
    selectors.append(selector)
    isUsed.append(false)
  }

  /// Returns whether a path that ends with this name matches a pattern.
  func matches(_ name: ArraySlice<UInt8>, _ progress: Progress) -> Bool {
    var matches = false
    forEachNode(after: progress, name) { if !nodes[$0].matching.isEmpty { matches = true } }
    return matches
  }

  /// Returns the selectors of the patterns that match a path that ends with this name, and marks
  /// them as used.
  mutating func using(_ name: ArraySlice<UInt8>, _ progress: Progress) -> [Int] {
    var matching: [Int32] = []
    forEachNode(after: progress, name) { matching += nodes[$0].matching }
    Self.removeDuplicates(&matching)
    return matching.map {
      isUsed[Int($0)] = true
      return selectors[Int($0)]
    }
  }

  /// Returns the progress after a folder's name.
  func advance(_ progress: Progress, over name: ArraySlice<UInt8>) -> Progress {
    var next = Progress()
    forEachNode(after: progress, name) { reach($0, &next) }
    Self.removeDuplicates(&next.nodes)
    return next
  }

  /// Returns the progress below a path from the source root; nil if patterns match the path or one
  /// of its parent folders.
  ///
  /// Marks their selectors as used.
  mutating func progress(
    below path: some Sequence<ArraySlice<UInt8>>
  ) -> (progress: Progress?, matching: [Int]) {
    var progress = start
    for name in path {
      let matching = using(name, progress)
      if !matching.isEmpty { return (nil, matching) }
      progress = advance(progress, over: name)
    }
    return (progress, [])
  }
}

extension PatternSet {
  /// Returns the node after `**`, which is added if it does not exist.
  private mutating func node(after node: Int32) -> Int32 {
    if let next = nodes[Int(node)].anyFolders { return next }
    let next = addNode(crossingFolders: true)
    nodes[Int(node)].anyFolders = next
    return next
  }

  /// Returns the node after a name, which is added if it does not exist.
  private mutating func node(after node: Int32, _ name: NamePattern) -> Int32 {
    if let literal = name.literal {
      let edge = Edge(node: node, name: Self.digest(of: literal[...]))
      if let next = names[edge] { return next }
      let next = addNode()
      names[edge] = next
      nodes[Int(node)].hasNames = true
      return next
    }
    let edge = Edge(node: node, name: name)
    if let next = wildcards[edge] { return next }
    let next = addNode()
    wildcards[edge] = next
    nodes[Int(node)].wildcards.append(Wildcard(needed: name.needed, pattern: name, node: next))
    return next
  }

  private mutating func addNode(crossingFolders: Bool = false) -> Int32 {
    nodes.append(Node(crossesFolders: crossingFolders))
    return Int32(nodes.count - 1)
  }

  private static func digest(of name: ArraySlice<UInt8>) -> PathDigest {
    PathDigest.Builder().appending(name).digest
  }

  /// Calls a function with the index of each node after a name.
  private func forEachNode(
    after progress: Progress, _ name: ArraySlice<UInt8>, _ body: (Int) -> Void
  ) {
    var digest: PathDigest?
    var sketch: ByteSketch?
    for index in progress.nodes {
      let node = nodes[Int(index)]
      if node.crossesFolders, dotIsOrdinary || name.first != dot { body(Int(index)) }
      if node.hasNames {
        let known = digest ?? Self.digest(of: name)
        digest = known
        if let next = names[Edge(node: index, name: known)] { body(Int(next)) }
      }
      guard !node.wildcards.isEmpty else { continue }
      let known = sketch ?? ByteSketch(name)
      sketch = known
      for wildcard in node.wildcards
      where known.has(wildcard.needed)
        && wildcard.pattern.matches(name, dotIsOrdinary: dotIsOrdinary)
      {
        body(Int(wildcard.node))
      }
    }
  }

  /// Adds a node, if a match can continue there, and the node after a following `**`, because `**`
  /// can match no folder.
  private func reach(_ node: Int, _ progress: inout Progress) {
    if nodes[node].canGoOn { progress.nodes.append(Int32(node)) }
    if let next = nodes[node].anyFolders { progress.nodes.append(next) }
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
