/// Decides, name by name, what selectors choose below a folder: everything, or what patterns match,
/// unless an exclusion drops it.
///
/// ``Resolver`` compares the names in a source with one selector at a time. ``SelectorReach``
/// compares the paths of a pack with all selectors together, because a path may come from any of
/// them, and from any source.
struct SelectorMatcher {
  /// How far patterns and exclusions have matched in a folder.
  struct Progress {
    /// Whether everything in the folder is chosen.
    var choosesAll: Bool
    /// The patterns that can still match something, by their indices.
    fileprivate var patterns: [(index: Int, progress: PathPattern.Progress)]
    fileprivate var exclusions: ExclusionSet.Progress
  }

  /// The patterns, all of which begin in one folder.
  var patterns: [PathPattern] = []
  var exclusions = ExclusionSet()

  /// The progress in a folder that is chosen with everything in it, or where all patterns begin.
  func start(choosingAll choosesAll: Bool, _ exclusions: ExclusionSet.Progress) -> Progress {
    let starts = choosesAll ? [] : patterns.enumerated().map { ($0.offset, $0.element.start) }
    return Progress(choosesAll: choosesAll, patterns: starts, exclusions: exclusions)
  }

  /// Whether a file of this name is chosen, unless an exclusion drops it.
  func chooses(_ name: ArraySlice<UInt8>, _ progress: Progress) -> Bool {
    progress.choosesAll
      || progress.patterns.contains { patterns[$0.index].accepts($0.progress, name) }
  }

  /// The selectors of the exclusions that drop a name, which are marked as used.
  mutating func dropping(_ name: ArraySlice<UInt8>, _ progress: Progress) -> [Int] {
    exclusions.dropping(name, progress.exclusions)
  }

  /// The progress after a folder's name; nil if nothing in the folder can be chosen.
  func advance(_ progress: Progress, over name: ArraySlice<UInt8>) -> Progress? {
    let next = progress.patterns.compactMap { index, progress in
      let next = patterns[index].advance(progress, over: name)
      return patterns[index].canGoOn(next) ? (index, next) : nil
    }
    guard progress.choosesAll || !next.isEmpty else { return nil }
    return Progress(
      choosesAll: progress.choosesAll, patterns: next,
      exclusions: exclusions.advance(progress.exclusions, over: name))
  }
}
