import SourceDiagnostics
import SystemIO
import TerminalText

/// A search for the intended path or pattern if a path or pattern matches no file.
///
/// The number of compared names in one run is limited, because a suggestion is not worth a long
/// wait. When the limit is reached, no more suggestions are made.
struct NearestPath<Tree: SourceTree> {
  private let tree: Tree
  /// The remaining number of names to compare.
  private(set) var namesLeft: Int
  /// The names in the last folder, which is often the folder of the next missing file.
  private var last: (folder: [FileName], names: [(text: String, kind: FileKind)])?

  init(in tree: Tree, lookingAt names: Int = 200_000) {
    self.tree = tree
    namesLeft = names
  }

  /// Returns the path with its wrong components replaced by the nearest existing names; nil if a
  /// component has no near name, or if more than two components are wrong.
  mutating func search(for path: [FileName], expectsFolder: Bool) -> [FileName]? {
    var path = path
    for attempt in 0...2 {
      let missing: Int
      do throws(LookupFault) {
        let found = try tree.lookUp(path, from: tree.root)
        guard attempt > 0 else { return nil }
        if case .folder = found { return expectsFolder ? path : nil }
        return expectsFolder ? nil : path
      } catch {
        guard case .missing(let found) = error else { return nil }
        missing = found
      }
      let isLast = missing == path.count - 1
      let folder = Array(path[..<missing])
      guard let name = nearest(to: path[missing], in: folder, folders: expectsFolder || !isLast)
      else { return nil }
      path[missing] = FileName(name)
    }
    return nil
  }

  private mutating func nearest(
    to name: FileName, in folder: [FileName], folders: Bool
  ) -> String? {
    let wrong = String(decoding: name.bytes, as: UTF8.self)
    guard namesLeft > 0 else { return nil }
    if last?.folder != folder { last = (folder, names(in: folder)) }
    let numbers = Self.numbers(in: wrong)
    let names = (last?.names ?? []).prefix(namesLeft)
    namesLeft -= names.count
    let near = names.lazy
      .filter { ($0.kind == .directory) == folders || [.symbolicLink, .unknown].contains($0.kind) }
      // In a numbered series, a file with another number is a different file, not a misspelling.
      .map(\.text).filter { Self.numbers(in: $0) == numbers }
    // A two-letter name is not a misspelling of another.
    guard let nearest = Spelling.nearest(to: wrong, among: Array(near)),
      wrong.count > 2 || nearest.lowercased() == wrong.lowercased()
    else { return nil }
    return nearest
  }

  /// Returns the numbers in a name, without leading zeros.
  private static func numbers(in name: String) -> [[UInt8]] {
    guard name.utf8.contains(where: \.isDigit) else { return [] }
    return name.utf8.split { !$0.isDigit }.map { Array($0.drop { $0 == UInt8(ascii: "0") }) }
  }

  /// Returns the names in a folder; links may have targets of any kind.
  private func names(in path: [FileName]) -> [(text: String, kind: FileKind)] {
    guard case .folder(let folder)? = try? tree.lookUp(path, from: tree.root),
      let listing = try? tree.list(folder)
    else { return [] }
    return listing.items.prefix(namesLeft).compactMap { item in
      String(validating: listing.name(of: item), as: UTF8.self).map { ($0, item.kind) }
    }
  }
}

// MARK: - Patterns

extension NearestPath {
  /// A match of a pattern.
  struct Match {
    var path: [FileName]
    var isFolder: Bool
  }

  /// Returns the first file that matches a pattern, or else the first folder; links are not
  /// followed.
  mutating func firstMatch(of pattern: PathPattern, ignoringCase: Bool = false) -> Match? {
    var folders: [(place: Tree.Folder, path: [FileName], frontier: PathPattern.Frontier)] = [
      (tree.root, [], pattern.start)
    ]
    var folderMatch: Match?
    var next = 0
    while next < folders.count {
      let (folder, path, frontier) = folders[next]
      next += 1
      // Listing a folder reads all its names, so it would take time without any result.
      guard namesLeft > 0 else { return folderMatch }
      guard let listing = try? tree.list(folder) else { continue }
      for item in listing.items {
        guard namesLeft > 0 else { return folderMatch }
        namesLeft -= 1
        let name = listing.name(of: item)
        let seen = ignoringCase ? Self.lowercased(name) : name
        let isFolder = item.kind == .directory
        if pattern.accepts(frontier, seen) {
          let match = Match(path: path + [FileName(name)], isFolder: isFolder)
          if !isFolder { return match }
          folderMatch = folderMatch ?? match
        }
        guard isFolder, path.count < 64 else { continue }
        let below = pattern.advance(frontier, over: seen)
        if pattern.canGoOn(below), let opened = try? tree.open(FileName(name), in: folder) {
          folders.append((opened, path + [FileName(name)], below))
        }
      }
      // Processed folders are closed, to limit the number of open folders.
      folders[next - 1] = (tree.root, [], [])
    }
    return folderMatch
  }

  private static func lowercased(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let text = String(validating: name, as: UTF8.self) else { return name }
    return Array(text.lowercased().utf8)[...]
  }
}
