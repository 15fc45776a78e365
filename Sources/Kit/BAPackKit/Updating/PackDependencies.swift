package import SystemIO

/// The files and folders that determine the contents of an archive.
package struct PackDependencies: Sendable, Equatable {
  /// A file, or a folder whose list of names matters.
  package struct Input: Sendable, Equatable {
    package let path: FilePath
    package let isFolder: Bool

    package init(_ path: FilePath, isFolder: Bool = false) {
      self.path = path
      self.isFolder = isFolder
    }
  }

  /// The pack's ID, if it is readable.
  package let assetPackID: String?
  /// The inputs, with paths below the specified paths of the source root and the manifest.
  package private(set) var inputs: [Input]
  private let root: FilePath

  /// Creates the dependencies that are known before the search for files: the manifest and the
  /// source root.
  init(of document: ManifestDocument, in root: String) {
    assetPackID = document.assetPackID
    self.root = FilePath(root)
    // A manifest from standard input has no file.
    let isText = (try? FileStatus(ofFileAt: document.source.name)) == nil
    inputs = (isText ? [] : [Input(FilePath(document.source.name))])
    // Nor has a list from standard input.
    if root != FileList.standardInput { inputs.append(Input(self.root)) }
  }

  /// Adds the files, and the listed folders, in which a new file would be selected.
  ///
  /// Of a list, the sources of the files are added; the list itself is the source root.
  mutating func add(_ resolution: Selection.Resolution, from source: SourceRoot) {
    switch source.storage {
    case .archive: return
    case .folder: add(folderOf: resolution)
    case .list(let tree):
      let selection = resolution.selection
      var seen: Set<FilePath> = []
      for index in selection.indices where selection.isFile(at: index) {
        guard let file = tree.source(at: selection.sourceBytes(at: index)) else { continue }
        if seen.insert(file).inserted { inputs.append(Input(file)) }
      }
    }
  }

  private mutating func add(folderOf resolution: Selection.Resolution) {
    // The root is one of the listed folders.
    inputs.removeAll { $0.path == root }
    let selection = resolution.selection
    var seen: Set<FilePath> = []
    for folder in resolution.folders where seen.insert(FilePath(folder)).inserted {
      inputs.append(
        Input(folder.isEmpty ? root : root.appending(FilePath(folder)), isFolder: true))
    }
    for index in selection.indices where selection.isFile(at: index) {
      let file = FilePath(selection.sourceBytes(at: index))
      if seen.insert(file).inserted { inputs.append(Input(root.appending(file))) }
    }
  }
}
