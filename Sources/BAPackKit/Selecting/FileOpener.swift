import Glibc
import SystemIO

/// An opener of files below a root, which never follows links outside the root.
struct FileOpener {
  private let tree: FolderTree
  /// The folder of the last file, usually also of the next one.
  private var folder: (path: ArraySlice<UInt8>, open: OpenFolder)?

  init(_ tree: FolderTree) { self.tree = tree }

  mutating func open(_ path: ArraySlice<UInt8>) throws(Failure) -> FileDescriptor {
    let end = path.lastIndex(of: slash)
    let name = FileName(path[(end.map { $0 + 1 } ?? path.startIndex)...])
    let folderPath = path[..<(end ?? path.startIndex)]
    let parent: OpenFolder
    if let folder, folder.path == folderPath {
      parent = folder.open
    } else {
      guard case .folder(let found) = try follow(folderPath.split(separator: slash)) else {
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
    guard case .file(let real, _, let place) = try follow(path.split(separator: slash)) else {
      throw Failure(.open, shownBytes(path), code: EISDIR)
    }
    return try place.descriptor.open(real, for: .reading)
  }

  private func follow(_ path: [ArraySlice<UInt8>]) throws(Failure) -> Found<OpenFolder> {
    do throws(LookupFault) {
      return try tree.lookUp(path.map { FileName($0) }, from: tree.root)
    } catch {
      if case .system(let error) = error { throw error }
      throw Failure(.open, shownBytes(path.joined(separator: [slash])), code: ESTALE)
    }
  }
}
