import Glibc
import SystemIO

/// What is at the place where a folder is to be.
enum TargetFolder {
  /// Nothing: the folder can appear at once.
  case absent
  /// A folder, which stays the one that it is: its owner, its permissions, and who works in it.
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
