import Glibc

/// A folder under a temporary name, to be filled before anything in it gets the name it is for.
///
/// ``publish(as:)`` gives the folder itself a name beside it, whole; or what is in it moves elsewhere.
/// Whatever is there when the value ends goes.
package struct StagedFolder: ~Copyable {
  /// The folder to fill.
  package let contents: FileDescriptor
  /// The permissions of a new folder that asks for all of them: what the umask lets through here, or
  /// the folder's own rules for what is made in it.
  package let permitted: UInt32
  private let staged: StagedName

  /// Makes the folder in another one; messages name the output that it is for.
  package init(in parent: consuming FileDescriptor, for path: String) throws(Failure) {
    let held = try explaining({ $0.about(path) }) { () throws(Failure) in
      try parent.makeTemporaryFolder()
    }
    permitted = held.permitted
    staged = StagedName(in: parent, held.name, isFolder: true)
    contents = held.descriptor
  }

  /// Gives the folder the name at the end of the path; whatever has that name by now is refused.
  package consuming func publish(as path: String) throws(Failure) {
    try staged.publish(as: OutputPlace(path).name, replacing: false, syncing: true, shown: path)
  }
}
