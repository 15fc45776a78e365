import Glibc

/// A file whose bytes are replaced whole, as if they had been written in place.
///
/// Owner, group, permissions and extended attributes stay, and so does a symbolic link that leads to
/// the file. Until ``replace(by:)`` has gone well, the old bytes are there.
package struct FileRewrite: ~Copyable {
  /// The error code for what is no regular file: there is nothing that could be replaced.
  package static let notRegular = ENOTSUP

  private let path: String
  /// The path behind links: the link stays.
  private let target: String
  private let original: FileDescriptor
  private let status: FileStatus

  /// Opens the file; what is no regular one is refused before anything is read from it.
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

  /// The bytes that are there, or the first `count` of them.
  package borrowing func contents(atMost count: Int) throws(Failure) -> [UInt8] {
    try original.readToEnd(atMost: count)
  }

  /// Puts other bytes in their place; a file that somebody changed since it was opened is refused.
  package consuming func replace(by bytes: [UInt8]) throws(Failure) {
    let file = try AtomicFile(target, replacing: true)
    let made = try file.descriptor.status()
    if (made.userID, made.groupID) != (status.userID, status.groupID) {
      try file.descriptor.setOwner(status.userID, group: status.groupID)
    }
    // A new owner costs set-id bits, and an access list is part of the permissions: this order.
    try file.setPermissions(status.permissions)
    try file.descriptor.setAttributes(original.attributes())
    try file.write(bytes)
    guard try FileStatus(ofFileAt: target) == status else {
      throw Failure(.rewrite, path, code: ESTALE)
    }
    try file.publish()
  }
}
