import Glibc
package import SystemIO

/// A source root on disk.
struct FolderTree: SourceTree {
  let root: OpenFolder

  func parent(of folder: OpenFolder) -> OpenFolder? { folder.parent }

  func list(_ folder: OpenFolder) throws(Failure) -> DirectoryListing {
    do throws(Failure) {
      return try folder.descriptor.list()
    } catch {
      // A folder that was opened only for access to its entries cannot be listed.
      guard error.code == EBADF else { throw error }
      return try folder.descriptor.open(".", for: .directory).list()
    }
  }

  func status(of folder: OpenFolder) throws(Failure) -> FileStatus {
    try folder.descriptor.status()
  }

  func status(
    of item: DirectoryListing.Item, in listing: DirectoryListing, of folder: OpenFolder
  ) throws(Failure) -> FileStatus {
    try folder.descriptor.status(of: item, in: listing)
  }

  func status(of name: FileName, in folder: OpenFolder) throws(Failure) -> FileStatus {
    try folder.descriptor.status(of: name)
  }

  func linkTarget(of name: FileName, in folder: OpenFolder) throws(Failure) -> [UInt8] {
    try folder.descriptor.linkTarget(of: name)
  }

  func open(_ name: FileName, in folder: OpenFolder) throws(Failure) -> OpenFolder {
    do throws(Failure) {
      return OpenFolder(try folder.descriptor.open(name, for: .directory), in: folder)
    } catch {
      // A folder that is not readable can still be traversed; listing it reports the error.
      guard error.code == EACCES else { throw error }
      return OpenFolder(try folder.descriptor.open(name, for: .crossing), in: folder)
    }
  }

  func checkReadable(_ name: FileName, _ status: FileStatus, in folder: OpenFolder)
    throws(Failure)
  {
    // A file that is readable for all users needs no second system call.
    if status.permissions & 0o444 == 0o444 { return }
    try folder.descriptor.checkReadable(name)
  }
}

extension FolderTree {
  init(_ descriptor: consuming FileDescriptor) { root = OpenFolder(descriptor, in: nil) }
}

extension OpenFolder {
  /// The target of a symbolic link in a source root, by the rules for the files of packs.
  package enum LinkTarget: Sendable, Equatable {
    /// A readable file below the source root, with its name and its size in bytes.
    case file(named: FileName, size: UInt64)
    /// A folder below the source root, or the source root.
    case folder
    /// No target, or one that a pack cannot contain.
    case unusable
  }

  /// Returns the target of the symbolic link `name` in this folder; the source root is the folder
  /// that was opened without a parent.
  package func target(ofLink name: FileName) -> LinkTarget {
    let tree = FolderTree(root: self)
    guard let found = try? tree.lookUp([name], from: self) else { return .unusable }
    switch found {
    case .folder: return .folder
    case .file(let name, let status, let folder):
      guard status.kind == .file, (try? tree.checkReadable(name, status, in: folder)) != nil
      else { return .unusable }
      return .file(named: name, size: status.size)
    }
  }
}
