/// A folder on a disk that was opened from its parent folder, which it keeps open.
///
/// The parent is never opened as `..`: if the folder was moved, `..` could be outside the root.
package final class OpenFolder: Sendable {
  package let descriptor: FileDescriptor
  package let parent: OpenFolder?

  package init(_ descriptor: consuming FileDescriptor, in parent: OpenFolder?) {
    self.descriptor = descriptor
    self.parent = parent
  }
}
