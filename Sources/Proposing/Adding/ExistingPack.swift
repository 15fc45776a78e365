import BAPackKit
import SourceDiagnostics
import SystemIO

/// A manifest of a project, and the place of its source root in relation to the inspected folder.
struct ExistingPack: Sendable {
  let document: ManifestDocument
  let manifest: Manifest
  /// The relation of its source root to the inspected folder.
  let offset: Offset

  /// The relation of the manifest's source root to the inspected folder.
  enum Offset: Sendable, Hashable {
    /// The inspected folder has this path in the source root; empty for the same folder.
    case inside([UInt8])
    /// The source root has this path in the inspected folder.
    case around([UInt8])
    /// Neither contains the other, or the source root is not a folder.
    case apart
  }

  /// Creates a value; throws if the manifest has errors.
  init(
    _ document: ManifestDocument, defaultRoot: FilePath, tree: AssetTree
  ) throws(PackError) {
    guard let manifest = document.manifest else {
      throw PackError(
        .invalidValue, "cannot add files to '\(document.source.name)': it has errors",
        remedy: "correct the errors first")
    }
    self.document = document
    self.manifest = manifest
    let root = SourceRoot.path(for: document, defaultRoot: defaultRoot.text)
    offset = Self.offset(of: root, to: tree.root.text)
  }

  private static func offset(of root: String, to inspected: String) -> Offset {
    guard let root = try? FilePath(realPath(of: root)).components,
      let inspected = try? FilePath(realPath(of: inspected)).components
    else { return .apart }
    func rest(_ path: [FileName], below folder: [FileName]) -> [UInt8]? {
      path.starts(with: folder) ? FilePath(joining: path.dropFirst(folder.count)).bytes : nil
    }
    if let path = rest(inspected, below: root) { return .inside(path) }
    return rest(root, below: inspected).map(Offset.around) ?? .apart
  }

  /// Returns the path of a file of the inspected folder in the manifest's source root; nil if the
  /// file is not in it.
  func path(of path: [UInt8]) -> [UInt8]? { Self.path(of: path, offset) }

  static func path(of path: [UInt8], _ offset: Offset) -> [UInt8]? {
    switch offset {
    case .inside(let prefix): return prefix.isEmpty ? path : prefix + [slash] + path
    case .around(let prefix):
      return path.starts(with: prefix + [slash]) ? Array(path.dropFirst(prefix.count + 1)) : nil
    case .apart: return nil
    }
  }

  /// Returns a selector of the inspected folder as a selector of the manifest.
  func own(_ selector: FileSelector) -> FileSelector? {
    func own(_ path: String) -> String? {
      if path == "." {
        if case .inside(let prefix) = offset {
          return prefix.isEmpty ? path : FilePath(prefix).text
        }
        return nil
      }
      return self.path(of: Array(path.utf8)).map { FilePath($0).text }
    }
    // Without renamed folders, the app uses the paths of the source root.
    let renames = manifest.fileSelectors.contains { selector in
      switch selector {
      case .renamedFile, .renamedDirectory: true
      case .file, .directory, .filePattern, .exclusion: false
      }
    }
    switch selector {
    case .file(let path): return own(path).map(FileSelector.file)
    case .directory(let path): return own(path).map(FileSelector.directory)
    case .filePattern(let pattern): return own(pattern).map(FileSelector.filePattern)
    case .exclusion(let pattern):
      let isAnchored = pattern.hasPrefix("./")
      return own(isAnchored ? String(pattern.dropFirst(2)) : pattern).map {
        .exclusion(isAnchored && !$0.contains("/") ? "./" + $0 : $0)
      }
    case .renamedFile(let source, let destination):
      guard let source = own(source) else { return nil }
      guard renames else { return .file(source) }
      return own(destination).map { .renamedFile(source: source, destination: $0) }
    case .renamedDirectory(let source, let destination):
      guard let source = own(source) else { return nil }
      guard renames else { return .directory(source) }
      return own(destination).map { .renamedDirectory(source: source, destination: $0) }
    }
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
