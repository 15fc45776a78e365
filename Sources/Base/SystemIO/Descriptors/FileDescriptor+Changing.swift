import CSystem
import Glibc

/// `RENAME_NOREPLACE` of `<stdio.h>`.
private let refuseExisting: UInt32 = 1

extension FileDescriptor {
  /// Returns whether this folder contains that name (`fstatat`).
  package func contains(_ name: FileName) throws(Failure) -> Bool {
    try ifPresent { () throws(Failure) in try status(of: name) } != nil
  }

  /// Renames `name` in this folder (`renameat2`).
  package func rename(
    _ name: FileName, to new: FileName, replacing isReplacing: Bool, shown path: String
  ) throws(Failure) {
    do throws(Failure) {
      _ = try perform(.rename, path) {
        unsafe name.withCString { name in
          unsafe new.withCString {
            unsafe renameat2(number, name, number, $0, isReplacing ? 0 : refuseExisting)
          }
        }
      }
    } catch {
      // This file system has no `RENAME_NOREPLACE`, so the name is checked before.
      guard error.code == EINVAL, !isReplacing else { throw error }
      guard try !contains(new) else { throw Failure(.create, path, code: EEXIST) }
      try rename(name, to: new, replacing: true, shown: path)
    }
  }

  /// Makes a folder in this one (`mkdirat`).
  package func makeFolder(_ name: FileName) throws(Failure) {
    _ = try perform(.makeDirectory, joined(name)) {
      unsafe name.withCString { unsafe mkdirat(number, $0, 0o777) }
    }
  }

  /// Moves `name` to another folder under the same name (`renameat2`); throws if the name exists
  /// there, unless it may be replaced.
  package func move(
    _ name: FileName, into folder: borrowing FileDescriptor, replacing isReplacing: Bool = false
  ) throws(Failure) {
    do throws(Failure) {
      _ = try perform(.rename, folder.joined(name)) {
        unsafe name.withCString { name in
          unsafe renameat2(number, name, folder.number, name, isReplacing ? 0 : refuseExisting)
        }
      }
    } catch {
      // This file system has no `RENAME_NOREPLACE`, so the name is checked before.
      guard error.code == EINVAL, !isReplacing else { throw error }
      guard try !folder.contains(name) else {
        throw Failure(.create, error.path, code: EEXIST)
      }
      try move(name, into: folder, replacing: true)
    }
  }

  /// Swaps `name` in this folder with the same name in another one (`renameat2`); false if the file
  /// system cannot do that.
  package func exchange(
    _ name: FileName, with folder: borrowing FileDescriptor
  ) throws(Failure) -> Bool {
    let exchange: UInt32 = 2  // RENAME_EXCHANGE
    do throws(Failure) {
      _ = try perform(.rename, folder.joined(name)) {
        unsafe name.withCString { name in
          unsafe renameat2(number, name, folder.number, name, exchange)
        }
      }
      return true
    } catch {
      guard error.code == EINVAL else { throw error }
      return false
    }
  }

  /// Sets the length of the file (`ftruncate`); added bytes are zeros.
  package func truncate(to size: UInt64) throws(Failure) {
    _ = try perform(.truncate, path) { ftruncate(number, off_t(clamping: size)) }
  }

  /// Sets the position of the next write (`lseek`).
  package func seek(to place: UInt64) throws(Failure) {
    _ = try perform(.seek, path) { lseek(number, off_t(clamping: place), SEEK_SET) }
  }

  /// Waits until the written bytes, or the names in a folder, are on the disk (`fsync`).
  package func sync() throws(Failure) {
    do throws(Failure) {
      _ = try perform(.sync, path) { fsync(number) }
    } catch {
      // Some file systems cannot do this for a folder.
      guard error.code == EINVAL else { throw error }
    }
  }

  /// Waits until all data written to this file's file system is on the disk (`syncfs`).
  package func syncFileSystem() throws(Failure) {
    _ = try perform(.sync, path) { syncfs(number) }
  }

  /// Starts to write the `count` bytes at `offset` to the disk, so that the final wait is shorter
  /// (`sync_file_range`).
  package func startWriting(_ offset: UInt64, count: UInt64) {
    let writeAhead: UInt32 = 2  // SYNC_FILE_RANGE_WRITE; a file system without it does nothing
    _ = sync_file_range(number, off_t(clamping: offset), off_t(clamping: count), writeAhead)
  }

  /// Removes a file if that is possible, and does not report a failure (`unlinkat`).
  package func removeQuietly(_ name: FileName) {
    _ = unsafe name.withCString { unsafe unlinkat(number, $0, 0) }
  }

  /// Removes a folder if it is empty (`unlinkat`).
  package func removeEmptyFolderQuietly(_ name: FileName) {
    _ = unsafe name.withCString { unsafe unlinkat(number, $0, AT_REMOVEDIR) }
  }

  /// Opens a folder that this process created, after giving its owner all permissions (`fchmodat`,
  /// `openat`).
  package func openForOwner(
    _ name: FileName, with permissions: UInt32
  ) throws(Failure) -> FileDescriptor {
    if permissions & 0o700 != 0o700 {
      _ = try perform(.changeMode, joined(name)) {
        unsafe name.withCString {
          unsafe fchmodat(number, $0, permissions | 0o700, AT_SYMLINK_NOFOLLOW)
        }
      }
    }
    return try open(name, for: .directory)
  }

  /// Removes a folder that this process created, and its contents, as far as possible (`unlinkat`).
  ///
  /// Links are removed, not followed.
  package func removeTreeQuietly(_ name: FileName) {
    if let permissions = try? status(of: name).permissions,
      let folder = try? openForOwner(name, with: permissions), let listing = try? folder.list()
    {
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
