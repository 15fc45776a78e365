import BAPackKit
import SourceDiagnostics
import SystemIO

/// A manifest of a project, and the entries of the inspected folder that it selects.
struct ExistingPack: Sendable {
  let document: ManifestDocument
  /// The manifest, without the fills that other files of the pack replace.
  private(set) var manifest: Manifest
  /// The relation of its source root to the inspected folder.
  let offset: RootOffset
  /// The selected entries of the inspected folder.
  private(set) var contents: SelectedEntries
  /// The exclusions, in the order of the manifest.
  let exclusions: [ExistingExclusion]
  /// The files of other languages that replace missing files of its language.
  private(set) var fills: [Fill] = []

  /// Creates a value; throws if the manifest has errors.
  init(
    _ document: ManifestDocument, defaultRoot: FilePath, tree: AssetTree, _ folders: FolderPaths,
    _ work: Work
  ) throws(PackError) {
    guard let manifest = document.manifest else {
      throw PackError(
        .invalidValue, "cannot add files to '\(document.source.name)': it has errors",
        remedy: "correct the errors first")
    }
    self.document = document
    self.manifest = manifest
    let root = SourceRoot.path(for: document, defaultRoot: defaultRoot.text)
    offset = RootOffset(of: root, to: tree.root.text)
    contents = try SelectedEntries(of: manifest, offset, in: tree, folders, work)
    exclusions = manifest.fileSelectors.compactMap { selector in
      guard case .exclusion(let text) = selector else { return nil }
      return ExistingExclusion(text)
    }
  }

  /// Returns the first exclusion that matches a path of the inspected folder or a folder of it.
  func exclusion(of path: [UInt8]) -> ExistingExclusion? {
    guard !exclusions.isEmpty, let own = offset.path(of: path) else { return nil }
    return exclusions.first { $0.pattern.matchesPathOrFolder(own) }
  }
}

// MARK: - Files of other languages

/// A file of another language that a localized pack has instead of a missing one.
struct Fill: Sendable {
  /// The index of its selector in the manifest.
  var selector: Int
  /// The file in the source root, and its path in the pack.
  var source, path: [UInt8]
}

extension ExistingPack {
  /// Finds the selectors of single files that a pack of another language has at the same path; the
  /// contents are those without the fills that other files of the pack replace.
  mutating func findFills(
    among packs: [ExistingPack], in tree: AssetTree, _ folders: FolderPaths, _ work: Work
  ) throws(PackError) {
    guard let language = manifest.language else { return }
    let others = packs.filter {
      $0.manifest.language.map { !$0.isEquivalent(to: language) } ?? false
    }
    for (index, selector) in manifest.fileSelectors.enumerated() {
      guard case .renamedFile(let text, let destination) = selector else { continue }
      let source = FilePath(text.utf8).normalized.bytes
      guard let place = offset.treePath(of: source) else { continue }
      let path = FilePath(destination.utf8).normalized.bytes
      let isOfOther = others.contains { other in
        other.offset.path(of: place).map {
          other.contents.reach.destinations(of: $0).contains(path)
        } ?? false
      }
      if isOfOther { fills.append(Fill(selector: index, source: source, path: path)) }
    }
    let replaced = replacedFills(by: [:], in: tree)
    guard !replaced.isEmpty else { return }
    for fill in replaced.reversed() { manifest.fileSelectors.remove(at: fill.selector) }
    contents = try SelectedEntries(of: manifest, offset, in: tree, folders, work)
  }

  /// Returns the fills whose paths other files of the pack have, or new files with these paths.
  func replacedFills(by members: [Int: [UInt8]], in tree: AssetTree) -> [Fill] {
    if fills.isEmpty { return [] }
    var sources: [[UInt8]: Set<[UInt8]>] = [:]
    let paths = Set(fills.map(\.path))
    for entry in contents.entries where tree.files[entry].kind == .file {
      guard let source = offset.path(of: tree.path(ofFile: entry)) else { continue }
      for path in contents.reach.destinations(of: source) where paths.contains(path) {
        sources[path, default: []].insert(source)
      }
    }
    let new = Set(members.values)
    return fills.filter { fill in
      new.contains(fill.path)
        || sources[fill.path, default: []].contains { $0 != fill.source }
    }
  }
}

/// An exclusion of a manifest.
struct ExistingExclusion: Sendable {
  let text: String
  let pattern: PathPattern
  /// The path that the pattern names, if it contains no wildcard and matches only in one folder.
  let place: [UInt8]?

  init?(_ text: String) {
    guard let pattern = try? PathPattern(forExclusion: text) else { return nil }
    self.text = text
    self.pattern = pattern
    let names = FilePath(text.utf8).components
    let isAnchored = names.count > 1 || text.hasPrefix("./")
    let plain = names.map(\.bytes).map(Self.unescaped)
    place =
      isAnchored && plain.allSatisfy({ $0 != nil })
      ? Array(plain.compactMap(\.self).joined(separator: [slash])) : nil
  }

  /// Returns the only name that a pattern matches; nil if it contains a wildcard.
  private static func unescaped(_ pattern: [UInt8]) -> [UInt8]? {
    var name: [UInt8] = []
    var rest = pattern[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "["): return nil
      case UInt8(ascii: "\\"):
        guard let next = rest.popFirst() else { return nil }
        name.append(next)
      default: name.append(byte)
      }
    }
    return name
  }
}
