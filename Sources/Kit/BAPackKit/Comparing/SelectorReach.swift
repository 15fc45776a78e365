package import SystemIO

/// The destinations that a manifest's selectors can select, for any source root.
///
/// The paths are checked in order, and the results for a folder are computed once. Files and
/// folders of selectors are in tables; only patterns are matched.
struct SelectorReach: Sendable {
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
    /// The frontier of selectors without a destination; nil if they select no file in the folder.
    var frontier: SelectorMatcher.Frontier?
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
        frontier: matcher.start(
          choosingAll: folders.contains(root.digest), matcher.exclusions.start),
        renamed: (renamedFolders[root.digest] ?? []).map { ($0, 0) })
    ]
  }

  /// Visits the next path, and returns whether a selector can select it.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - isFile: Whether it is a file.
  ///   - common: The length of the common prefix with the previous path.
  mutating func visit(_ path: [UInt8], isFile: Bool, common: Int) -> Bool {
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
    if let frontier = level.frontier,
      isFile ? matcher.chooses(name, frontier) : frontier.choosesAll,
      !matcher.excludes(name, frontier)
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
    return level.frontier.map { $0.choosesAll || !$0.patterns.isEmpty } ?? false
  }

  /// Returns the level of a folder, whose name begins at `start`.
  private func enter(_ path: ArraySlice<UInt8>, _ start: Int, _ outer: Level) -> Level {
    let name = path[start...]
    let builder = outer.digest.appending(name)
    let digest = builder.digest
    var frontier = outer.frontier
    if let outer = frontier {
      frontier = matcher.excludes(name, outer) ? nil : matcher.advance(outer, over: name)
    }
    if folders.contains(digest) {
      frontier?.choosesAll = true
      frontier =
        frontier
        ?? matcher.exclusions.follow(path.split(separator: slash)).frontier
        .map { matcher.start(choosingAll: true, $0) }
    }
    return Level(
      end: path.endIndex, digest: builder, frontier: frontier,
      renamed: outer.renamed + (renamedFolders[digest] ?? []).map { ($0, path.endIndex + 1) })
  }

  /// Returns whether no exclusion matches a path in a source folder, or one of its parents.
  private func isIncluded(_ source: [UInt8], _ rest: ArraySlice<UInt8>) -> Bool {
    let names = source.split(separator: slash) + rest.split(separator: slash)
    return matcher.exclusions.follow(names).frontier != nil
  }

  private static func digest(ofFolder path: String) -> PathDigest {
    let path = bytes(path)
    return path.isEmpty ? PathDigest.Builder().digest : PathDigest(path)
  }

  /// Returns the normalized path of a selector; the source root is empty.
  fileprivate static func bytes(_ path: String) -> [UInt8] {
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
      reached.append(visit(path, isFile: isFile, common: common))
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
    var reach = SourceReach(fileSelectors)
    return reach.visit(path.normalized.bytes)
  }

  /// Returns the files in a folder of the source root that its selectors select, sorted by bytes.
  ///
  /// The names are examined one by one only if folders or patterns can select them.
  package func chosen(of names: Set<FileName>, in folder: FilePath) -> [FilePath] {
    var reach = SourceReach(fileSelectors)
    let folder = folder.normalized
    var candidates = Set<FilePath>()
    if reach.searches(folder.bytes) {
      candidates.formUnion(names.lazy.map { folder.appending($0).normalized })
    } else {
      for path in reach.namedFiles where names.contains(path.name) {
        if folder.appending(path.name).normalized == path { candidates.insert(path) }
      }
    }
    return candidates.filter { reach.visit($0.bytes) }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }
}

/// The source files that selectors select, path by path, and their paths in the pack.
package struct SourceReach: Sendable {
  /// Whether a selector gives another path than that in the source root.
  package private(set) var renames = false
  /// The same selectors without destinations.
  private var reach: SelectorReach
  private var last: [UInt8] = []
  /// The destinations of files and folders of selectors, by their sources.
  private var files: [[UInt8]: [[UInt8]]] = [:]
  private var folders: [[UInt8]: [[UInt8]]] = [:]
  private var patterns: [PathPattern] = []

  /// Creates a value for selectors of one source root.
  package init(_ selectors: [FileSelector]) {
    var unmoved: [FileSelector] = []
    for selector in selectors {
      let (kind, source, destination) = selector.parts
      let path = SelectorReach.bytes(source)
      renames = renames || destination.map { $0 != source } ?? false
      switch kind.subject {
      case .file:
        files[path, default: []].append(destination.map(SelectorReach.bytes) ?? path)
        unmoved.append(.file(source))
      case .folder:
        folders[path, default: []].append(destination.map(SelectorReach.bytes) ?? path)
        unmoved.append(.directory(source))
      case .pattern:
        if let pattern = try? PathPattern(forFiles: source) { patterns.append(pattern) }
        unmoved.append(selector)
      case .exclusion: unmoved.append(selector)
      }
    }
    reach = SelectorReach(unmoved)
  }

  /// Visits the file at a path in the source root; returns whether a selector selects it, and no
  /// exclusion matches it.
  ///
  /// It is fast for paths in the order of a walk.
  package mutating func visit(_ path: [UInt8]) -> Bool {
    let common = zip(last, path).prefix { $0 == $1 }.count
    last = path
    return reach.visit(path, isFile: true, common: common)
  }

  /// Returns the paths in the pack of a selected file, sorted; usually one.
  package func destinations(of source: [UInt8]) -> [[UInt8]] {
    guard renames else { return [source] }
    func join(_ folder: [UInt8], _ rest: ArraySlice<UInt8>) -> [UInt8] {
      folder.isEmpty ? Array(rest) : folder + [slash] + rest
    }
    var found = files[source] ?? []
    for folder in folders[[]] ?? [] { found.append(join(folder, source[...])) }
    for end in source.indices where source[end] == slash {
      for folder in folders[Array(source[..<end])] ?? [] {
        found.append(join(folder, source[(end + 1)...]))
      }
    }
    if patterns.contains(where: { $0.matches(source) }) { found.append(source) }
    return found.count > 1 ? Array(Set(found)).sorted { $0.lexicographicallyPrecedes($1) } : found
  }

  /// Whether a selector names the file.
  package func hasFile(_ path: [UInt8]) -> Bool { files[path] != nil }

  /// Whether a selector selects the entry with a whole folder.
  package func hasFolder(of path: [UInt8]) -> Bool {
    folders[[]] != nil
      || path.indices.contains { path[$0] == slash && folders[Array(path[..<$0])] != nil }
  }

  /// The files that selectors name.
  fileprivate var namedFiles: some Sequence<FilePath> { files.keys.lazy.map { FilePath($0) } }

  /// Returns whether a selector of folders or patterns can select files directly in a folder.
  fileprivate func searches(_ folder: [UInt8]) -> Bool { reach.searches(folder) }
}
