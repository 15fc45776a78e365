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
  /// The folder of the last file, usually also of the next one.
  private var folder: (path: ArraySlice<UInt8>, open: OpenFolder)?

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
    let folderPath = path[..<(end ?? path.startIndex)]
    let parent: OpenFolder
    if let folder, folder.path == folderPath {
      parent = folder.open
    } else {
      guard case .folder(let found) = try follow(folderPath.split(separator: slash), in: tree)
      else {
        throw Failure(.open, shownBytes(path), code: ENOTDIR)
      }
      parent = found
      folder = (folderPath, parent)
    }
    do throws(Failure) {
      return try parent.descriptor.open(name, for: .reading)
    } catch {
      guard error.code == ELOOP else { throw error }
    }
    // The name is a link: its target is opened in its own folder.
    guard case .file(let real, _, let place) = try follow(path.split(separator: slash), in: tree)
    else {
      throw Failure(.open, shownBytes(path), code: EISDIR)
    }
    return try place.descriptor.open(real, for: .reading)
  }

  private func follow(
    _ path: [ArraySlice<UInt8>], in tree: FolderTree
  ) throws(Failure) -> Found<OpenFolder> {
    do throws(LookupFault) {
      return try tree.lookUp(path.map { FileName($0) }, from: tree.root)
    } catch {
      if case .system(let error) = error { throw error }
      throw Failure(.open, shownBytes(path.joined(separator: [slash])), code: ESTALE)
    }
  }
}
