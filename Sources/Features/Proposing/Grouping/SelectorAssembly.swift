import BAPackKit
import SystemIO

/// The selectors of each group: few, and exactly for its files.
///
/// A folder whose kept files are all in one group is a `directory`. Files of mixed folders are
/// patterns of an extension, or single files. Each file that is left out in a selected folder needs
/// an exclusion.
struct SelectorAssembly {
  let grouping: Grouping
  let tree: AssetTree
  /// The group of all kept files in a folder and its subfolders, or one of the values below.
  private var owners: [Int32]
  private var selectors: [[FileSelector]]
  private var exclusions: [[FileSelector]]
  private var seen: [Set<FileSelector>]
  /// The names, and their extensions, of kept files and folders: an exclusion must not match them.
  ///
  /// They are stored as hashes. After a collision, a file is excluded by path instead of by name.
  private var keptNames: Set<UInt64> = []
  private var keptExtensions: Set<UInt64> = []
  private var keepsHiddenNames = false
  private let userPatterns: [(text: String, pattern: PathPattern)]

  private static let empty: Int32 = -1
  private static let mixed: Int32 = -2

  init(_ grouping: Grouping) {
    self.grouping = grouping
    tree = grouping.tree
    owners = Array(repeating: Self.empty, count: tree.folders.count)
    selectors = Array(repeating: [], count: grouping.groups.count)
    exclusions = selectors
    seen = Array(repeating: [], count: grouping.groups.count)
    userPatterns = grouping.options.exclusions.compactMap { text in
      (try? PathPattern(forExclusion: text)).map { (text, $0) }
    }
    for folder in tree.folders.indices.reversed() { findOwner(of: folder) }
    collectNames()
    cover(AssetTree.rootFolder)
  }

  /// Returns the selectors of a group, the exclusions last.
  func selectors(of group: Int) -> [FileSelector] {
    let fills = grouping.fills[group, default: []].map { fill in
      FileSelector.renamedFile(
        source: String(decoding: tree.path(ofFile: fill.file), as: UTF8.self),
        destination: String(decoding: fill.path, as: UTF8.self))
    }
    return selectors[group] + fills + exclusions[group]
  }

  /// Determines the group of all files in a folder; its subfolders are known.
  private mutating func findOwner(of folder: Int) {
    var owner = owners[folder]
    func combine(_ other: Int32) {
      if owner == Self.empty { owner = other } else if other != owner { owner = Self.mixed }
    }
    for file in tree.ownFiles(of: folder) {
      if let group = grouping.group(of: file) {
        combine(grouping.renamedFiles[file] == nil ? Int32(group) : Self.mixed)
      } else if isUnspeakable(file) {
        combine(Self.mixed)
      }
    }
    // The root also contains the files of the project.
    if folder == AssetTree.rootFolder || !isText(tree.name(ofFolder: folder)) {
      owner = Self.mixed
    }
    owners[folder] = owner
    guard folder != AssetTree.rootFolder else { return }
    let parent = Int(tree.folders[folder].parent)
    // A folder of a language has another path in the pack than its parent.
    let isMapped = grouping.languageFolders[folder] != nil && owner != Self.empty
    let seenByParent = isMapped ? Self.mixed : owner
    if owners[parent] == Self.empty {
      owners[parent] = seenByParent
    } else if seenByParent != Self.empty, owners[parent] != seenByParent {
      owners[parent] = Self.mixed
    }
  }

  /// Whether a file has a name that no exclusion can contain.
  func isUnspeakable(_ file: Int) -> Bool {
    guard let index = grouping.leftOutReason(of: file) else { return false }
    return grouping.leftOut[index].reason.rule.id == LeftOutRules.names.id
      || !isText(tree.name(ofFile: file))
  }

  private func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil && !bytes.contains { $0 < 0x20 || $0 == 0x7F }
  }

  private mutating func collectNames() {
    guard !grouping.leftOut.isEmpty else { return }
    func add(_ name: ArraySlice<UInt8>) {
      keptNames.insert(stableHash(name))
      keptExtensions.insert(stableHash(fileExtension(of: name)))
      if name.first == dot { keepsHiddenNames = true }
    }
    for file in tree.files.indices where grouping.isKept(file) { add(tree.name(ofFile: file)) }
    for folder in tree.folders.indices where owners[folder] != Self.empty {
      add(tree.name(ofFolder: folder))
    }
  }
}

// MARK: - Covering the tree

extension SelectorAssembly {
  private mutating func cover(_ folder: Int) {
    let owner = owners[folder]
    if owner == Self.empty { return }
    if owner != Self.mixed, let path = text(tree.path(ofFolder: folder)) {
      add(directory(path, folder), to: Int(owner))
      exclude(in: folder, from: Int(owner))
      return
    }
    if coverExceptFew(folder) { return }
    coverOwnFiles(of: folder)
    for subfolder in tree.subfolders(of: folder) { cover(subfolder) }
  }

  /// A part of a folder whose files are in another group than the others.
  private enum Foreign {
    case folder(Int)
    case file(Int)
  }

  /// Covers a folder in which nearly all files are in one group: the others are excluded.
  ///
  /// Returns false if there is no such group.
  private mutating func coverExceptFew(_ folder: Int) -> Bool {
    guard folder != AssetTree.rootFolder, grouping.languageFolders[folder] == nil,
      destination(inLanguageOf: folder) == nil, let path = text(tree.path(ofFolder: folder)),
      let group = mainGroup(of: folder), grouping.groups[group].ownsNewFiles
    else { return false }
    var foreign: [Foreign] = []
    guard findForeign(in: folder, to: group, &foreign), !foreign.isEmpty else { return false }
    add(directory(path, folder), to: group)
    for part in foreign {
      switch part {
      case .folder(let other):
        exclude(path: tree.path(ofFolder: other), from: group)
        cover(other)
      case .file(let other):
        exclude(path: tree.path(ofFile: other), from: group)
        addFile(other)
      }
    }
    exclude(in: folder, from: group, except: foreign.compactMap(folderOfForeign))
    return true
  }

  private func folderOfForeign(_ part: Foreign) -> Int? {
    if case .folder(let folder) = part { folder } else { nil }
  }

  /// Returns the group of most files in a folder.
  private func mainGroup(of folder: Int) -> Int? {
    var counts: [Int: Int] = [:]
    for file in tree.allFiles(of: folder) {
      if let group = grouping.group(of: file) { counts[group, default: 0] += 1 }
    }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  /// Adds the parts of a folder that are not in a group; returns false if there are many, or if one
  /// cannot be excluded.
  private func findForeign(
    in folder: Int, to group: Int, _ foreign: inout [Foreign]
  ) -> Bool {
    for file in tree.ownFiles(of: folder) {
      if isUnspeakable(file) { return false }
      guard let other = grouping.group(of: file) else { continue }
      if other != group, grouping.groups[other].isMember { return false }
      if other != group || grouping.renamedFiles[file] != nil { foreign.append(.file(file)) }
      if foreign.count > 3 { return false }
    }
    for subfolder in tree.subfolders(of: folder) where owners[subfolder] != Self.empty {
      if !isText(tree.name(ofFolder: subfolder)) { return false }
      if owners[subfolder] == Int32(group), grouping.languageFolders[subfolder] == nil { continue }
      let hasOwn = tree.allFiles(of: subfolder).contains { grouping.group(of: $0) == group }
      // A new member of the set would be a part of this group.
      if let other = mainGroup(of: subfolder), other != group, grouping.groups[other].isMember {
        return false
      }
      if !hasOwn || grouping.languageFolders[subfolder] != nil {
        foreign.append(.folder(subfolder))
      } else if !findForeign(in: subfolder, to: group, &foreign) {
        return false
      }
      if foreign.count > 3 { return false }
    }
    return true
  }

  private func directory(_ path: String, _ folder: Int) -> FileSelector {
    if let target = grouping.languageFolders[folder] {
      return .renamedDirectory(
        source: path, destination: target.isEmpty ? "." : String(decoding: target, as: UTF8.self))
    }
    if let destination = destination(inLanguageOf: folder) {
      return .renamedDirectory(source: path, destination: destination)
    }
    return SelectorText.hasWildcards(path)
      ? .filePattern(SelectorText.escaped(path) + "/**/*") : .directory(path)
  }

  /// Returns the path in the pack of a folder inside a folder of a language.
  func destination(inLanguageOf folder: Int) -> String? {
    var outer = folder
    while outer != AssetTree.rootFolder {
      outer = Int(tree.folders[outer].parent)
      guard let target = grouping.languageFolders[outer] else { continue }
      let rest = tree.path(ofFolder: folder).dropFirst(tree.path(ofFolder: outer).count + 1)
      return String(decoding: target.isEmpty ? Array(rest) : target + [slash] + rest, as: UTF8.self)
    }
    return nil
  }

  mutating func addFile(_ file: Int) {
    guard let group = grouping.group(of: file), let path = text(tree.path(ofFile: file)) else {
      return
    }
    if let target = grouping.renamedFiles[file].flatMap({ text($0) }) {
      add(.renamedFile(source: path, destination: target), to: group)
    } else if let target = destination(ofFile: file) {
      add(.renamedFile(source: path, destination: target), to: group)
    } else {
      add(
        SelectorText.hasWildcards(path) ? .filePattern(SelectorText.escaped(path)) : .file(path),
        to: group)
    }
  }

  private func destination(ofFile file: Int) -> String? {
    let folder = Int(tree.files[file].folder)
    let name = String(decoding: tree.name(ofFile: file), as: UTF8.self)
    if let target = grouping.languageFolders[folder] {
      let start = String(decoding: target, as: UTF8.self)
      return start.isEmpty ? name : start + "/" + name
    }
    return destination(inLanguageOf: folder).map { $0 + "/" + name }
  }

  mutating func add(_ selector: FileSelector, to group: Int) {
    selectors[group].append(selector)
  }

  func text(_ path: [UInt8]) -> String? { String(validating: path, as: UTF8.self) }
}

// MARK: - Exclusions

extension SelectorAssembly {
  /// Excludes everything in a folder that is left out.
  private mutating func exclude(in folder: Int, from group: Int, except others: [Int] = []) {
    var next = folder
    while next < folder + 1 + tree.allFolders(of: folder).count {
      if others.contains(next) {
        next = next + 1 + tree.allFolders(of: next).count
        continue
      }
      if grouping.leftOutFolders[next] != nil, next != folder {
        exclude(
          name: tree.name(ofFolder: next), path: tree.path(ofFolder: next),
          grouping.leftOutFolders[next], from: group)
        next = next + 1 + tree.allFolders(of: next).count
        continue
      }
      for file in tree.ownFiles(of: next) where !grouping.isKept(file) {
        exclude(file: file, from: group)
      }
      next += 1
    }
  }

  mutating func exclude(path: [UInt8], from group: Int) {
    exclude(
      pattern: "./" + SelectorText.escaped(String(decoding: path, as: UTF8.self)), from: group)
  }

  mutating func exclude(pattern: String, from group: Int) {
    exclusions[group].append(.exclusion(pattern))
  }

  mutating func exclude(file: Int, from group: Int) {
    exclude(
      name: tree.name(ofFile: file), path: tree.path(ofFile: file),
      grouping.leftOutReason(of: file), from: group)
  }

  /// Adds the widest exclusion that matches no kept file, and that the rule would also leave out
  /// later: hidden names, an extension, a name, or the path.
  private mutating func exclude(
    name: ArraySlice<UInt8>, path: [UInt8], _ reason: Int?, from group: Int
  ) {
    let kind = fileExtension(of: name)
    let id = reason.map { grouping.leftOut[$0].reason.rule.id }
    let rule = LeftOutRules.named.first { $0.rule.id == id }
    let isOfKind = rule?.leavesOut(kind: lowered(kind), by: grouping.engine) ?? false
    var pattern = "./" + SelectorText.escaped(String(decoding: path, as: UTF8.self))
    if let own = userPatterns.first(where: { $0.pattern.matches(path) }) {
      pattern = own.text
    } else if name.first == dot, !keepsHiddenNames {
      pattern = ".*"
    } else if isOfKind, !keptExtensions.contains(stableHash(kind)) {
      pattern = "*." + SelectorText.escaped(String(decoding: kind, as: UTF8.self))
    } else if rule != nil, !keptNames.contains(stableHash(name)) {
      pattern = SelectorText.escaped(String(decoding: name, as: UTF8.self))
    }
    let selector = FileSelector.exclusion(pattern)
    if seen[group].insert(selector).inserted { exclusions[group].append(selector) }
  }
}
