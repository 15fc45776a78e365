import CSystem
import Glibc

/// An open file; it is closed when the value ends (`close`).
///
/// After writing, call ``close()``, which throws the error of a delayed write.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The descriptor number, for a C library, which must not close it.
  package private(set) var number: Int32
  /// The operation of the reads, which may wait for another process, as with a pipe or a terminal;
  /// nil if reads never wait.
  ///
  /// A wait ends when the operation must stop.
  let waits: Work?
  /// The path as bytes, or the path of the folder from which the file was opened.
  private let base: FilePath
  /// The name in that folder; nil if `base` is the whole path.
  private let name: FileName?

  /// The file's path as bytes: most paths are never shown, so they are neither joined nor converted
  /// to text.
  package var location: FilePath { name.map { base.appending($0) } ?? base }

  /// The file's path, as messages name it.
  package var path: String { location.shown }

  /// Creates a value that owns an open descriptor.
  package init(owning number: Int32, path: String, waiting waits: Work? = nil) {
    self.init(owning: number, at: FilePath(path), waiting: waits)
  }

  private init(
    owning number: Int32, at base: FilePath, named name: FileName? = nil, waiting waits: Work? = nil
  ) {
    self.number = number
    self.base = base
    self.name = name
    self.waits = waits
  }

  deinit {
    guard number >= 0 else { return }
    GuardedSection.checkThatWaitingIsAllowed()
    _ = Glibc.close(number)
  }

  /// Closes the file; throws the error of a delayed write (`close`).
  package consuming func close() throws(Failure) {
    let closing = number
    number = -1
    // Linux releases the number even if a signal interrupts the call: a second call could close
    // another file.
    var interrupted = false
    _ = try perform(.close, path) {
      if interrupted { return Int32(0) }
      interrupted = true
      return Glibc.close(closing)
    }
  }
}

extension FileDescriptor {
  /// The purpose of opening a file: the flags of `open`.
  package enum Purpose: Sendable {
    case reading
    /// Reading a file that may be a pipe, and waiting for its writer until the operation must stop.
    case waiting(Work)
    /// Listing a folder, and opening its entries.
    case directory
    /// Opening entries of a folder; permission to list it is not required.
    case crossing
    /// Writing a file that must not exist yet; it gets these permissions except those in the umask.
    case creating(permissions: UInt32)
    /// Appending to a file, which is created if it is missing.
    case appending
    /// Locking a file that other processes also lock; it is created if it is missing.
    case locking

    var flags: Int32 {
      switch self {
      // A pipe without a writer must not block `open`; regular files ignore the flag. A wait for a
      // pipe happens before each read, where it can be interrupted.
      case .reading, .waiting: O_RDONLY | O_NONBLOCK
      case .directory: O_RDONLY | O_DIRECTORY
      case .crossing: O_DIRECTORY | Int32(path_flag)
      case .creating: O_RDWR | O_CREAT | O_EXCL
      case .appending: O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK
      case .locking: O_RDWR | O_CREAT | O_NONBLOCK
      }
    }

    var permissions: mode_t {
      switch self {
      case .creating(let permissions): permissions
      case .appending, .locking: 0o666
      case .reading, .waiting, .directory, .crossing: 0
      }
    }
  }

  /// Opens a path that the user gave: links are followed (`open`).
  package static func open(_ path: String, for purpose: Purpose) throws(Failure)
    -> FileDescriptor
  {
    let path = FilePath(path)
    let number = try perform(.open, path.shown) {
      unsafe path.withCString {
        unsafe Glibc.open($0, purpose.flags | O_CLOEXEC, purpose.permissions)
      }
    }
    if case .waiting(let work) = purpose {
      return FileDescriptor(owning: number, at: path, waiting: work)
    }
    return FileDescriptor(owning: number, at: path)
  }

  /// Opens a pipe, a terminal or another device that accepts sequential bytes, for writing; nil if
  /// the path does not lead to one (`stat`, `open`, `fcntl`).
  static func openStream(_ path: String) throws(Failure) -> FileDescriptor? {
    switch try? FileStatus(ofFileAt: path).kind {
    case .characterDevice, .pipe: break
    default: return nil
    }
    let place = FilePath(path)
    // With this flag, opening a pipe without a reader fails immediately. Later writes may wait.
    let number = try perform(.open, place.shown) {
      unsafe place.withCString { unsafe Glibc.open($0, O_WRONLY | O_NONBLOCK | O_CLOEXEC) }
    }
    let stream = FileDescriptor(owning: number, at: place)
    _ = try perform(.open, place.shown) { fcntl(number, F_SETFL, 0) }
    return stream
  }

  /// Opens `name`, one component, in this folder; a symbolic link is an error (`openat`).
  package func open(_ name: FileName, for purpose: Purpose) throws(Failure) -> FileDescriptor {
    let number = try perform(.open, joined(name)) {
      unsafe name.withCString {
        unsafe openat(self.number, $0, purpose.flags | O_NOFOLLOW | O_CLOEXEC, purpose.permissions)
      }
    }
    return switch purpose {
    // A folder is usually the base of many files.
    case .directory, .crossing: FileDescriptor(owning: number, at: location.appending(name))
    case .reading, .waiting, .creating, .appending, .locking:
      FileDescriptor(owning: number, at: location, named: name)
    }
  }

  /// Returns the status of the open file (`fstat`).
  package func status() throws(Failure) -> FileStatus {
    var status = stat()
    _ = try perform(.status, path) { unsafe fstat(number, &status) }
    return FileStatus(status)
  }

  /// Returns the status of `name` in this folder (`fstatat`); does not follow a symbolic link.
  package func status(of name: FileName) throws(Failure) -> FileStatus {
    var status = stat()
    _ = try perform(.status, joined(name)) {
      unsafe name.withCString { unsafe fstatat(number, $0, &status, AT_SYMLINK_NOFOLLOW) }
    }
    return FileStatus(status)
  }

  /// Returns the target of the symbolic link `name` in this folder, unresolved (`readlinkat`).
  package func linkTarget(of name: FileName) throws(Failure) -> [UInt8] {
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

  /// Throws unless this process may read `name` in this folder (`faccessat`).
  package func checkReadable(_ name: FileName) throws(Failure) {
    _ = try perform(.access, joined(name)) {
      unsafe name.withCString { unsafe faccessat(number, $0, R_OK, AT_EACCESS) }
    }
  }

  /// Returns whether this process may create and remove names in this folder (`faccessat`).
  package func isWritable() throws(Failure) -> Bool {
    do throws(Failure) {
      _ = try perform(.access, path) { unsafe faccessat(number, ".", W_OK | X_OK, AT_EACCESS) }
      return true
    } catch {
      guard error.code == EACCES || error.code == EROFS else { throw error }
      return false
    }
  }

  /// Returns the path of `name` in this folder, as messages name it.
  package func joined(_ name: FileName) -> String { location.appending(name).shown }
}

extension FileStatus {
  /// Creates the status of the file at a path that the user gave; links are followed (`stat`).
  package init(ofFileAt path: String) throws(Failure) {
    var status = stat()
    let path = FilePath(path)
    _ = try perform(.status, path.shown) { unsafe path.withCString { unsafe stat($0, &status) } }
    self.init(status)
  }

  /// Creates the status of the file at a path; if that is a link, of the link itself (`lstat`).
  package init(ofLinkAt path: String) throws(Failure) {
    var status = stat()
    let given = FilePath(path)
    // The system follows a link if a slash comes after its name.
    let path = given.folder.appending(given.name)
    _ = try perform(.status, path.shown) { unsafe path.withCString { unsafe lstat($0, &status) } }
    self.init(status)
  }
}
