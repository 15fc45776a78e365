import Glibc
import SystemIO

/// What is at the place where a folder is to be.
enum OutputFolder {
  /// Nothing: the folder can appear at once.
  case absent
  /// An empty folder that a new one of these permissions can take the place of.
  case replaceable(permissions: UInt32)
  /// An empty folder that has to stay the one it is: somebody is in it, it is reached through a
  /// link, another file system begins there, or nothing can be made beside it.
  case empty(OpenFolder)
  /// A folder that has something in it.
  case filled(OpenFolder)

  /// Looks at the place.
  init(_ path: String) throws(PackError) {
    do throws(SystemError) {
      self = try Self.look(at: path)
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

  private static func look(at path: String) throws(SystemError) -> OutputFolder {
    let folder = OpenFolder(try FileDescriptor.open(path, for: .directory), in: nil)
    guard try folder.descriptor.list().items.isEmpty else { return .filled(folder) }
    let status = try folder.descriptor.status()
    let place = OutputPlace(path)
    let current = try FileDescriptor.open(".", for: .directory).status().identity
    let parent = try FileDescriptor.open(place.folder, for: .directory)
    guard status.identity != current, place.name != ".", place.name != "..",
      try parent.status(of: place.name).identity == status.identity,
      try parent.status().identity.device == status.identity.device, try parent.isWritable()
    else { return .empty(folder) }
    return .replaceable(permissions: status.permissions)
  }
}
