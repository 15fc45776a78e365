import SystemIO

/// The exclusions of a manifest, which are matched against a name together.
///
/// The comparison data is in one array. Most patterns require a byte that the name lacks, which is
/// detected first.
struct ExclusionSet {
  /// The pattern components that can match next in a folder, by index, and the components among
  /// them that can end a match.
  struct Progress {
    fileprivate var steps: [Int32] = []
    fileprivate var endings: [Int32] = []
  }

  /// A component of a pattern.
  private struct Step {
    /// The bytes that a matching name must contain.
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
  /// The progress before the first match.
  private(set) var start = Progress()
  /// The selectors of the exclusions.
  private(set) var selectors: [Int] = []
  private var isUsed: [Bool] = []

  var isEmpty: Bool { selectors.isEmpty }

  /// The selectors of the exclusions that excluded no file.
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
        // The rest of the pattern can match an empty path.
        step.canEnd = isLast || isBeforeLast
        names.append(name)
      }
      steps.append(step)
    }
    selectors.append(selector)
    isUsed.append(false)
    if first < steps.count { reach(first, &start) }
  }

  /// Returns the selectors of the exclusions that exclude a name, and marks them as used.
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

  /// Returns the progress after a folder's name.
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

  /// Returns the progress below a path from the source root; nil if exclusions exclude the path or
  /// one of its parent folders, whose selectors are marked as used.
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

  /// Adds a component.
  ///
  /// If it is `**`, the next component is also added, because `**` can match no folder. Components
  /// of one pattern are added in ascending order, and each at most once within two steps.
  private func reach(_ index: Int, _ progress: inout Progress) {
    if !progress.steps.suffix(3).contains(Int32(index)) {
      progress.steps.append(Int32(index))
      if steps[index].canEnd { progress.endings.append(Int32(index)) }
    }
    if steps[index].crossesFolders, steps[index].hasNext { reach(index + 1, &progress) }
  }
}
