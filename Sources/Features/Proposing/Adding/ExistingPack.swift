import BAPackKit
import SourceDiagnostics
import SystemIO

/// A manifest of a project, and the entries of the inspected folder that it selects.
struct ExistingPack: Sendable {
  let document: ManifestDocument
  let manifest: Manifest
  /// The relation of its source root to the inspected folder.
  let offset: RootOffset
  /// The selected entries of the inspected folder.
  let contents: SelectedEntries
  /// The exclusions, in the order of the manifest.
  let exclusions: [ExistingExclusion]

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

  /// Returns the text with more selectors at the end of the list; its other bytes are unchanged.
  func text(adding selectors: [FileSelector]) throws(PackError) -> [UInt8] {
    let root = JSONDocument(parsing: document.source).root
    guard let list = root?[Manifest.key(of: \.fileSelectors)] else { throw refusal }
    var rewrite = JSONRewrite(of: list.document)
    rewrite.append(selectors.map(\.jsonValue), asLines: true, to: list)
    let text = rewrite.text
    let again = ManifestDocument(parsing: text, named: document.source.name)
    guard again.manifest?.fileSelectors == manifest.fileSelectors + selectors else {
      throw refusal
    }
    return text
  }

  private var refusal: PackError {
    PackError(
      .unsupported, "cannot add selectors to '\(document.source.name)'",
      remedy: "add them to 'fileSelectors' yourself")
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
