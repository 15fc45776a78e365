/// A folder on a disk that was opened from the folder around it, and keeps that one open.
///
/// The way back never uses `..`: if the folder is moved meanwhile, that would lead out of the root.
package final class OpenFolder: Sendable {
  package let descriptor: FileDescriptor
  package let parent: OpenFolder?

  package init(_ descriptor: consuming FileDescriptor, in parent: OpenFolder?) {
    self.descriptor = descriptor
    self.parent = parent
  }
}
