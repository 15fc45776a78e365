import Glibc
import SystemIO

/// The state of the target path of a folder.
enum TargetFolder {
  /// The path does not exist; the folder can be created atomically.
  case absent
  /// A folder, which is not replaced: its owner and permissions are kept, and open references
  /// remain valid.
  case present(OpenFolder, isEmpty: Bool)

  /// Inspects a path.
  init(_ path: String) throws(PackError) {
    do throws(Failure) {
      let folder = OpenFolder(try FileDescriptor.open(path, for: .directory), in: nil)
      self = .present(folder, isEmpty: try folder.descriptor.list().items.isEmpty)
    } catch {
      switch error.code {
      case ENOENT: self = .absent
      case ENOTDIR:
        throw PackError(
          .exists, "'\(path)' already exists and is not a folder", remedy: "choose another name")
      default: throw PackError(error, while: .extracting)
      }
    }
  }
}
