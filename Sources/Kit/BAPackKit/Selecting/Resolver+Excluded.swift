import SystemIO

/// An excluded folder in which patterns could match files.
struct ExcludedFolder {
  /// The path below the source root.
  var path: [UInt8]
  var patterns: PatternSet.Frontier
}

// A pattern is used if it matches a file, even if the file is excluded. The files of excluded
// folders are searched only for patterns without another match, by their names alone.
extension Resolver {
  /// Searches matches of unused patterns in the excluded folders.
  ///
  /// The patterns that can match in a folder count as used if it cannot be listed, if a link leads
  /// to it, or if the folders contain more than ``Selection/Bounds/excludedNames`` names.
  mutating func searchExcludedFolders(_ excluded: [ExcludedFolder]) throws(PackError) {
    var left = bounds.excludedNames
    for start in excluded where canMatch(in: start.patterns) {
      let names = FilePath(start.path).components
      guard case .folder(let folder)? = try? tree.lookUp(names, from: tree.root) else { continue }
      try search(folder, start.patterns, &left)
    }
  }

  /// Whether a pattern without a match can match in a folder.
  private func canMatch(in frontier: PatternSet.Frontier) -> Bool {
    let unused = Set(matcher.patterns.unused(current.marks).map(\.selector))
    return !unused.isEmpty && !unused.isDisjoint(with: matcher.patterns.selectors(below: frontier))
  }

  private mutating func search(
    _ folder: Tree.Folder, _ frontier: PatternSet.Frontier, _ left: inout Int
  ) throws(PackError) {
    var open = [(folder, frontier)]
    while let (folder, frontier) = open.popLast() {
      try reportProgress()
      guard let listing = try? tree.list(folder), listing.items.count <= left else {
        matcher.patterns.mark(below: frontier, &current.marks)
        continue
      }
      left -= listing.items.count
      var hasMatch = false
      for item in listing.items {
        let name = listing.name(of: item)
        if isOwnFile(name) { continue }
        let below = matcher.patterns.advance(frontier, over: name)
        switch kind(of: item, listing, in: folder) {
        case .directory:
          guard !below.isEmpty else { continue }
          if let inner = try? tree.open(listing.fileName(of: item), in: folder) {
            open.append((inner, below))
          } else {
            matcher.patterns.mark(below: below, &current.marks)
          }
        case .symbolicLink:
          matcher.patterns.mark(name, frontier, &current.marks)
          matcher.patterns.mark(below: below, &current.marks)
          hasMatch = true
        default:
          guard matcher.patterns.match(name, frontier, current.marks)?.isNew == true else {
            continue
          }
          matcher.patterns.mark(name, frontier, &current.marks)
          hasMatch = true
        }
      }
      if hasMatch { open.removeAll { !canMatch(in: $0.1) } }
    }
  }

  private func kind(
    of item: DirectoryListing.Item, _ listing: DirectoryListing, in folder: Tree.Folder
  ) -> FileKind {
    item.kind == .file || item.kind == .directory || item.kind == .symbolicLink
      ? item.kind
      : (try? tree.status(of: listing.fileName(of: item), in: folder).kind) ?? item.kind
  }
}
