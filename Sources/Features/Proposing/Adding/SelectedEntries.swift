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
struct SelectedEntries: Sendable {
  /// The entries, in ascending order: files, and other entries in selected folders.
  private(set) var entries: [Int] = []
  /// The selectors, for the paths of the entries in the pack.
  let reach: SourceReach

  init(
    of manifest: Manifest, _ offset: RootOffset, in tree: AssetTree, _ folders: FolderPaths,
    _ work: Work
  ) throws(PackError) {
    var reach = SourceReach(manifest.fileSelectors)
    for range in Self.ranges(of: manifest.fileSelectors, offset, in: tree, folders) {
      for entry in range {
        if entry % 4096 == 0 { try work.checkCancellation() }
        guard let path = offset.path(of: tree.path(ofFile: entry)),
          reach.visit(path),
          tree.files[entry].kind == .file || reach.hasFolder(of: path)
        else { continue }
        entries.append(entry)
      }
    }
    self.reach = reach
  }

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
