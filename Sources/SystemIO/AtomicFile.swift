import CSystem
import Glibc

/// A file that appears under its name whole, or not at all.
///
/// It is written without a name where the file system can do that, else beside the place under a
/// temporary one. ``publish()`` makes sure that the bytes are on the disk before the name is; a value
/// that ends in any other way leaves nothing behind, and what was there before stays untouched.
package struct AtomicFile: ~Copyable {
  /// The path that messages name.
  package let path: String
  private let folder: FileDescriptor
  private let name: FileName
  private let isReplacing: Bool
  private let file: FileDescriptor
  /// The name that it has for now; nil while it has none.
  private var temporary: FileName?

  /// Begins a file; unless it may replace another, an existing one is refused at once.
  package init(_ path: String, replacing isReplacing: Bool = false) throws(SystemError) {
    let place = OutputPlace(path)
    let folder = try FileDescriptor.open(place.folder, for: .directory)
    try Self.check(place.name, in: folder, path, replacing: isReplacing)
    if let nameless = try Self.openNameless(in: folder, path) {
      file = nameless
    } else {
      let held = try folder.makeTemporaryFile(permissions: 0o666)
      temporary = held.name
      file = held.descriptor
    }
    self.path = path
    self.folder = folder
    name = place.name
    self.isReplacing = isReplacing
  }

  /// Throws what beginning a file there would throw about what is there already.
  package static func check(
    _ path: String, replacing isReplacing: Bool
  ) throws(SystemError) {
    let place = OutputPlace(path)
    let folder: FileDescriptor
    do throws(SystemError) {
      folder = try FileDescriptor.open(place.folder, for: .directory)
    } catch {
      if error.code == ENOENT { return }
      throw SystemError(error.operation, path, code: error.code)
    }
    try check(place.name, in: folder, path, replacing: isReplacing)
  }

  private static func check(
    _ name: FileName, in folder: borrowing FileDescriptor, _ path: String,
    replacing isReplacing: Bool
  ) throws(SystemError) {
    do throws(SystemError) {
      let kind = try folder.status(of: name).kind
      if kind == .directory { throw SystemError("write", path, code: EISDIR) }
      if !isReplacing { throw SystemError("create", path, code: EEXIST) }
    } catch {
      guard error.code == ENOENT else { throw error }
    }
  }

  deinit {
    if let temporary { folder.removeQuietly(temporary) }
  }

  /// Gives the file the permissions of another, where a new file would have the usual ones.
  package borrowing func setPermissions(_ permissions: UInt32) throws(SystemError) {
    _ = try perform(.changeMode, path) { fchmod(file.number, permissions) }
  }

  /// Appends the bytes.
  package borrowing func write(_ bytes: [UInt8]) throws(SystemError) {
    try file.write(bytes)
  }

  /// The open file, for a library in C that writes to it.
  package var descriptor: FileDescriptor { _read { yield file } }

  /// Lets the disk begin with `count` bytes from `offset` on, so that less is left to wait for.
  package borrowing func startWriting(_ offset: UInt64, count: UInt64) {
    file.startWriting(offset, count: count)
  }

  /// Waits until the bytes are on the disk and gives the file its name.
  package consuming func publish() throws(SystemError) {
    _ = try perform(.sync, path) { fsync(file.number) }
    if temporary == nil { try takeName() }
    if let temporary {
      try folder.rename(temporary, to: name, replacing: isReplacing, shown: path)
      self.temporary = nil
    }
    try folder.sync()
  }

  /// Gives a file without a name the one it is for, or a temporary one when that is to be replaced.
  private mutating func takeName() throws(SystemError) {
    let chosen = isReplacing ? TemporaryName.make() : name
    // Held before it has the name, so that nobody takes it for a leftover.
    if isReplacing { _ = try? file.tryLock() }
    let own = "/proc/self/fd/\(file.number)"
    _ = try perform(.link, path) {
      unsafe chosen.withCString {
        unsafe linkat(AT_FDCWD, own, folder.number, $0, AT_SYMLINK_FOLLOW)
      }
    }
    if isReplacing { temporary = chosen }
  }

  /// A file without a name in `folder`; nil where there can be none, or it could not get one later.
  private static func openNameless(
    in folder: borrowing FileDescriptor, _ path: String
  ) throws(SystemError) -> FileDescriptor? {
    guard unsafe access("/proc/self/fd", X_OK) == 0 else { return nil }
    return try folder.openNameless(for: O_WRONLY, permissions: 0o666, shown: path)
  }
}

/// Where an output goes: a name in a folder.
package struct OutputPlace {
  package var folder: String
  package var name: FileName

  package init(_ path: String) {
    let path = FilePath(path)
    folder = path.folder.text
    name = path.name
  }
}
