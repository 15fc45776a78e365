import Glibc
import SystemIO

/// What is at the place where a folder will be.
enum TargetFolder {
  /// Nothing: the folder can appear at once, complete.
  case absent
  /// A folder, which is not replaced: its owner, its permissions, and programs that use it stay.
  case present(OpenFolder, isEmpty: Bool)

  /// Looks at the place.
  init(_ path: String) throws(PackError) {
    do throws(Failure) {
      let folder = OpenFolder(try FileDescriptor.open(path, for: .directory), in: nil)
      self = .present(folder, isEmpty: try folder.descriptor.list().items.isEmpty)
    } catch {
      switch error.code {
      case ENOENT: self = .absent
      case ENOTDIR:
        throw PackError(
          .exists, "'\(path)' is there already and is no folder", remedy: "choose another name")
      default: throw PackError(error, while: .extracting)
      }
    }
  }
}
