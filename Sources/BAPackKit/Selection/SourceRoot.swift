import Glibc
import SystemIO

/// Where the files of a pack come from: a folder, or an archive that libarchive reads.
public final class SourceRoot: Sendable {
  enum Storage: Sendable {
    case folder(FolderTree)
  }

  /// The path it was opened by, for messages.
  public let path: String
  let storage: Storage

  /// Opens a folder or an archive.
  ///
  /// The folder stays open: what is read later comes out of this very folder, even when something
  /// else has taken its name.
  public init(opening path: String) throws(PackError) {
    self.path = path
    do throws(SystemError) {
      storage = .folder(FolderTree(try FileDescriptor.open(path, for: .directory)))
    } catch {
      throw switch error.code {
      case ENOENT:
        PackError(
          .system(ENOENT), "there is no source root '\(shownBytes(path.utf8))'",
          remedy: "name an existing folder or archive")
      default: PackError(error)
      }
    }
  }

  /// The contents of what `selection` chose out of this root.
  package func contents(of selection: Selection) throws(PackError) -> any SourceContents {
    switch storage {
    case .folder(let tree): FolderContents(selection, in: tree)
    }
  }
}
