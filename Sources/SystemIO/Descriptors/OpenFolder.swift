/// A folder on a disk that was opened from its parent, and keeps the parent open.
///
/// The path to the parent never uses `..`: if the folder is moved, that would lead out of the root.
package final class OpenFolder: Sendable {
  package let descriptor: FileDescriptor
  package let parent: OpenFolder?

  package init(_ descriptor: consuming FileDescriptor, in parent: OpenFolder?) {
    self.descriptor = descriptor
    self.parent = parent
  }
}
