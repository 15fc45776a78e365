import Glibc

/// A folder under a temporary name, which is filled before anything in it gets its final name.
///
/// ``publish(as:)`` gives the folder its own name, beside it; or what is in it is moved elsewhere.
/// What is still there when the value ends is removed.
package struct StagedFolder: ~Copyable {
  /// The folder to fill.
  package let contents: FileDescriptor
  /// The permissions that a new folder gets if it asks for all of them: the umask, or an access
  /// list of the folder above, takes some away.
  package let permitted: UInt32
  private let staged: StagedName

  /// Makes the folder inside another one; messages name the output at `path`.
  package init(in parent: consuming FileDescriptor, for path: String) throws(Failure) {
    let held = try explaining({ $0.about(path) }) { () throws(Failure) in
      try parent.makeTemporaryFolder()
    }
    permitted = held.permitted
    staged = StagedName(in: parent, held.name, isFolder: true)
    contents = held.descriptor
  }

  /// Gives the folder the name at the end of the path; if anything has that name by now, it is
  /// refused.
  package consuming func publish(as path: String) throws(Failure) {
    try staged.publish(as: OutputPlace(path).name, replacing: false, syncing: true, shown: path)
  }
}
