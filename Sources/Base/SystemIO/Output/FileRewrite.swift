import Glibc

/// A file whose contents are replaced atomically, with its other properties unchanged.
///
/// Owner, group, permissions, extended attributes and a symbolic link to the file are kept. Until
/// ``replace(by:)`` has succeeded, the file has the old contents.
package struct FileRewrite: ~Copyable {
  /// The error code for a file that is not regular: it cannot be replaced.
  package static let notRegular = ENOTSUP

  private let path: String
  /// The path of the file after all links; the links are kept.
  private let target: String
  private let original: FileDescriptor
  private let status: FileStatus

  /// Opens the file; a file that is not regular is rejected before it is read.
  package init(_ path: String) throws(Failure) {
    try Self.check(FileStatus(ofFileAt: path), path)
    let target = try realPath(of: path)
    let original = try FileDescriptor.open(target, for: .reading)
    let status = try original.status()
    try Self.check(status, path)
    self.path = path
    self.target = target
    self.original = original
    self.status = status
  }

  private static func check(_ status: FileStatus, _ path: String) throws(Failure) {
    switch status.kind {
    case .file: break
    case .directory: throw Failure(.rewrite, path, code: EISDIR)
    default: throw Failure(.rewrite, path, code: notRegular)
    }
  }

  /// Returns the contents of the file, or the first `count` bytes of them.
  package borrowing func contents(atMost count: Int) throws(Failure) -> [UInt8] {
    try original.readToEnd(atMost: count)
  }

  /// Replaces the contents; throws if the file was changed since it was opened.
  package consuming func replace(by bytes: [UInt8]) throws(Failure) {
    try stage(bytes).publish()
  }

  /// Writes new contents next to the file, which still has the old ones.
  package consuming func stage(_ bytes: [UInt8]) throws(Failure) -> Staged {
    let file = try AtomicFile(target, replacing: true)
    let made = try file.descriptor.status()
    if (made.userID, made.groupID) != (status.userID, status.groupID) {
      try file.descriptor.setOwner(status.userID, group: status.groupID)
    }
    // The order is required: a change of the owner clears the set-id bits of the permissions, and
    // the permissions change the access list, which is an attribute.
    try file.setPermissions(status.permissions)
    try file.descriptor.setAttributes(original.attributes())
    try file.write(bytes)
    return Staged(file: file, path: path, target: target, status: status)
  }

  /// The new contents of a file, which do not have its name yet.
  package struct Staged: ~Copyable {
    /// The file with the new contents.
    package let file: AtomicFile
    fileprivate let path: String
    fileprivate let target: String
    fileprivate let status: FileStatus

    /// Gives the new contents the name; throws if the file was changed since it was opened.
    package consuming func publish() throws(Failure) {
      guard try FileStatus(ofFileAt: target) == status else {
        throw Failure(.rewrite, path, code: ESTALE)
      }
      try file.publish()
    }
  }
}

/// Returns the path of a file relative to a folder, with `..` if it is outside of the folder; nil
/// if a folder does not exist.
///
/// Links to folders are followed. The file itself may be a link, or missing.
package func relativePath(of file: String, from folder: String) -> String? {
  let place = OutputPlace(file)
  guard let top = try? realPath(of: folder), let own = try? realPath(of: place.folder) else {
    return nil
  }
  let (base, names) = (FilePath(top).components, FilePath(own).components)
  let common = zip(base, names).prefix { $0 == $1 }.count
  let up = base.dropFirst(common).map { _ in ".." as FileName }
  return FilePath(joining: up + names.dropFirst(common) + [place.name]).text
}

/// Returns the path of the file that symbolic links lead to (`realpath`).
///
/// A file is replaced by renaming another one: under the name of a link, only the link would be
/// replaced.
package func realPath(of path: String) throws(Failure) -> String {
  var resolved: UnsafeMutablePointer<CChar>?
  let found = unsafe FilePath(path).withCString { path in
    unsafe resolved = realpath(path, nil)
    return unsafe resolved == nil ? Int32(-1) : 0
  }
  defer { unsafe free(resolved) }
  guard found == 0, let resolved = unsafe resolved else {
    throw Failure(.find, path, code: errno)
  }
  return unsafe FilePath(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved))).text
}
