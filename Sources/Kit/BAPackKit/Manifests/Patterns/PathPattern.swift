import SystemIO

/// A pattern for a path: patterns for its components, and `**` for any number of them.
///
/// A walk stores the frontier of the match (a few numbers) for each folder. So each name is
/// compared once, and folders that cannot match are not opened.
package struct PathPattern: Sendable, Equatable {
  enum Component: Sendable, Equatable {
    case anyFolders
    case name(NamePattern)
  }

  /// The numbers of matched components; a pattern with `**` can have several.
  typealias Frontier = [Int]

  private(set) var components: [Component]
  /// Whether wildcards match a leading dot.
  let dotIsOrdinary: Bool

  /// Reads the pattern of a `filePattern`, for files.
  package init(forFiles text: String) throws(PatternFault) {
    components = try Self.parse(text)
    dotIsOrdinary = false
  }

  /// Reads the pattern of a `fileExclusion`: without a `/` it matches at any depth, unless a
  /// leading `./` limits it to the source root.
  package init(forExclusion text: String) throws(PatternFault) {
    components = try Self.parse(text)
    dotIsOrdinary = true
    if components.count == 1, components[0] != .anyFolders, !SelectorPath.isAnchored(text) {
      components.insert(.anyFolders, at: 0)
    }
  }

  /// Reads a pattern for whole paths; wildcards match a leading dot.
  package init(forPaths text: String) throws(PatternFault) {
    components = try Self.parse(text)
    dotIsOrdinary = true
  }

  /// Reads a pattern for names in lower case; wildcards match a leading dot.
  init(forAnyCase text: String) throws(PatternFault) {
    components = try Self.parse(text.lowercased())
    dotIsOrdinary = true
  }

  private static func parse(_ text: String) throws(PatternFault) -> [Component] {
    var components: [Component] = []
    for part in FilePath(text.utf8).components {
      if part == "**" {
        if components.last != .anyFolders { components.append(.anyFolders) }
      } else {
        components.append(.name(try NamePattern(parsing: part)))
      }
    }
    return components
  }

  /// The leading components without wildcards.
  ///
  /// If the pattern has no wildcard, these are all of its components.
  var literalPrefix: [FileName] {
    var names: [FileName] = []
    for case .name(let pattern) in components.prefix(while: { $0 != .anyFolders }) {
      guard let literal = pattern.literal else { break }
      names.append(FileName(literal))
    }
    return names
  }

  /// The path, if the pattern matches only one.
  package var literal: AssetPath? {
    let names = literalPrefix
    guard names.count == components.count else { return nil }
    return AssetPath(unchecked: names.map(\.bytes).joined(separator: [slash]))
  }

  /// The bytes of every matching path.
  package var needed: ByteSketch {
    components.reduce(into: ByteSketch()) { needed, component in
      if case .name(let name) = component { needed.formUnion(name.needed) }
    }
  }

  /// Whether it contains a `**`.
  var crossesFolders: Bool { components.contains(.anyFolders) }

  mutating func removeFirst(_ count: Int) { components.removeFirst(count) }
}

extension PathPattern {
  /// The frontier at the beginning of a path.
  var start: Frontier {
    var frontier: Frontier = []
    reach(0, &frontier)
    return frontier
  }

  /// Returns the frontier after a folder's name; empty if no path in the folder can match.
  func advance(_ frontier: Frontier, over name: ArraySlice<UInt8>) -> Frontier {
    var next: Frontier = []
    for place in frontier where place < components.count {
      switch components[place] {
      case .anyFolders: if crosses(name) { reach(place, &next) }
      case .name(let pattern):
        if pattern.matches(name, dotIsOrdinary: dotIsOrdinary) { reach(place + 1, &next) }
      }
    }
    return next
  }

  /// Returns whether a path that ends with this name matches.
  func accepts(_ frontier: Frontier, _ name: ArraySlice<UInt8>) -> Bool {
    frontier.contains { place in
      guard place < components.count else { return false }
      switch components[place] {
      case .anyFolders: return place + 1 == components.count && crosses(name)
      case .name(let pattern):
        return isComplete(place + 1) && pattern.matches(name, dotIsOrdinary: dotIsOrdinary)
      }
    }
  }

  /// Returns whether the whole path matches.
  package func matches(_ path: [UInt8]) -> Bool { matches(path[...]) }

  /// Returns whether the whole path matches.
  package func matches(_ path: ArraySlice<UInt8>) -> Bool {
    let names = path.split(separator: slash)
    guard let last = names.last else { return false }
    let frontier = names.dropLast().reduce(start) { advance($0, over: $1) }
    return accepts(frontier, last)
  }

  /// Returns whether the path or a folder above it matches.
  package func matchesPathOrFolder(_ path: [UInt8]) -> Bool { matchesPathOrFolder(path[...]) }

  /// Returns whether the path or a folder above it matches.
  func matchesPathOrFolder(_ path: ArraySlice<UInt8>) -> Bool {
    var frontier = start
    for name in path.split(separator: slash) {
      if accepts(frontier, name) { return true }
      frontier = advance(frontier, over: name)
    }
    return false
  }

  /// Returns whether a path in the folder can match.
  func canGoOn(_ frontier: Frontier) -> Bool { frontier.contains { $0 < components.count } }

  /// Returns whether all components have matched, except a final `**`, which also matches no
  /// component.
  private func isComplete(_ place: Int) -> Bool {
    place == components.count
      || (place + 1 == components.count && components[place] == .anyFolders)
  }

  private func crosses(_ name: ArraySlice<UInt8>) -> Bool { dotIsOrdinary || name.first != dot }

  /// Adds a place; at a `**`, also adds the place after it, because `**` also matches no folder.
  ///
  /// Places are added in ascending order, and duplicates are at most two places apart.
  private func reach(_ place: Int, _ frontier: inout Frontier) {
    if !frontier.suffix(3).contains(place) { frontier.append(place) }
    if place < components.count, components[place] == .anyFolders { reach(place + 1, &frontier) }
  }
}
