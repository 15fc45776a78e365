import SystemIO

/// A pattern for a path: patterns for its components, and `**` for zero or more of them.
///
/// A walk carries along how far the pattern has come at each folder (a few numbers), so that a name
/// is looked at once, whatever is above it, and folders that cannot match are not opened.
struct PathPattern: Sendable, Equatable {
  enum Component: Sendable, Equatable {
    case anyFolders
    case name(NamePattern)
  }

  /// How many components are matched; a pattern with `**` can be at several places at once.
  typealias Progress = [Int]

  private(set) var components: [Component]
  /// Whether wildcards match a leading dot.
  let dotIsOrdinary: Bool

  /// Reads the pattern of a `filePattern`, for files.
  init(forFiles text: String) throws(PatternFault) {
    components = try Self.parse(text)
    dotIsOrdinary = false
  }

  /// Reads the pattern of a `fileExclusion`: one without `/` matches at any depth, unless a leading
  /// `./` holds it at the source root.
  init(forExclusion text: String) throws(PatternFault) {
    components = try Self.parse(text)
    dotIsOrdinary = true
    if components.count == 1, components[0] != .anyFolders, !SelectorPath.isAnchored(text) {
      components.insert(.anyFolders, at: 0)
    }
  }

  /// Reads a pattern for names in lower case, in which a dot is ordinary.
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

  /// The names at the beginning of the pattern that hold no wildcard.
  ///
  /// All of them, if the pattern holds none at all.
  var literalPrefix: [FileName] {
    var names: [FileName] = []
    for case .name(let pattern) in components.prefix(while: { $0 != .anyFolders }) {
      guard let literal = pattern.literal else { break }
      names.append(FileName(literal))
    }
    return names
  }

  /// Whether it holds a `**`.
  var crossesFolders: Bool { components.contains(.anyFolders) }

  /// Takes away the first components.
  mutating func removeFirst(_ count: Int) { components.removeFirst(count) }
}

extension PathPattern {
  /// The progress before anything is matched.
  var start: Progress {
    var progress: Progress = []
    reach(0, &progress)
    return progress
  }

  /// The progress behind a folder's name; empty when nothing below it can match.
  func advance(_ progress: Progress, over name: ArraySlice<UInt8>) -> Progress {
    var next: Progress = []
    for place in progress where place < components.count {
      switch components[place] {
      case .anyFolders: if crosses(name) { reach(place, &next) }
      case .name(let pattern):
        if pattern.matches(name, dotIsOrdinary: dotIsOrdinary) { reach(place + 1, &next) }
      }
    }
    return next
  }

  /// Whether a path that ends with this name matches.
  func accepts(_ progress: Progress, _ name: ArraySlice<UInt8>) -> Bool {
    progress.contains { place in
      guard place < components.count else { return false }
      switch components[place] {
      case .anyFolders: return place + 1 == components.count && crosses(name)
      case .name(let pattern):
        return isComplete(place + 1) && pattern.matches(name, dotIsOrdinary: dotIsOrdinary)
      }
    }
  }

  /// Whether the whole path matches.
  func matches(_ path: [UInt8]) -> Bool {
    let names = path.split(separator: slash)
    guard let last = names.last else { return false }
    let progress = names.dropLast().reduce(start) { advance($0, over: $1) }
    return accepts(progress, last)
  }

  /// Whether something below could still match.
  func canGoOn(_ progress: Progress) -> Bool { progress.contains { $0 < components.count } }

  /// Whether nothing but a `**` for no component is left.
  private func isComplete(_ place: Int) -> Bool {
    place == components.count
      || (place + 1 == components.count && components[place] == .anyFolders)
  }

  private func crosses(_ name: ArraySlice<UInt8>) -> Bool { dotIsOrdinary || name.first != dot }

  /// Adds a place, and with a `**` there the one behind it, which stands for no folder.
  ///
  /// Places come in rising order, and none comes again later than two behind the last.
  private func reach(_ place: Int, _ progress: inout Progress) {
    if !progress.suffix(3).contains(place) { progress.append(place) }
    if place < components.count, components[place] == .anyFolders { reach(place + 1, &progress) }
  }
}
