/// The decision, name by name, whether selectors select a file: all files or the matches of
/// patterns, without exclusions.
///
/// ``Resolver`` compares the names in a source with one folder selector at a time, or with all
/// patterns that begin in the same folder. ``SelectorReach`` compares the paths of a pack with all
/// selectors together, because each path can belong to any selector and any source.
struct SelectorMatcher {
  /// The frontier of patterns and exclusions in a folder.
  struct Frontier {
    /// Whether all files in the folder are selected.
    var choosesAll: Bool
    fileprivate(set) var patterns: PatternSet.Frontier
    fileprivate(set) var exclusions: PatternSet.Frontier
  }

  /// The patterns, which all begin in one folder.
  var patterns = PatternSet(dotIsOrdinary: false)
  var exclusions = PatternSet(dotIsOrdinary: true)

  /// Returns the frontier in a fully selected folder, or in the folder where all patterns begin.
  func start(choosingAll choosesAll: Bool, _ exclusions: PatternSet.Frontier) -> Frontier {
    Frontier(
      choosesAll: choosesAll, patterns: choosesAll ? PatternSet.Frontier() : patterns.start,
      exclusions: exclusions)
  }

  /// Whether a file with this name is selected, regardless of exclusions.
  func chooses(_ name: ArraySlice<UInt8>, _ frontier: Frontier) -> Bool {
    frontier.choosesAll || patterns.matches(name, frontier.patterns)
  }

  /// Whether an exclusion matches a name.
  func excludes(_ name: ArraySlice<UInt8>, _ frontier: Frontier) -> Bool {
    exclusions.matches(name, frontier.exclusions)
  }

  /// Returns the frontier after a folder's name; nil if no file in the folder can be selected.
  func advance(_ frontier: Frontier, over name: ArraySlice<UInt8>) -> Frontier? {
    let patterns = patterns.advance(frontier.patterns, over: name)
    guard frontier.choosesAll || !patterns.isEmpty else { return nil }
    return Frontier(
      choosesAll: frontier.choosesAll, patterns: patterns,
      exclusions: exclusions.advance(frontier.exclusions, over: name))
  }
}
