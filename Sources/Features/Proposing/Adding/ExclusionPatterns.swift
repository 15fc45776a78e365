import AssetArchive
import BAPackKit
import SystemIO

/// The patterns that exclude entries that are left out, and no others.
struct ExclusionPatterns {
  private let tree: AssetTree
  private let files: NewFiles
  private let existing: [ExistingPack]
  private let engine: Engine?
  /// The patterns of the user for this run.
  private let chosen: [ExistingExclusion]
  private let leftOut: [LeftOut]
  /// The reason of each entry, as an index of the groups that are left out; -1 for others.
  private var reasons: [Int16]
  /// The entries that a rule leaves out, but that a selector names.
  private var named: Set<Int> = []
  private var keptNames: Set<UInt64> = []
  private var keptKinds: Set<UInt64> = []

  init(
    _ proposal: Proposal, in tree: AssetTree, _ files: NewFiles, besides existing: [ExistingPack],
    chosen: [String]
  ) {
    self.tree = tree
    self.files = files
    self.existing = existing
    self.chosen = chosen.compactMap { ExistingExclusion($0) }
    engine = proposal.project.engine
    leftOut = proposal.leftOut
    reasons = [Int16](repeating: -1, count: tree.files.count)
    for (index, group) in proposal.leftOut.enumerated() {
      for entry in group.files { reasons[entry] = Int16(index) }
    }
    for pack in existing {
      for entry in pack.contents.entries where reasons[entry] >= 0 && isNamed(entry, in: pack) {
        named.insert(entry)
      }
    }
    guard !proposal.leftOut.isEmpty else { return }
    for file in tree.files.indices where isKept(file) {
      keptNames.insert(stableHash(tree.name(ofFile: file)))
      keptKinds.insert(stableHash(fileExtension(of: tree.name(ofFile: file))))
    }
  }

  /// Returns the group of an entry that a rule leaves out; nil for others.
  func group(of entry: Int) -> Int? { reasons[entry] < 0 ? nil : Int(reasons[entry]) }

  /// Returns whether a pack will contain an entry that no rule leaves out.
  private func isKept(_ entry: Int) -> Bool {
    files.states[entry] != .leftOut && (reasons[entry] < 0 || named.contains(entry))
  }

  /// Returns whether a selector names an entry that a rule leaves out.
  func isNamed(_ entry: Int) -> Bool { named.contains(entry) }

  /// Returns whether a selector of a manifest names an entry or its extension, and not only a
  /// folder or all files.
  private func isNamed(_ entry: Int, in pack: ExistingPack) -> Bool {
    guard let path = pack.offset.path(of: tree.path(ofFile: entry)) else { return false }
    if pack.contents.reach.hasFile(path) { return true }
    let kind = fileExtension(of: tree.name(ofFile: entry))
    guard let suffix = String(validating: kind, as: UTF8.self), !kind.isEmpty else { return false }
    return pack.manifest.fileSelectors.contains { selector in
      guard case .filePattern(let text) = selector, text.hasSuffix("." + suffix) else {
        return false
      }
      return (try? PathPattern(forFiles: text))?.matches(path) ?? false
    }
  }

  /// Returns an exclusion that matches an entry and no file of the pack; nil if there is none.
  ///
  /// - Parameters:
  ///   - entry: An entry that no pack can contain, or that is not in the pack.
  ///   - offset: The place of the source root.
  ///   - pack: The manifest; nil for a new one.
  ///   - isExcluded: Whether an entry near this one is also excluded.
  func exclusion(
    of entry: Int, at offset: RootOffset, in pack: ExistingPack?, _ isExcluded: (Int) -> Bool
  ) -> FileSelector? {
    let path = tree.path(ofFile: entry)
    guard let own = offset.path(of: path) else { return nil }
    func accepts(_ text: String) -> Bool {
      guard let pattern = try? PathPattern(forExclusion: text), pattern.matchesPathOrFolder(own)
      else {
        return false
      }
      return pack?.contents.entries.contains { other in
        !isExcluded(other)
          && offset.path(of: tree.path(ofFile: other)).map(pattern.matchesPathOrFolder) ?? false
      } != true
    }
    let general = known(path, at: offset) ?? general(entry)
    return [general, single(entry, path, at: offset, isExcluded)].lazy.compactMap(\.self)
      .first(where: accepts).map { .exclusion($0) }
  }

  /// Returns the pattern of the user or of a manifest that matches a path.
  private func known(_ path: [UInt8], at offset: RootOffset) -> String? {
    if let own = chosen.first(where: { $0.pattern.matchesPathOrFolder(path) }) {
      return offset.exclusion(own.text)
    }
    for pack in existing {
      guard let found = pack.exclusion(of: path), found.place == nil else { continue }
      let isAnywhere = FilePath(found.text.utf8).components.count == 1
      if isAnywhere || pack.offset == offset { return found.text }
    }
    return nil
  }

  /// Returns a pattern of an extension or a name that the rule of an entry leaves out everywhere.
  private func general(_ entry: Int) -> String? {
    guard let group = group(of: entry) else { return nil }
    let id = leftOut[group].reason.rule.id
    guard let rule = LeftOutRules.named.first(where: { $0.rule.id == id }) else { return nil }
    let name = tree.name(ofFile: entry)
    let kind = fileExtension(of: name)
    if rule.leavesOut(kind: lowered(kind), by: engine), !keptKinds.contains(stableHash(kind)),
      let text = String(validating: kind, as: UTF8.self)
    {
      return "*." + SelectorText.escaped(text)
    }
    let lower = lowered(name)
    guard name.first == dot || rule.names.contains(lower) || rule.folders.contains(lower),
      !keptNames.contains(stableHash(name)), PackPath.fault(inContents: name) == nil
    else { return nil }
    return String(validating: name, as: UTF8.self).map(SelectorText.escaped)
  }

  /// Returns a pattern of the path of an entry, or of a folder that is left out as a whole.
  private func single(
    _ entry: Int, _ path: [UInt8], at offset: RootOffset, _ isExcluded: (Int) -> Bool
  ) -> String? {
    var excluded = path
    var folder = Int(tree.files[entry].folder)
    while folder != AssetTree.rootFolder, tree.allFiles(of: folder).allSatisfy(isExcluded) {
      excluded = tree.path(ofFolder: folder)
      folder = Int(tree.folders[folder].parent)
    }
    guard let own = offset.path(of: excluded) else { return nil }
    let names = FilePath(own).components.map(NamePattern.escaped)
    let text = (names.count == 1 ? "./" : "") + FilePath(joining: names).text
    guard let pattern = try? PathPattern(forExclusion: text), pattern.matches(own) else {
      return nil
    }
    // A byte that is not UTF-8 is a wildcard in the pattern.
    let isExact = String(validating: own, as: UTF8.self) != nil
    let others = isExact ? 0..<0 : tree.allFiles(of: folder)
    let isAlone = !others.contains { other in
      isKept(other)
        && offset.path(of: tree.path(ofFile: other)).map(pattern.matchesPathOrFolder) ?? false
    }
    return isAlone ? text : nil
  }
}

/// Exclusions of a manifest, each once.
struct ExclusionList {
  private(set) var selectors: [FileSelector] = []
  private var patterns: [PathPattern] = []

  /// Returns whether one of them excludes a path of the source root.
  func excludes(_ path: [UInt8]) -> Bool { patterns.contains { $0.matchesPathOrFolder(path) } }

  mutating func append(_ selector: FileSelector) {
    guard !selectors.contains(selector) else { return }
    selectors.append(selector)
    if let pattern = try? PathPattern(forExclusion: selector.path) { patterns.append(pattern) }
  }
}
