import Glibc

/// A folder under a temporary name, which is filled before its contents get their final names.
///
/// ``publish(as:)`` gives the folder its final name, in the same parent folder. Alternatively, the
/// caller moves its contents to other folders. Any remaining contents are removed when the value
/// ends.
package struct StagedFolder: ~Copyable {
  /// The folder to fill.
  package let contents: FileDescriptor
  /// The permissions that the system grants to a new folder if all are requested: the umask, or an
  /// access list of the parent folder, may remove some.
  package let permitted: UInt32
  private let staged: StagedName

  /// Creates the folder inside another one; messages name the output at `path`.
  package init(in parent: consuming FileDescriptor, for path: String) throws(Failure) {
    let held = try explaining({ $0.withPath(path) }) { () throws(Failure) in
      try parent.makeTemporaryFolder()
    }
    permitted = held.permitted
    staged = StagedName(in: parent, held.name, isFolder: true)
    contents = held.descriptor
  }

  /// Gives the folder the name at the end of the path; throws if that name exists.
  package consuming func publish(as path: String) throws(Failure) {
    try staged.publish(as: OutputPlace(path).name, replacing: false, syncing: true, shown: path)
  }
}
