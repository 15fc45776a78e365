package import SystemIO

/// The destinations that a manifest's selectors can select, for any source root.
///
/// The paths are checked in order, and the results for a folder are computed once. Files and
/// folders of selectors are in tables; only patterns are matched.
struct SelectorReach {
  /// The destinations of single files, and whether they have been found.
  private var files: [PathDigest: NamedFile] = [:]
  /// The folders without another destination.
  private var folders: Set<PathDigest> = []
  /// The destinations of other folders, with their sources.
  private var renamedFolders: [PathDigest: [[UInt8]]] = [:]
  private var matcher = SelectorMatcher()
  /// The parent folders of the last path, beginning with the root.
  private var levels: [Level] = []

  private struct NamedFile {
    var path: [UInt8]
    var isFound = false
  }

  /// A parent folder of the path.
  private struct Level {
    /// The length of the path of the folder.
    var end: Int
    var digest: PathDigest.Builder
    /// The progress of selectors without a destination; nil if they select no file in the folder.
    var progress: SelectorMatcher.Progress?
    /// The sources of the renamed parent folders, each with the offset of its contents in the path.
    var renamed: [(source: [UInt8], start: Int)]
  }

  init(_ selectors: [FileSelector]) {
    for (index, selector) in selectors.enumerated() {
      guard case .exclusion(let text) = selector,
        let pattern = try? PathPattern(forExclusion: text)
      else { continue }
      matcher.exclusions.add(pattern, of: index)
    }
    for (index, selector) in selectors.enumerated() {
      let (kind, source, destination) = selector.parts
      switch kind.subject {
      case .file:
        let path = Self.bytes(destination ?? source)
        if isIncluded(destination == nil ? path : Self.bytes(source), []) {
          files[PathDigest(path)] = NamedFile(path: path)
        }
      case .folder:
        if let destination {
          renamedFolders[Self.digest(ofFolder: destination), default: []]
            .append(Self.bytes(source))
        } else {
          folders.insert(Self.digest(ofFolder: source))
        }
      case .pattern:
        if let pattern = try? PathPattern(forFiles: source) {
          matcher.patterns.add(pattern, of: index)
        }
      case .exclusion: continue
      }
    }
    let root = PathDigest.Builder()
    levels = [
      Level(
        end: 0, digest: root,
        progress: matcher.start(
          choosingAll: folders.contains(root.digest), matcher.exclusions.start),
        renamed: (renamedFolders[root.digest] ?? []).map { ($0, 0) })
    ]
  }

  /// Returns whether a selector can select the next path.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - isFile: Whether it is a file.
  ///   - common: The length of the common prefix with the previous path.
  mutating func reaches(_ path: [UInt8], isFile: Bool, common: Int) -> Bool {
    while levels.count > 1, let end = levels.last?.end,
      end > common || end >= path.count || path[end] != slash
    {
      levels.removeLast()
    }
    var level = levels[levels.count - 1]
    var start = levels.count == 1 ? 0 : level.end + 1
    while let end = path[start...].firstIndex(of: slash) {
      level = enter(path[..<end], start, level)
      levels.append(level)
      start = end + 1
    }
    let name = path[start...]
    let digest = level.digest.appending(name).digest
    if isFile, files[digest] != nil {
      files[digest]?.isFound = true
      return true
    }
    if let progress = level.progress,
      isFile ? matcher.chooses(name, progress) : progress.choosesAll,
      !matcher.excludes(name, progress)
    {
      return true
    }
    for folder in level.renamed where isIncluded(folder.source, path[folder.start...]) {
      return true
    }
    if isFile { return false }
    if folders.contains(digest), isIncluded(path, []) { return true }
    for source in renamedFolders[digest] ?? [] where isIncluded(source, []) { return true }
    return false
  }

  /// Returns whether a selector of folders or patterns, without another destination, can select
  /// files directly in a folder.
  func searches(_ folder: [UInt8]) -> Bool {
    var level = levels[0]
    var start = 0
    while start < folder.count {
      let end = folder[start...].firstIndex(of: slash) ?? folder.endIndex
      level = enter(folder[..<end], start, level)
      start = end + 1
    }
    return level.progress.map { $0.choosesAll || !$0.patterns.isEmpty } ?? false
  }

  /// Returns the level of a folder, whose name begins at `start`.
  private func enter(_ path: ArraySlice<UInt8>, _ start: Int, _ outer: Level) -> Level {
    let name = path[start...]
    let builder = outer.digest.appending(name)
    let digest = builder.digest
    var progress = outer.progress
    if let outer = progress {
      progress = matcher.excludes(name, outer) ? nil : matcher.advance(outer, over: name)
    }
    if folders.contains(digest) {
      progress?.choosesAll = true
      progress =
        progress
        ?? matcher.exclusions.follow(path.split(separator: slash)).progress
        .map { matcher.start(choosingAll: true, $0) }
    }
    return Level(
      end: path.endIndex, digest: builder, progress: progress,
      renamed: outer.renamed + (renamedFolders[digest] ?? []).map { ($0, path.endIndex + 1) })
  }

  /// Returns whether no exclusion matches a path in a source folder, or one of its parents.
  private func isIncluded(_ source: [UInt8], _ rest: ArraySlice<UInt8>) -> Bool {
    let names = source.split(separator: slash) + rest.split(separator: slash)
    return matcher.exclusions.follow(names).progress != nil
  }

  private static func digest(ofFolder path: String) -> PathDigest {
    let path = bytes(path)
    return path.isEmpty ? PathDigest.Builder().digest : PathDigest(path)
  }

  /// Returns the normalized path of a selector; the source root is empty.
  private static func bytes(_ path: String) -> [UInt8] {
    let normal = SelectorPath.normalized(path, isFolder: true)
    return normal == "." ? [] : Array(normal.utf8)
  }
}

extension SelectorReach {
  /// The files of selectors that were not among the paths, sorted by their bytes.
  var missing: [AssetPath] {
    files.values.filter { !$0.isFound }.map { AssetPath(unchecked: $0.path[...]) }.sorted()
  }

  /// Returns the paths of a pack that no selector can select.
  ///
  /// A folder is valid if a folder selector selects it, or if a file in it is valid.
  mutating func unreachable(_ paths: PathList) -> [AssetPath] {
    var reached: [Bool] = []
    reached.reserveCapacity(paths.count)
    /// Folders that no selector selects, and whether a file in them is valid.
    var needed: [PathDigest: Bool] = [:]
    paths.forEach { path, isFile, common in
      reached.append(reaches(path, isFile: isFile, common: common))
      if !isFile, reached.last == false { needed[PathDigest(path)] = false }
    }
    if needed.isEmpty && !reached.contains(false) { return [] }
    var index = 0
    var last: ArraySlice<UInt8> = []
    paths.forEach { path, _, _ in
      defer { index += 1 }
      let folder = path[..<(path.lastIndex(of: slash) ?? 0)]
      // The contents of a folder are consecutive.
      guard reached[index], !folder.isEmpty, folder != last else { return }
      last = folder
      var builder = PathDigest.Builder()
      for component in folder.split(separator: slash, omittingEmptySubsequences: false) {
        builder.append(component)
        let digest = builder.digest
        if needed[digest] != nil { needed[digest] = true }
      }
    }
    var wrong: [AssetPath] = []
    index = 0
    paths.forEach { path, isFile, _ in
      defer { index += 1 }
      if !reached[index], isFile || needed[PathDigest(path)] != true {
        wrong.append(AssetPath(unchecked: path[...]))
      }
    }
    return wrong
  }
}

extension Manifest {
  /// Returns whether its selectors select the file at a path in the source root.
  package func chooses(_ path: FilePath) -> Bool {
    var reach = SelectorReach(fileSelectors.map(\.withoutDestination))
    return reach.reaches(path.normalized.bytes, isFile: true, common: 0)
  }

  /// Returns the files in a folder of the source root that its selectors select, sorted by bytes.
  ///
  /// The names are examined one by one only if folders or patterns can select them.
  package func chosen(of names: Set<FileName>, in folder: FilePath) -> [FilePath] {
    let selectors = fileSelectors.map(\.withoutDestination)
    var reach = SelectorReach(selectors)
    let folder = folder.normalized
    var candidates = Set<FilePath>()
    if reach.searches(folder.bytes) {
      candidates.formUnion(names.lazy.map { folder.appending($0).normalized })
    } else {
      for case .file(let path) in selectors {
        let path = FilePath(path).normalized
        if names.contains(path.name), folder.appending(path.name).normalized == path {
          candidates.insert(path)
        }
      }
    }
    return candidates.filter { reach.reaches($0.bytes, isFile: true, common: 0) }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }
}

extension FileSelector {
  /// The selector of the same files, which keeps their paths.
  fileprivate var withoutDestination: FileSelector {
    switch self {
    case .renamedFile(let source, _): .file(source)
    case .renamedDirectory(let source, _): .directory(source)
    case .file, .directory, .filePattern, .exclusion: self
    }
  }
}

/// The source files that selectors select, path by path.
package struct SourceReach {
  private var selected: SelectorReach
  private var included: SelectorReach
  private var last: [UInt8] = []

  /// Creates a value for selectors of one source root.
  package init(_ selectors: [FileSelector]) {
    let exclusions = selectors.filter { $0.parts.kind == .exclusion }
    selected = SelectorReach(
      selectors.filter { $0.parts.kind != .exclusion }.map(\.withoutDestination))
    included = SelectorReach([.directory(".")] + exclusions)
  }

  /// Returns whether a selector selects the file at a path in the source root, and no exclusion
  /// matches it; it is fast for paths in the order of a walk.
  package mutating func selects(_ path: [UInt8]) -> Bool {
    let common = zip(last, path).prefix { $0 == $1 }.count
    last = path
    let isSelected = selected.reaches(path, isFile: true, common: common)
    return included.reaches(path, isFile: true, common: common) && isSelected
  }
}
