import SystemIO

/// The exclusions of a manifest, matched against a name together.
///
/// All that a name is compared with stands in one array. Most patterns need a byte that the name
/// lacks, and take no more time than to see that.
struct ExclusionSet {
  /// The components that come next in a folder, by their indices; and those of them that a dropped
  /// path can end with.
  struct Progress {
    fileprivate var steps: [Int32] = []
    fileprivate var endings: [Int32] = []
  }

  /// A component of a pattern.
  private struct Step {
    /// What a name must have to match it.
    var needed: ByteSketch
    /// The index of the exclusion.
    var exclusion: Int32
    var crossesFolders: Bool
    /// Whether a path that ends here matches the whole pattern.
    var canEnd: Bool
    /// Whether another component of the same pattern follows.
    var hasNext: Bool
  }

  private var steps: [Step] = []
  /// The patterns of the components; nil for `**`.
  private var names: [NamePattern?] = []
  /// The progress before anything has matched.
  private(set) var start = Progress()
  /// The selectors of the exclusions, and whether each has dropped anything.
  private(set) var selectors: [Int] = []
  private var isUsed: [Bool] = []

  var isEmpty: Bool { selectors.isEmpty }

  /// The selectors of the exclusions that have dropped nothing.
  var unused: [Int] { selectors.indices.filter { !isUsed[$0] }.map { selectors[$0] } }

  /// Adds the exclusion of a selector.
  mutating func add(_ pattern: PathPattern, of selector: Int) {
    let first = steps.count
    let count = pattern.components.count
    for (place, component) in pattern.components.enumerated() {
      let isLast = place == count - 1
      let isBeforeLast = place == count - 2 && pattern.components[count - 1] == .anyFolders
      var step = Step(
        needed: ByteSketch(), exclusion: Int32(selectors.count), crossesFolders: false,
        canEnd: isLast, hasNext: !isLast)
      switch component {
      case .anyFolders:
        step.crossesFolders = true
        names.append(nil)
      case .name(let name):
        step.needed = name.needed
        // What follows may match nothing.
        step.canEnd = isLast || isBeforeLast
        names.append(name)
      }
      steps.append(step)
    }
    selectors.append(selector)
    isUsed.append(false)
    if first < steps.count { reach(first, &start) }
  }

  /// The selectors of the exclusions that drop a name, which are marked as used.
  mutating func dropping(_ name: ArraySlice<UInt8>, _ progress: Progress) -> [Int] {
    guard !progress.endings.isEmpty else { return [] }
    let sketch = ByteSketch(name)
    var dropping: [Int] = []
    for index in progress.endings where sketch.has(steps[Int(index)].needed) {
      let exclusion = Int(steps[Int(index)].exclusion)
      guard dropping.last != selectors[exclusion], matches(Int(index), name) else { continue }
      isUsed[exclusion] = true
      dropping.append(selectors[exclusion])
    }
    return dropping
  }

  /// The progress after a folder's name.
  func advance(_ progress: Progress, over name: ArraySlice<UInt8>) -> Progress {
    var next = Progress()
    guard !progress.steps.isEmpty else { return next }
    let sketch = ByteSketch(name)
    next.steps.reserveCapacity(progress.steps.count)
    next.endings.reserveCapacity(progress.endings.count)
    for index in progress.steps {
      let step = steps[Int(index)]
      if step.crossesFolders {
        reach(Int(index), &next)
      } else if step.hasNext, sketch.has(step.needed), matches(Int(index), name) {
        reach(Int(index) + 1, &next)
      }
    }
    return next
  }

  /// The progress below a path from the source root; nil if exclusions drop the path or a folder
  /// on the way, with their selectors.
  mutating func progress(
    below path: some Sequence<ArraySlice<UInt8>>
  ) -> (progress: Progress?, dropping: [Int]) {
    var progress = start
    for name in path {
      let dropping = dropping(name, progress)
      if !dropping.isEmpty { return (nil, dropping) }
      progress = advance(progress, over: name)
    }
    return (progress, [])
  }

  private func matches(_ index: Int, _ name: ArraySlice<UInt8>) -> Bool {
    names[index]?.matches(name, dotIsOrdinary: true) ?? true
  }

  /// Adds a component; if it is `**`, also the next, because `**` may match no folder.
  ///
  /// Components of one pattern are added in ascending order, and none is repeated more than two
  /// later.
  private func reach(_ index: Int, _ progress: inout Progress) {
    if !progress.steps.suffix(3).contains(Int32(index)) {
      progress.steps.append(Int32(index))
      if steps[index].canEnd { progress.endings.append(Int32(index)) }
    }
    if steps[index].crossesFolders, steps[index].hasNext { reach(index + 1, &progress) }
  }
}
