import Glibc
import SystemIO

/// A folder on disk that was opened inside another one, and keeps that one open.
///
/// The way back never goes through `..`: a folder that somebody moves while we are in it would lead
/// us out of the root.
final class OpenFolder: Sendable {
  let descriptor: FileDescriptor
  let parent: OpenFolder?

  init(_ descriptor: consuming FileDescriptor, in parent: OpenFolder?) {
    self.descriptor = descriptor
    self.parent = parent
  }
}

/// A source root on disk.
struct FolderTree: SourceTree {
  let root: OpenFolder

  init(_ descriptor: consuming FileDescriptor) { root = OpenFolder(descriptor, in: nil) }

  func parent(of folder: OpenFolder) -> OpenFolder? { folder.parent }

  func list(_ folder: OpenFolder) throws(Failure) -> DirectoryListing {
    do throws(Failure) {
      return try folder.descriptor.list()
    } catch {
      // What was opened only to be crossed has no list of its own.
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
      // One that may not be listed may still be crossed; listing it says what is wrong.
      guard error.code == EACCES else { throw error }
      return OpenFolder(try folder.descriptor.open(name, for: .crossing), in: folder)
    }
  }

  func checkReadable(_ name: FileName, _ status: FileStatus, in folder: OpenFolder)
    throws(Failure)
  {
    // What everybody may read needs no second call: this is asked for every file.
    if status.permissions & 0o444 == 0o444 { return }
    try folder.descriptor.checkReadable(name)
  }
}
