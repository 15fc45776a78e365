import BAPackKit
import SystemIO

/// The folders of a tree by their paths.
struct FolderPaths: Sendable {
  private var folders: [[UInt8]: Int] = [:]

  init(_ tree: AssetTree) {
    for folder in tree.folders.indices { folders[tree.path(ofFolder: folder)] = folder }
  }

  subscript(path: [UInt8]) -> Int? { folders[path] }
}

/// The entries of a tree that the selectors of a manifest select, with their paths in the pack.
struct PackContents: Sendable {
  /// The entries, in ascending order: files, and other entries in selected folders.
  private(set) var entries: [Int] = []
  /// The paths in the pack.
  let destinations: SelectorDestinations

  init(
    of manifest: Manifest, _ offset: RootOffset, in tree: AssetTree, _ folders: FolderPaths,
    _ work: Work
  ) throws(PackError) {
    destinations = SelectorDestinations(manifest.fileSelectors)
    var reach = SourceReach(manifest.fileSelectors)
    for range in Self.ranges(of: manifest.fileSelectors, offset, in: tree, folders) {
      for entry in range {
        if entry % 4096 == 0 { try work.checkCancellation() }
        guard let path = offset.path(of: tree.path(ofFile: entry)),
          reach.selects(path),
          tree.files[entry].kind == .file || destinations.hasFolder(of: path)
        else { continue }
        entries.append(entry)
      }
    }
  }

  /// Returns the entries in a range.
  func entries(in range: Range<Int>) -> ArraySlice<Int> {
    entries[place(of: range.lowerBound)..<place(of: range.upperBound)]
  }

  private func place(of entry: Int) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle] < entry { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the ranges of entries that selectors can select, in ascending order.
  static func ranges(
    of selectors: [FileSelector], _ offset: RootOffset, in tree: AssetTree, _ folders: FolderPaths
  ) -> [Range<Int>] {
    var ranges: Set<Range<Int>> = []
    for selector in selectors {
      guard let (folder, isDeep) = selector.searchedFolder else { continue }
      if let path = offset.treePath(of: folder) {
        guard let found = folders[path] else { continue }
        ranges.insert(isDeep ? tree.allFiles(of: found) : tree.ownFiles(of: found))
      } else if isDeep, case .inside(let prefix) = offset,
        folder.isEmpty || prefix.starts(with: folder + [slash])
      {
        ranges.insert(tree.allFiles(of: AssetTree.rootFolder))
      }
    }
    var merged: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}

/// The paths in a pack that selectors give to files.
struct SelectorDestinations: Sendable {
  /// Whether a selector gives another path than that in the source root.
  private(set) var renames = false
  private var files: [[UInt8]: [[UInt8]]] = [:]
  private var folders: [[UInt8]: [[UInt8]]] = [:]
  private var patterns: [PathPattern] = []

  init(_ selectors: [FileSelector]) {
    func bytes(_ path: String) -> [UInt8] { FilePath(path.utf8).normalized.bytes }
    for selector in selectors {
      switch selector {
      case .file(let path): files[bytes(path), default: []].append(bytes(path))
      case .directory(let path): folders[bytes(path), default: []].append(bytes(path))
      case .filePattern(let text):
        if let pattern = try? PathPattern(forFiles: text) { patterns.append(pattern) }
      case .renamedFile(let source, let destination):
        files[bytes(source), default: []].append(bytes(destination))
        renames = renames || source != destination
      case .renamedDirectory(let source, let destination):
        folders[bytes(source), default: []].append(bytes(destination))
        renames = renames || source != destination
      case .exclusion: continue
      }
    }
  }

  /// Returns the paths in the pack of a selected file; usually one.
  func paths(of source: [UInt8]) -> [[UInt8]] {
    guard renames else { return [source] }
    var found = files[source] ?? []
    for folder in folders[[]] ?? [] { found.append(RootOffset.join(folder, source[...])) }
    for end in source.indices where source[end] == slash {
      for folder in folders[Array(source[..<end])] ?? [] {
        found.append(RootOffset.join(folder, source[(end + 1)...]))
      }
    }
    if patterns.contains(where: { $0.matches(source) }) { found.append(source) }
    return found.count > 1 ? Array(Set(found)).sorted { $0.lexicographicallyPrecedes($1) } : found
  }

  /// Whether a selector names the file.
  func hasFile(_ path: [UInt8]) -> Bool { files[path] != nil }

  /// Whether a selector selects the entry with a whole folder.
  func hasFolder(of path: [UInt8]) -> Bool {
    folders[[]] != nil
      || path.indices.contains { path[$0] == slash && folders[Array(path[..<$0])] != nil }
  }
}

extension FileSelector {
  /// The source path or the pattern.
  var path: String {
    switch self {
    case .file(let path), .directory(let path), .filePattern(let path), .exclusion(let path),
      .renamedFile(source: let path, _), .renamedDirectory(source: let path, _):
      path
    }
  }

  /// The folder with all files that the selector can select, and whether they can be in its
  /// subfolders; nil for an exclusion.
  fileprivate var searchedFolder: (path: [UInt8], isDeep: Bool)? {
    let names = FilePath(path.utf8).components
    switch self {
    case .file, .renamedFile: return (FilePath(joining: names.dropLast()).bytes, false)
    case .directory, .renamedDirectory: return (FilePath(joining: names).bytes, true)
    case .filePattern:
      let plain = names.dropLast().prefix { !$0.bytes.contains { "*?[\\".utf8.contains($0) } }
      let isDeep = names.count - plain.count > 1 || names.last == "**"
      return (FilePath(joining: plain).bytes, isDeep)
    case .exclusion: return nil
    }
  }
}
