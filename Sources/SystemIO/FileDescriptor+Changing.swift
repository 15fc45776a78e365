import CSystem
import Glibc

extension FileDescriptor {
  /// Whether this folder has anything by that name.
  package func contains(_ name: FileName) throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try status(of: name)
      return true
    } catch {
      guard error.code == ENOENT else { throw error }
      return false
    }
  }

  /// Gives what is called `name` in this folder another name in it.
  package func rename(
    _ name: FileName, to new: FileName, replacing isReplacing: Bool, shown path: String
  ) throws(SystemError) {
    let refuseExisting: UInt32 = 1  // RENAME_NOREPLACE
    do throws(SystemError) {
      _ = try perform(.rename, path) {
        unsafe name.withCString { name in
          unsafe new.withCString {
            unsafe renameat2(number, name, number, $0, isReplacing ? 0 : refuseExisting)
          }
        }
      }
    } catch {
      // A file system that cannot refuse by itself: the check before it is the best there is.
      guard error.code == EINVAL, !isReplacing else { throw error }
      guard try !contains(new) else { throw SystemError("create", path, code: EEXIST) }
      try rename(name, to: new, replacing: true, shown: path)
    }
  }

  /// Makes a folder in this one.
  package func makeFolder(_ name: FileName) throws(SystemError) {
    _ = try perform(.makeDirectory, joined(name)) {
      unsafe name.withCString { unsafe mkdirat(number, $0, 0o777) }
    }
  }

  /// Waits until what was written is on the disk; for a folder, the names in it.
  package func sync() throws(SystemError) {
    do throws(SystemError) {
      _ = try perform(.sync, path) { fsync(number) }
    } catch {
      // Some file systems cannot do this for a folder.
      guard error.code == EINVAL else { throw error }
    }
  }

  /// Removes a file, or says nothing.
  package func removeQuietly(_ name: FileName) {
    _ = unsafe name.withCString { unsafe unlinkat(number, $0, 0) }
  }

  /// Removes a folder with all below it, as far as that goes; links are removed, not followed.
  package func removeTreeQuietly(_ name: FileName) {
    if let folder = try? open(name, for: .directory), let listing = try? folder.list() {
      for item in listing.items {
        let inner = listing.fileName(of: item)
        if case .some(.directory) = try? folder.status(of: inner).kind {
          folder.removeTreeQuietly(inner)
        } else {
          folder.removeQuietly(inner)
        }
      }
    }
    _ = unsafe name.withCString { unsafe unlinkat(number, $0, AT_REMOVEDIR) }
  }
}
