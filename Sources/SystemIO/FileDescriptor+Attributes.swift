import CSystem
import Glibc

extension FileDescriptor {
  /// Sets the permissions of the open file, whatever the umask.
  package func setPermissions(_ permissions: UInt32) throws(SystemError) {
    _ = try perform(.changeMode, path) { fchmod(number, permissions) }
  }

  /// Sets when the open file was last modified; when it was last read stays.
  package func setModified(_ time: FileTime) throws(SystemError) {
    let omitted = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)  // UTIME_OMIT
    let modified = timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.nanoseconds))
    _ = try perform(.changeTimes, path) {
      unsafe withUnsafeTemporaryAllocation(of: timespec.self, capacity: 2) { times in
        unsafe times[0] = omitted
        unsafe times[1] = modified
        return unsafe futimens(number, times.baseAddress)
      }
    }
  }
}

extension FileDescriptor {
  /// The same open file under a second number.
  package func duplicate() throws(SystemError) -> FileDescriptor {
    let copy = try perform(.open, path) { fcntl(number, F_DUPFD_CLOEXEC, 0) }
    return FileDescriptor(owning: copy, path: path)
  }

  /// Moves what is called `name` in this folder to another one, where nothing has that name yet.
  package func move(_ name: FileName, into folder: borrowing FileDescriptor) throws(SystemError) {
    _ = try perform(.rename, joined(name)) {
      unsafe name.withCString { name in
        unsafe renameat2(number, name, folder.number, name, 1)  // RENAME_NOREPLACE
      }
    }
  }
}
