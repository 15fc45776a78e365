import SystemIO

/// Which destinations a manifest's selectors could have chosen, whatever the source held.
struct SelectorReach {
  private let selectors: [FileSelector]
  private let exclusions: [PathPattern]

  init(_ selectors: [FileSelector]) {
    self.selectors = selectors
    exclusions = selectors.compactMap { selector in
      guard case .exclusion(let text) = selector else { return nil }
      return try? PathPattern(forExclusion: text)
    }
  }

  /// The paths of a pack that no selector could have chosen.
  ///
  /// A folder is right when a folder selector reaches it, or a file in it is.
  func unreachable(_ entries: [(path: [UInt8], isFile: Bool)]) -> [[UInt8]] {
    var needed: Set<PathBytes> = []
    var last: ArraySlice<UInt8> = []
    for entry in entries where reaches(entry.path, isFile: entry.isFile) {
      var path = entry.path[...]
      // Entries of one folder come one after the other.
      let parent = path[..<(path.lastIndex(of: slash) ?? path.startIndex)]
      if parent == last { continue }
      last = parent
      while let end = path.lastIndex(of: slash) {
        path = path[..<end]
        if !needed.insert(PathBytes(Array(path))).inserted { break }
      }
    }
    return entries.filter { entry in
      !reaches(entry.path, isFile: entry.isFile)
        && (entry.isFile || !needed.contains(PathBytes(entry.path)))
    }.map(\.path)
  }

  private func reaches(_ destination: [UInt8], isFile: Bool) -> Bool {
    selectors.contains { selector in
      guard let source = source(of: destination, isFile: isFile, by: selector) else { return false }
      return !exclusions.contains { $0.drops(source) }
    }
  }

  /// The source path from which a selector would have brought `destination`.
  private func source(
    of destination: [UInt8], isFile: Bool, by selector: FileSelector
  ) -> [UInt8]? {
    switch selector {
    case .file(let path): return isFile && destination == bytes(path) ? destination : nil
    case .renamedFile(let source, let path):
      return isFile && destination == bytes(path) ? bytes(source) : nil
    case .directory(let path): return below(bytes(path), destination).map { _ in destination }
    case .renamedDirectory(let source, let path):
      guard let rest = below(bytes(path), destination) else { return nil }
      let start = bytes(source)
      return start.isEmpty || rest.isEmpty ? start + rest : start + [slash] + rest
    case .filePattern(let text):
      guard isFile, let pattern = try? PathPattern(forFiles: text),
        pattern.matches(destination)
      else { return nil }
      return destination
    case .exclusion: return nil
    }
  }

  /// What follows a folder's path; empty for the folder itself, nil for what lies elsewhere.
  private func below(_ folder: [UInt8], _ path: [UInt8]) -> [UInt8]? {
    if folder.isEmpty || path == folder { return folder.isEmpty ? path : [] }
    guard path.starts(with: folder), path[folder.count] == slash else { return nil }
    return Array(path.dropFirst(folder.count + 1))
  }

  /// A selector's path without what means nothing; the source root is empty.
  private func bytes(_ path: String) -> [UInt8] {
    let normal = SelectorPath.normalized(path, isFolder: true)
    return normal == "." ? [] : Array(normal.utf8)
  }
}

extension PathPattern {
  /// Whether an exclusion of this pattern drops the path, or a folder above it.
  fileprivate func drops(_ path: [UInt8]) -> Bool {
    var progress = start
    for name in path.split(separator: slash) {
      if accepts(progress, name) { return true }
      progress = advance(progress, over: name)
    }
    return false
  }
}
