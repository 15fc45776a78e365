import BAPackKit
import SystemIO

/// The files that no other pass decided, by folder.
extension Grouping {
  /// A folder with all its undecided files, or some of the files outside its subfolders.
  private struct Part {
    var folder: Int
    /// The files; nil for all of the folder and its subfolders.
    var files: [Int]?
    /// The estimated size after compression.
    var size: UInt64
    /// Whether it is a part of a large folder, whose other parts are in the same pack.
    var isOfLarge: Bool
    /// Whether the first screen of an app needs files with this name.
    var isForFirstScreen: Bool
  }

  /// Groups the rest by folder.
  ///
  /// The core contains the folders of the first screen, and then small ones, the smallest first, up
  /// to the limit. Each other folder is a group.
  mutating func groupRest() {
    var parts = self.parts(of: AssetTree.rootFolder, depth: 0, isOfLarge: false)
    parts.sort { left, right in
      if left.isForFirstScreen != right.isForFirstScreen { return left.isForFirstScreen }
      return (left.size, left.folder, left.files?.first ?? -1)
        < (right.size, right.folder, right.files?.first ?? -1)
    }
    let hasSmall = coreEstimate > 0 || parts.contains { isForCore($0, orAny: false) }
    var others: [Part] = []
    for part in parts {
      if isForCore(part, orAny: !hasSmall), coreEstimate + part.size <= options.essentialLimit {
        let core = coreGroup()
        assign(part.files ?? Array(tree.allFiles(of: part.folder)), to: core)
      } else {
        others.append(part)
      }
    }
    groupOthers(others.sorted { $0.folder < $1.folder })
  }

  /// Whether a part is for the core: the first screen needs it, or it is small; a part of a large
  /// folder is only if no other part is.
  private func isForCore(_ part: Part, orAny: Bool) -> Bool {
    part.isForFirstScreen || part.size <= small && (orAny || !part.isOfLarge)
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
        home != AssetTree.rootFolder && part.size < 50_000_000 && counts[home] ?? 0 > 1
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
  func longName(ofFolder folder: Int) -> String {
    let parent = Int(tree.folders[folder].parent)
    return (nameParts(of: parent) + [lowerName(ofFolder: folder)]).joined(separator: "-")
  }

  /// Divides a folder into parts: a folder with a large share of all files is divided further.
  private func parts(of folder: Int, depth: Int, isOfLarge: Bool) -> [Part] {
    guard hasUndecided(in: folder) else { return [] }
    let size = undecidedEstimate(in: folder)
    let subfolders = tree.subfolders(of: folder).filter(hasUndecided)
    let isRoot = folder == AssetTree.rootFolder
    // A smaller folder is divided only if the first screen needs a part of it.
    let isLarge =
      size > max(total / 4, small)
      || size > options.essentialLimit / 3 && hasFolderOfFirstScreen(in: folder)
    let isForFirstScreen = SiblingNames.core.contains(lowerName(ofFolder: folder))
    let isDivided = isLarge && (!isForFirstScreen || size > options.essentialLimit)
    guard isRoot || isDivided && depth < 6 && !subfolders.isEmpty else {
      return [
        Part(
          folder: folder, files: nil, size: size, isOfLarge: isOfLarge,
          isForFirstScreen: isForFirstScreen)
      ]
    }
    // A folder with nearly all files is like the root.
    let isOfLarge = isOfLarge || !isRoot && size < total / 10 * 9
    return subfolders.flatMap { parts(of: $0, depth: depth + 1, isOfLarge: isOfLarge) }
      + ownParts(of: folder, isOfLarge: isOfLarge)
  }

  private func hasFolderOfFirstScreen(in folder: Int) -> Bool {
    tree.allFolders(of: folder).contains { inner in
      inner != folder && SiblingNames.core.contains(lowerName(ofFolder: inner))
        && hasUndecided(in: inner)
    }
  }

  /// Returns the files outside subfolders: those of the first screen each alone if there are few.
  private func ownParts(of folder: Int, isOfLarge: Bool) -> [Part] {
    let own = tree.ownFiles(of: folder).filter(isUndecided)
    func part(_ files: [Int], isForFirstScreen: Bool) -> [Part] {
      guard !files.isEmpty else { return [] }
      let size = files.reduce(0) { $0 + estimates[$1] }
      return [
        Part(
          folder: folder, files: files, size: size, isOfLarge: isOfLarge,
          isForFirstScreen: isForFirstScreen)
      ]
    }
    let first = own.filter { file in
      SiblingNames.core.contains(lowered(fileStem(of: tree.name(ofFile: file))))
    }
    guard own.reduce(0, { $0 + estimates[$1] }) > small, first.count <= 5 else {
      return part(own, isForFirstScreen: false)
    }
    return part(first, isForFirstScreen: true)
      + part(own.filter { !first.contains($0) }, isForFirstScreen: false)
  }
}
