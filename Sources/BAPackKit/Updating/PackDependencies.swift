package import SystemIO

/// The files and folders that decide what is in an archive: a change to one of them may change it.
package struct PackDependencies: Sendable, Equatable {
  /// A file, or a folder whose list of names decides.
  package struct Input: Sendable, Equatable {
    package let path: FilePath
    package let isFolder: Bool

    package init(_ path: FilePath, isFolder: Bool = false) {
      self.path = path
      self.isFolder = isFolder
    }
  }

  /// The pack's ID, as far as it could be read.
  package let assetPackID: String?
  /// They have the paths under which the source root and the manifest were named.
  package private(set) var inputs: [Input]
  private let root: FilePath

  /// What is known before the files were looked for: the manifest, and the source root.
  init(of document: ManifestDocument, in root: String) {
    assetPackID = document.assetPackID
    self.root = FilePath(root)
    // A text from standard input has no file.
    let isText = (try? FileStatus(ofFileAt: document.source.name)) == nil
    inputs = (isText ? [] : [Input(FilePath(document.source.name))]) + [Input(self.root)]
  }

  /// Takes in the folders that were listed, where a new file would be chosen, and the files.
  mutating func take(_ resolution: Selection.Resolution, from source: SourceRoot) {
    guard case .folder = source.storage else { return }
    // The root is among the folders where it was listed.
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
