import BAPackKit
import SystemIO

/// Selectors of new files: whole folders where they contain no other files, or else single files.
struct SelectorDraft {
  private let tree: AssetTree
  private let states: [NewFiles.State]
  private let patterns: ExclusionPatterns
  /// The manifest that gets the selectors; nil for a new one.
  private let pack: ExistingPack?
  private let offset: RootOffset
  /// The paths of the files in the pack.
  private let destinations: [Int: [UInt8]]
  private let members: [Int]
  private(set) var selectors: [FileSelector] = []

  /// The maximum number of exclusions in a folder that is selected as a whole.
  private static let mostExclusions = 8

  init(
    of destinations: [Int: [UInt8]], in tree: AssetTree, _ states: [NewFiles.State],
    _ patterns: ExclusionPatterns, to pack: ExistingPack?
  ) {
    self.tree = tree
    self.states = states
    self.patterns = patterns
    self.pack = pack
    self.destinations = destinations
    offset = pack?.offset ?? .inside([])
    members = destinations.keys.sorted()
    cover(AssetTree.rootFolder, members[...])
  }

  private mutating func cover(_ folder: Int, _ members: ArraySlice<Int>) {
    if addWhole(folder, members) { return }
    for file in members.prefix(while: { tree.ownFiles(of: folder).contains($0) }) { add(file) }
    var rest = members.drop { tree.ownFiles(of: folder).contains($0) }
    for subfolder in tree.subfolders(of: folder) where !rest.isEmpty {
      let range = tree.allFiles(of: subfolder)
      let inner = rest.prefix { range.contains($0) }
      if inner.isEmpty { continue }
      cover(subfolder, inner)
      rest = rest.dropFirst(inner.count)
    }
  }

  private mutating func add(_ file: Int) {
    guard let path = offset.path(of: tree.path(ofFile: file)), let source = text(path),
      let destination = destinations[file], let target = text(destination)
    else { return }
    if path != destination {
      selectors.append(.renamedFile(source: source, destination: target))
    } else if SelectorText.hasWildcards(source) {
      selectors.append(.filePattern(SelectorText.escaped(source)))
    } else {
      selectors.append(.file(source))
    }
  }

  /// Adds a folder as a whole; returns false if it contains files that are in other packs.
  private mutating func addWhole(_ folder: Int, _ members: ArraySlice<Int>) -> Bool {
    guard folder != AssetTree.rootFolder, !isAround(folder, members),
      let path = offset.path(of: tree.path(ofFolder: folder)), !path.isEmpty,
      let source = text(path), let target = destination(of: folder, members),
      let exclusions = exclusions(in: folder, members.count)
    else { return false }
    if target != path {
      guard let target = target.isEmpty ? "." : text(target) else { return false }
      selectors.append(.renamedDirectory(source: source, destination: target))
    } else if SelectorText.hasWildcards(source) {
      guard exclusions.isEmpty else { return false }
      selectors.append(.filePattern(SelectorText.escaped(source) + "/**/*"))
    } else {
      selectors.append(.directory(source))
    }
    for exclusion in exclusions where !selectors.contains(exclusion) {
      selectors.append(exclusion)
    }
    return true
  }

  /// Returns whether all files are in one subfolder, such as one of several levels.
  private func isAround(_ folder: Int, _ members: ArraySlice<Int>) -> Bool {
    tree.subfolders(of: folder).contains { subfolder in
      let range = tree.allFiles(of: subfolder)
      return members.first.map(range.contains) ?? false
        && members.last.map(range.contains) ?? false
    }
  }

  /// Returns the folder in the pack in which files have the same paths as in a folder of the tree;
  /// nil if there is none.
  private func destination(of folder: Int, _ members: ArraySlice<Int>) -> [UInt8]? {
    let prefix = tree.path(ofFolder: folder).count + 1
    var common: [UInt8]?
    for file in members {
      let rest = tree.path(ofFile: file).dropFirst(prefix)
      guard let path = destinations[file], path.count >= rest.count,
        path.suffix(rest.count).elementsEqual(rest)
      else { return nil }
      var start = path.dropLast(rest.count)
      if !start.isEmpty, start.popLast() != slash { return nil }
      if let common, !common.elementsEqual(start) { return nil }
      common = Array(start)
    }
    return common
  }

  /// Returns the exclusions of the other entries in a folder; nil if one of them is in another
  /// pack, or if there are many exclusions.
  private func exclusions(in folder: Int, _ count: Int) -> [FileSelector]? {
    let all = tree.allFiles(of: folder)
    guard all.count > count else { return [] }
    var exclusions = ExclusionList()
    for entry in all where destinations[entry] == nil {
      guard states[entry] == .leftOut else { return nil }
      // The manifest already excludes it.
      let path = tree.path(ofFile: entry)
      if pack?.exclusion(of: path) != nil { continue }
      if let own = offset.path(of: path), exclusions.excludes(own) { continue }
      let selector = patterns.exclusion(of: entry, at: offset, in: pack) { other in
        all.contains(other) && states[other] == .leftOut
      }
      guard let selector else { return nil }
      exclusions.append(selector)
      guard exclusions.selectors.count <= min(Self.mostExclusions, count / 2) else { return nil }
    }
    return exclusions.selectors
  }

  private func text(_ path: [UInt8]) -> String? { String(validating: path, as: UTF8.self) }
}
