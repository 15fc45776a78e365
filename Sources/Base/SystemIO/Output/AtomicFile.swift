import CSystem
import Glibc

/// A file that is published under its name atomically.
///
/// While the file is written, it has no name; if the file system does not allow that, it has a
/// temporary name in the same folder. ``publish(syncing:)`` ensures that the bytes are on the disk
/// before the name is. A value that ends in any other way leaves no files, and an existing file is
/// unchanged.
package struct AtomicFile: ~Copyable {
  /// The path that messages show.
  package let path: String
  private let name: FileName
  private let isReplacing: Bool
  /// The folder that is created again if another process removes it; nil if a removed folder is an
  /// error.
  private let madeFolder: String?
  private let file: FileDescriptor
  private var staged: StagedName

  /// The maximum number of times that a folder is created again after another process removed it.
  private static let mostAttempts = 10

  /// Begins a file; throws immediately if it must not replace an existing one.
  ///
  /// With `makingFolder` the folder is created if it is missing, and again if it disappears before
  /// the file is published: a run that fails removes the empty folder that it created, although a
  /// concurrent run may use it.
  package init(
    _ path: String, replacing isReplacing: Bool = false, makingFolder: Bool = false
  ) throws(Failure) {
    let place = OutputPlace(path)
    var attempt = 0
    while true {
      attempt += 1
      let folder =
        makingFolder
        ? try FileDescriptor.openFolder(making: place.folder)
        : try FileDescriptor.open(place.folder, for: .directory)
      try Self.check(place.name, in: folder, path, replacing: isReplacing)
      do throws(Failure) {
        let begun = try Self.begin(in: folder, path)
        self.init(
          begun, as: place.name, in: folder, path, isReplacing, makingFolder ? place.folder : nil)
        return
      } catch {
        guard error.code == ENOENT, makingFolder, attempt < Self.mostAttempts else { throw error }
      }
    }
  }

  /// Begins a file in an open folder; it replaces an existing file of that name.
  package init(replacing name: FileName, in folder: consuming FileDescriptor) throws(Failure) {
    let path = folder.joined(name)
    self.init(try Self.begin(in: folder, path), as: name, in: folder, path, true, nil)
  }

  private init(
    _ begun: consuming Begun, as name: FileName, in folder: consuming FileDescriptor,
    _ path: String, _ isReplacing: Bool, _ madeFolder: String?
  ) {
    self.path = path
    self.name = name
    self.isReplacing = isReplacing
    self.madeFolder = madeFolder
    staged = StagedName(in: folder, begun.temporary)
    file = begun.file
  }

  /// A file that is open, and the name that it has until it is complete.
  private struct Begun: ~Copyable {
    let file: FileDescriptor
    let temporary: FileName?
  }

  private static func begin(
    in folder: borrowing FileDescriptor, _ path: String
  ) throws(Failure) -> Begun {
    if let nameless = try openNameless(in: folder, path) {
      return Begun(file: nameless, temporary: nil)
    }
    let held = try folder.makeTemporaryFile(permissions: 0o666)
    let name = held.name
    return Begun(file: held.descriptor, temporary: name)
  }

  /// Throws the error that creating this file would cause, if the error can be determined without
  /// creating files.
  package static func check(
    _ path: String, replacing isReplacing: Bool, makingFolder: Bool = false
  ) throws(Failure) {
    let place = OutputPlace(path)
    do throws(Failure) {
      let folder = try FileDescriptor.open(place.folder, for: .directory)
      try check(place.name, in: folder, path, replacing: isReplacing)
      guard try folder.isWritable() else { throw Failure(.open, path, code: EACCES) }
    } catch {
      guard makingFolder, error.code == ENOENT, place.folder != path else { throw error }
      // If the folder is missing, the system cannot report this error.
      guard place.name.bytes.count <= longestName else {
        throw Failure(.create, path, code: ENAMETOOLONG)
      }
      try explaining({ Failure(.makeDirectory, place.folder, code: $0.code) }) {
        () throws(Failure) in
        try check(place.folder, replacing: true, makingFolder: true)
      }
    }
  }

  /// `NAME_MAX`: the length of the longest name of Linux, on any file system.
  private static let longestName = 255

  private static func check(
    _ name: FileName, in folder: borrowing FileDescriptor, _ path: String,
    replacing isReplacing: Bool
  ) throws(Failure) {
    do throws(Failure) {
      let kind = try folder.status(of: name).kind
      if kind == .directory { throw Failure(.write, path, code: EISDIR) }
      // A process that may write into `/dev` would replace a device of the whole system.
      let target = kind == .symbolicLink ? try? FileStatus(ofFileAt: path).kind : kind
      if let target, target.isSpecial {
        throw Failure(.write, path, code: FileRewrite.notRegular)
      }
      if !isReplacing { throw Failure(.create, path, code: EEXIST) }
    } catch {
      guard error.code == ENOENT else { throw error }
    }
  }

  /// Writes a text to a path: atomically as a file, or into the existing pipe, terminal or other
  /// device, which is never replaced.
  package static func write(
    _ text: [UInt8], to path: String, replacing isReplacing: Bool = false,
    permissions: UInt32? = nil
  ) throws(Failure) {
    if let stream = try FileDescriptor.openStream(path) {
      try stream.write(text)
      try stream.close()
      return
    }
    let file = try AtomicFile(path, replacing: isReplacing)
    if let permissions { try file.setPermissions(permissions) }
    try file.write(text)
    try file.publish()
  }

  /// Sets permissions that replace the default ones of a new file.
  package borrowing func setPermissions(_ permissions: UInt32) throws(Failure) {
    _ = try perform(.changeMode, path) { fchmod(file.number, permissions) }
  }

  /// Appends the bytes.
  package borrowing func write(_ bytes: [UInt8]) throws(Failure) {
    try file.write(bytes)
  }

  /// The open file, for a C library that writes to it.
  package var descriptor: FileDescriptor { _read { yield file } }

  /// Starts to write the `count` bytes at `offset` to the disk, so that the final wait is shorter.
  package borrowing func startWriting(_ offset: UInt64, count: UInt64) {
    file.startWriting(offset, count: count)
  }

  /// Waits until the bytes are on the disk (`fsync`).
  package borrowing func sync() throws(Failure) {
    _ = try perform(.sync, path) { fsync(file.number) }
  }

  /// Waits until the bytes are on the disk, and reads them again; throws if they are not these.
  package borrowing func verify(_ bytes: [UInt8]) throws(Failure) {
    try sync()
    let found = try [UInt8](capacity: bytes.count + 1) { (output) throws(Failure) in
      while try file.read(into: &output, at: UInt64(output.byteCount)) > 0 {}
    }
    guard found == bytes else { throw Failure(.write, path, code: EIO) }
  }

  /// Waits until the bytes are on the disk, unless `syncing` is false, and gives the file its
  /// name.
  package consuming func publish(syncing isSynced: Bool = true) throws(Failure) {
    if isSynced { try sync() }
    if staged.temporary == nil { try assignName() }
    // Without `fsync`, only closing the file reports the error of a delayed write.
    if !isSynced { try file.duplicate().close() }
    try staged.publish(as: name, replacing: isReplacing, syncing: isSynced, shown: path)
    // The lock is held until the file has its name.
    extendLifetime(file)
  }

  /// Gives a file without a name its final name (`linkat`), or a temporary name if it replaces
  /// another file.
  private mutating func assignName() throws(Failure) {
    let chosen = isReplacing ? TemporaryName.make() : name
    // Locked before it has a name, so that no other process treats it as a leftover.
    if isReplacing { _ = try? file.tryLock() }
    let own = "\(Self.ownDescriptors)/\(file.number)"
    var attempt = 0
    while true {
      attempt += 1
      do throws(Failure) {
        _ = try perform(.link, path) {
          unsafe chosen.withCString {
            unsafe linkat(AT_FDCWD, own, staged.folder.number, $0, AT_SYMLINK_FOLLOW)
          }
        }
        break
      } catch {
        guard error.code == ENOENT || error.code == EPERM, let madeFolder,
          attempt < Self.mostAttempts
        else { throw error }
        staged.folder = try FileDescriptor.openFolder(making: madeFolder)
      }
    }
    if isReplacing { staged.temporary = chosen }
  }

  private static let ownDescriptors = "/proc/self/fd"

  /// Returns a file without a name in `folder`; nil if the folder cannot contain one, or if it
  /// could not get a name later.
  private static func openNameless(
    in folder: borrowing FileDescriptor, _ path: String
  ) throws(Failure) -> FileDescriptor? {
    // Without `/proc`, a descriptor cannot get a name.
    do throws(Failure) {
      _ = try perform(.access, ownDescriptors) { unsafe access(ownDescriptors, X_OK) }
    } catch {
      return nil
    }
    return try folder.openNameless(for: O_RDWR, permissions: 0o666, shown: path)
  }
}
