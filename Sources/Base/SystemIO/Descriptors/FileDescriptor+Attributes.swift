import CSystem
import Glibc

extension FileDescriptor {
  /// Sets the permissions of the open file, regardless of the umask (`fchmod`).
  package func setPermissions(_ permissions: UInt32) throws(Failure) {
    _ = try perform(.changeMode, path) { fchmod(number, permissions) }
  }

  /// Sets the time when the open file was last modified, and no other time (`futimens`).
  package func setModified(_ time: Moment) throws(Failure) {
    let omitted = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)  // UTIME_OMIT
    let modified = timespec(time)
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
  /// Returns the same open file under a second number (`fcntl` with `F_DUPFD_CLOEXEC`).
  package func duplicate() throws(Failure) -> FileDescriptor {
    let copy = try perform(.open, path) { fcntl(number, F_DUPFD_CLOEXEC, 0) }
    return FileDescriptor(owning: copy, path: path)
  }
}

// MARK: - Owners and extended attributes

extension FileDescriptor {
  /// Sets the owner and the group of the open file (`fchown`).
  package func setOwner(_ user: UInt32, group: UInt32) throws(Failure) {
    _ = try perform(.changeOwner, path) { fchown(number, user, group) }
  }

  /// Returns the extended attributes of the open file, access lists included (`flistxattr`,
  /// `fgetxattr`); none if the file system has none.
  package func attributes() throws(Failure) -> [FileName: [UInt8]] {
    var attributes: [FileName: [UInt8]] = [:]
    do throws(Failure) {
      let names = try unsafe attributeBytes { unsafe flistxattr(number, $0, $1) }
      for name in names.split(separator: 0).map(FileName.init) {
        do throws(Failure) {
          attributes[name] = try unsafe attributeBytes { buffer, size in
            unsafe name.withCString { unsafe fgetxattr(number, $0, buffer, size) }
          }
        } catch {
          // The attribute was removed after its name was listed.
          guard error.code == ENODATA else { throw error }
        }
      }
    } catch {
      guard error.code == ENOTSUP else { throw error }
    }
    return attributes
  }

  /// Replaces all extended attributes of the open file with these (`fsetxattr`, `fremovexattr`).
  ///
  /// Attributes named `security.…` may be protected: if the system does not permit a change, they
  /// are kept.
  package func setAttributes(_ wanted: [FileName: [UInt8]]) throws(Failure) {
    let present = try attributes()
    for (name, value) in wanted where present[name] != value {
      try changeAttribute(name) {
        unsafe name.withCString { unsafe fsetxattr(number, $0, value, value.count, 0) }
      }
    }
    for name in present.keys where wanted[name] == nil {
      try changeAttribute(name) {
        unsafe name.withCString { unsafe fremovexattr(number, $0) }
      }
    }
  }

  private func changeAttribute(
    _ name: FileName, _ change: () -> Int32
  ) throws(Failure) {
    do throws(Failure) {
      _ = try perform(.changeAttributes, path, change)
    } catch {
      guard name.bytes.starts(with: "security.".utf8) else { throw error }
    }
  }

  /// Reads the size, then the bytes, and repeats this if the value has grown between the two calls.
  private func attributeBytes(
    _ read: (UnsafeMutableRawPointer?, Int) -> Int
  ) throws(Failure) -> [UInt8] {
    while true {
      let size = try perform(.readAttributes, path) { read(nil, 0) }
      guard size > 0 else { return [] }
      var bytes = [UInt8](repeating: 0, count: size)
      do throws(Failure) {
        let count = try perform(.readAttributes, path) {
          unsafe bytes.withUnsafeMutableBytes { unsafe read($0.baseAddress, $0.count) }
        }
        return Array(bytes.prefix(count))
      } catch {
        // The value grew between the two calls.
        guard error.code == ERANGE else { throw error }
      }
    }
  }
}
