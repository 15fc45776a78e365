import Glibc

/// An open file, closed when the value is gone.
///
/// Whoever wants to know whether closing went well (after writing) calls ``close()``.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The system's number, for a library in C; it stays ours.
  package private(set) var number: Int32
  /// The bytes of the file's path: most files are opened, read and closed without anybody asking.
  private let location: [UInt8]

  /// The file's path, as messages name it.
  package var path: String { shownBytes(location) }

  /// Takes over an open descriptor.
  package init(owning number: Int32, path: String) {
    self.init(owning: number, at: Array(path.utf8))
  }

  private init(owning number: Int32, at location: [UInt8]) {
    self.number = number
    self.location = location
  }

  deinit {
    if number >= 0 { _ = Glibc.close(number) }
  }

  /// Closes the file and throws what a delayed write may have to say.
  package consuming func close() throws(SystemError) {
    let closing = number
    number = -1
    // Linux releases the number even when a signal interrupts: closing again could hit another file.
    var interrupted = false
    _ = try perform(.close, path) {
      if interrupted { return Int32(0) }
      interrupted = true
      return Glibc.close(closing)
    }
  }
}

extension FileDescriptor {
  /// What a file is opened for.
  package enum Purpose: Sendable {
    case reading
    /// Reading what may be a pipe, and waiting for whoever writes it.
    case waiting
    /// Listing it, and naming what is in it.
    case directory
    /// Writing a file that must not exist yet, with these permissions (less the umask).
    case creating(permissions: UInt32)

    var flags: Int32 {
      switch self {
      // A pipe without a writer must not hold us up; regular files ignore the flag.
      case .reading: O_RDONLY | O_NONBLOCK
      case .waiting: O_RDONLY
      case .directory: O_RDONLY | O_DIRECTORY
      case .creating: O_RDWR | O_CREAT | O_EXCL
      }
    }

    var permissions: mode_t {
      if case .creating(let permissions) = self { permissions } else { 0 }
    }
  }

  /// Opens a path of the user's: links are followed.
  package static func open(_ path: String, for purpose: Purpose) throws(SystemError)
    -> FileDescriptor
  {
    let number = try perform(.open, path) {
      unsafe Glibc.open(path, purpose.flags | O_CLOEXEC, purpose.permissions)
    }
    return FileDescriptor(owning: number, path: path)
  }

  /// Opens `name`, one component, in this folder; a symbolic link is refused.
  package func open(_ name: FileName, for purpose: Purpose) throws(SystemError) -> FileDescriptor {
    let number = try perform(.open, joined(name)) {
      unsafe name.withCString {
        unsafe openat(self.number, $0, purpose.flags | O_NOFOLLOW | O_CLOEXEC, purpose.permissions)
      }
    }
    return FileDescriptor(owning: number, at: location(of: name))
  }

  /// What the system knows about the open file.
  package func status() throws(SystemError) -> FileStatus {
    var status = stat()
    _ = try perform(.status, path) { unsafe fstat(number, &status) }
    return FileStatus(status)
  }

  /// What the system knows about `name` in this folder; a symbolic link is not followed.
  package func status(of name: FileName) throws(SystemError) -> FileStatus {
    var status = stat()
    _ = try perform(.status, joined(name)) {
      unsafe name.withCString { unsafe fstatat(number, $0, &status, AT_SYMLINK_NOFOLLOW) }
    }
    return FileStatus(status)
  }

  /// Where the symbolic link `name` in this folder points, as it is written.
  package func linkTarget(of name: FileName) throws(SystemError) -> [UInt8] {
    var capacity = 256
    while true {
      var target = [UInt8](repeating: 0, count: capacity)
      let count = try perform(.readLink, joined(name)) {
        unsafe name.withCString { name in
          unsafe target.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return unsafe readlinkat(number, name, base, buffer.count)
          }
        }
      }
      if count < capacity { return Array(target.prefix(count)) }
      capacity *= 2
    }
  }

  /// Throws unless this process may read `name` in this folder.
  package func checkReadable(_ name: FileName) throws(SystemError) {
    _ = try perform(.access, joined(name)) {
      unsafe name.withCString { unsafe faccessat(number, $0, R_OK, AT_EACCESS) }
    }
  }

  /// Whether this process may make and remove names in this folder.
  package func isWritable() throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try perform(.access, path) { unsafe faccessat(number, ".", W_OK | X_OK, AT_EACCESS) }
      return true
    } catch {
      guard error.code == EACCES || error.code == EROFS else { throw error }
      return false
    }
  }

  /// The path of `name` in this folder, as messages name it.
  package func joined(_ name: FileName) -> String { shownBytes(location(of: name)) }

  private func location(of name: FileName) -> [UInt8] {
    if location.isEmpty || location == [UInt8(ascii: ".")] { return name.bytes }
    var joined = location
    joined.reserveCapacity(location.count + 1 + name.bytes.count)
    if joined.last != UInt8(ascii: "/") { joined.append(UInt8(ascii: "/")) }
    joined += name.bytes
    return joined
  }
}

extension FileStatus {
  /// What the system knows about the file at a path of the user's: links are followed.
  package init(ofFileAt path: String) throws(SystemError) {
    var status = stat()
    _ = try perform(.status, path) { unsafe stat(path, &status) }
    self.init(status)
  }
}
