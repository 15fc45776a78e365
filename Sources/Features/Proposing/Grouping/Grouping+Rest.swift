import BAPackKit
import SystemIO

/// The files that no other pass decided, by folder.
extension Grouping {
  /// A folder with all its undecided files, or some of the files outside its subfolders.
  private struct Part {
    var folder: Int
    /// The files; nil for all of the folder and its subfolders.
    var files: [Int]?
    var bytes: UInt64
    /// Whether the first screen of an app needs files with this name.
    var isForFirstScreen: Bool
  }

  /// Groups the rest by folder.
  ///
  /// The core contains the folders of the first screen, and then the smallest ones, up to the
  /// limit. Each other folder is a group.
  mutating func groupRest() {
    var parts = self.parts(of: AssetTree.rootFolder, depth: 0)
    parts.sort { left, right in
      if left.isForFirstScreen != right.isForFirstScreen { return left.isForFirstScreen }
      return (left.bytes, left.folder, left.files?.first ?? -1)
        < (right.bytes, right.folder, right.files?.first ?? -1)
    }
    var others: [Part] = []
    for part in parts {
      if coreBytes + part.bytes <= options.essentialLimit {
        let core = coreGroup()
        assign(part.files ?? Array(tree.allFiles(of: part.folder)), to: core)
      } else {
        others.append(part)
      }
    }
    groupOthers(others.sorted { $0.folder < $1.folder })
  }

  /// Groups the parts outside the core; small ones of the same folder are one group.
  private mutating func groupOthers(_ parts: [Part]) {
    func home(of part: Part) -> Int {
      let isOwn = part.files != nil || part.folder == AssetTree.rootFolder
      return isOwn ? part.folder : Int(tree.folders[part.folder].parent)
    }
    let counts = Dictionary(grouping: parts, by: home).mapValues(\.count)
    var shared: [Int: Int] = [:]
    for part in parts {
      let home = home(of: part)
      let isShared =
        home != AssetTree.rootFolder && part.bytes < 50_000_000 && counts[home] ?? 0 > 1
      let folder = isShared ? home : part.folder
      let group = shared[folder] ?? addFolder(folder)
      if isShared || part.files != nil { shared[folder] = group }
      assign(part.files ?? Array(tree.allFiles(of: part.folder)), to: group)
    }
  }

  private mutating func addFolder(_ folder: Int) -> Int {
    let isRoot = folder == AssetTree.rootFolder
    return add(
      Group(
        .folder, named: [isRoot ? "assets" : longName(ofFolder: folder)],
        Reason(
          GroupingRules.folder,
          isRoot ? "files outside folders" : "the folder '\(shownPath(ofFolder: folder))'")))
  }

  /// Returns the name of a folder with that of its parent, unless it is at the top.
  private func longName(ofFolder folder: Int) -> String {
    let parent = Int(tree.folders[folder].parent)
    return (nameParts(of: parent) + [lowerName(ofFolder: folder)]).joined(separator: "-")
  }

  /// Divides a folder into parts: a folder with a large share of all files is divided further.
  private func parts(of folder: Int, depth: Int) -> [Part] {
    guard hasUndecided(in: folder) else { return [] }
    let bytes = undecidedBytes(in: folder)
    let subfolders = tree.subfolders(of: folder).filter(hasUndecided)
    let isRoot = folder == AssetTree.rootFolder
    let isLarge = bytes > min(total / 4, options.essentialLimit / 3)
    guard isRoot || isLarge && depth < 6 && !subfolders.isEmpty else {
      return [
        Part(
          folder: folder, files: nil, bytes: bytes,
          isForFirstScreen: SiblingNames.core.contains(lowerName(ofFolder: folder)))
      ]
    }
    return subfolders.flatMap { parts(of: $0, depth: depth + 1) } + ownParts(of: folder)
  }

  /// Returns the files outside subfolders, together, or each alone if they exceed the limit.
  private func ownParts(of folder: Int) -> [Part] {
    let own = tree.ownFiles(of: folder).filter(isUndecided)
    guard !own.isEmpty else { return [] }
    let bytes = own.reduce(0) { $0 + tree.files[$1].size }
    let isForFirstScreen = SiblingNames.core.contains(lowerName(ofFolder: folder))
    guard bytes > options.essentialLimit, own.count <= 100 else {
      return [
        Part(folder: folder, files: own, bytes: bytes, isForFirstScreen: isForFirstScreen)
      ]
    }
    return own.map { file in
      let stem = lowered(fileStem(of: tree.name(ofFile: file)))
      return Part(
        folder: folder, files: [file], bytes: tree.files[file].size,
        isForFirstScreen: SiblingNames.core.contains(stem))
    }
  }
}
