import Glibc
import SystemIO

/// An opener of the files of a source root.
///
/// In a folder, it never follows links outside the root. In a list, it opens the listed sources and
/// follows their links.
struct FileOpener {
  private enum Root {
    case folder(FolderTree)
    case list(ListTree)
  }

  private let root: Root
  /// The path of the folder of the last file, and the open folder of each of its names.
  ///
  /// The next file is usually in the same folder, or in one with the same first names.
  private var folderPath: ArraySlice<UInt8> = []
  private var folders: [OpenFolder] = []

  init(_ tree: FolderTree) { root = .folder(tree) }

  init(_ list: ListTree) { root = .list(list) }

  mutating func open(_ path: ArraySlice<UInt8>) throws(Failure) -> FileDescriptor {
    switch root {
    case .folder(let tree): return try open(path, in: tree)
    case .list(let list):
      guard let source = list.source(at: path) else {
        throw Failure(.open, shownBytes(path), code: ENOENT)
      }
      return try FileDescriptor.open(source.text, for: .reading)
    }
  }

  private mutating func open(
    _ path: ArraySlice<UInt8>, in tree: FolderTree
  ) throws(Failure) -> FileDescriptor {
    let end = path.lastIndex(of: slash)
    let name = FileName(path[(end.map { $0 + 1 } ?? path.startIndex)...])
    let parent = try folder(at: path[..<(end ?? path.startIndex)], in: tree)
    do throws(Failure) {
      return try parent.descriptor.open(name, for: .reading)
    } catch {
      guard error.code == ELOOP else { throw error }
    }
    // The name is a link: its target is opened in its own folder.
    guard case .file(let real, _, let place) = try follow(name, in: parent, tree, path) else {
      throw Failure(.open, shownBytes(path), code: EISDIR)
    }
    return try place.descriptor.open(real, for: .reading)
  }

  /// Opens the names of a folder's path that differ from the last one.
  private mutating func folder(
    at path: ArraySlice<UInt8>, in tree: FolderTree
  ) throws(Failure) -> OpenFolder {
    if path == folderPath { return folders.last ?? tree.root }
    let names = path.split(separator: slash)
    let common = zip(names, folderPath.split(separator: slash)).prefix { $0 == $1 }.count
    folders.removeSubrange(common...)
    // These names are open, also after an error.
    folderPath = path[..<(common > 0 ? names[common - 1].endIndex : path.startIndex)]
    for name in names[common...] {
      let place = path[..<name.endIndex]
      folders.append(try open(FileName(name), in: folders.last ?? tree.root, tree, place))
      folderPath = place
    }
    return folders.last ?? tree.root
  }

  /// Opens the folder `name`, or that to which a link leads.
  private func open(
    _ name: FileName, in parent: OpenFolder, _ tree: FolderTree, _ path: ArraySlice<UInt8>
  ) throws(Failure) -> OpenFolder {
    // Most names are folders. Only a link needs a status first.
    if let folder = try? tree.open(name, in: parent) { return folder }
    guard case .folder(let folder) = try follow(name, in: parent, tree, path) else {
      throw Failure(.open, shownBytes(path), code: ENOTDIR)
    }
    return folder
  }

  private func follow(
    _ name: FileName, in parent: OpenFolder, _ tree: FolderTree, _ path: ArraySlice<UInt8>
  ) throws(Failure) -> Found<OpenFolder> {
    do throws(LookupFault) {
      return try tree.lookUp([name], from: parent)
    } catch {
      if case .system(let error) = error { throw error }
      throw Failure(.open, shownBytes(path), code: ESTALE)
    }
  }
}
