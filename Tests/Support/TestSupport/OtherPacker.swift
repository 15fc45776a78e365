import Glibc
package import SystemIO

extension ForcedFailure {
  /// Returns an action at one call of this packer: an interrupted other packer removes the folder
  /// of its output and the parent folder, if they are empty.
  package static func interruptedPacker(
    at call: SystemCall, skipping: Int, removing inner: String, in outer: String
  ) -> ForcedFailure {
    ForcedFailure(
      call,
      .run {
        unsafe rmdir(inner)
        unsafe rmdir(outer)
      }, times: 1, skipping: skipping, within: outer)
  }
}
