/// The decision, name by name, whether selectors select a file: all files or the matches of
/// patterns, without exclusions.
///
/// ``Resolver`` compares the names in a source with one folder selector at a time, or with all
/// patterns that begin in the same folder. ``SelectorReach`` compares the paths of a pack with all
/// selectors together, because each path can belong to any selector and any source.
struct SelectorMatcher {
  /// The progress of patterns and exclusions in a folder.
  struct Progress {
    /// Whether all files in the folder are selected.
    var choosesAll: Bool
    fileprivate(set) var patterns: PatternSet.Progress
    fileprivate(set) var exclusions: PatternSet.Progress
  }

  /// The patterns, which all begin in one folder.
  var patterns = PatternSet(dotIsOrdinary: false)
  var exclusions = PatternSet(dotIsOrdinary: true)

  /// Returns the progress in a fully selected folder, or in the folder where all patterns begin.
  func start(choosingAll choosesAll: Bool, _ exclusions: PatternSet.Progress) -> Progress {
    Progress(
      choosesAll: choosesAll, patterns: choosesAll ? PatternSet.Progress() : patterns.start,
      exclusions: exclusions)
  }

  /// Whether a file with this name is selected, regardless of exclusions.
  func chooses(_ name: ArraySlice<UInt8>, _ progress: Progress) -> Bool {
    progress.choosesAll || patterns.matches(name, progress.patterns)
  }

  /// Whether an exclusion matches a name.
  func excludes(_ name: ArraySlice<UInt8>, _ progress: Progress) -> Bool {
    exclusions.matches(name, progress.exclusions)
  }

  /// Returns the progress after a folder's name; nil if no file in the folder can be selected.
  func advance(_ progress: Progress, over name: ArraySlice<UInt8>) -> Progress? {
    let patterns = patterns.advance(progress.patterns, over: name)
    guard progress.choosesAll || !patterns.isEmpty else { return nil }
    return Progress(
      choosesAll: progress.choosesAll, patterns: patterns,
      exclusions: exclusions.advance(progress.exclusions, over: name))
  }
}
