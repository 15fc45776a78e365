/// The decision, name by name, whether selectors select a file: all files or the matches of
/// patterns, without exclusions.
///
/// ``Resolver`` compares the names in a source with one selector at a time. ``SelectorReach``
/// compares the paths of a pack with all selectors together, because each path can belong to any
/// selector and any source.
struct SelectorMatcher {
  /// The progress of patterns and exclusions in a folder.
  struct Progress {
    /// Whether all files in the folder are selected.
    var choosesAll: Bool
    /// The patterns that can still match, by their indices.
    fileprivate var patterns: [(index: Int, progress: PathPattern.Progress)]
    fileprivate var exclusions: ExclusionSet.Progress
  }

  /// The patterns, which all begin in one folder.
  var patterns: [PathPattern] = []
  var exclusions = ExclusionSet()

  /// Returns the progress in a fully selected folder, or in the folder where all patterns begin.
  func start(choosingAll choosesAll: Bool, _ exclusions: ExclusionSet.Progress) -> Progress {
    let starts = choosesAll ? [] : patterns.enumerated().map { ($0.offset, $0.element.start) }
    return Progress(choosesAll: choosesAll, patterns: starts, exclusions: exclusions)
  }

  /// Whether a file with this name is selected, regardless of exclusions.
  func chooses(_ name: ArraySlice<UInt8>, _ progress: Progress) -> Bool {
    progress.choosesAll
      || progress.patterns.contains { patterns[$0.index].accepts($0.progress, name) }
  }

  /// Returns the selectors of the exclusions that match a name, and marks them as used.
  mutating func dropping(_ name: ArraySlice<UInt8>, _ progress: Progress) -> [Int] {
    exclusions.dropping(name, progress.exclusions)
  }

  /// Returns the progress after a folder's name; nil if no file in the folder can be selected.
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
