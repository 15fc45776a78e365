import Glibc

/// A file without a name for temporary data; it is removed when the value or the process ends in
/// any way.
package struct TemporaryFile: ~Copyable {
  /// The folder that it is in, for messages.
  private let folder: String
  private let file: FileDescriptor
  /// The number of bytes in the file.
  package private(set) var size: UInt64 = 0

  /// Creates the file in `TMPDIR`, or in `/var/tmp`, which is intended for large files.
  package init() throws(Failure) {
    let wish = ProcessState.variable("TMPDIR") ?? ""
    try self.init(in: wish.isEmpty ? "/var/tmp" : wish)
  }

  package init(in folder: String) throws(Failure) {
    file = try Self.naming(folder, .makeTemporary) { () throws(Failure) in
      try Self.make(in: folder)
    }
    self.folder = folder
  }

  private static func make(in path: String) throws(Failure) -> FileDescriptor {
    let folder = try FileDescriptor.open(path, for: .directory)
    if let nameless = try folder.openNameless(for: O_RDWR, permissions: 0o600, shown: path) {
      return nameless
    }
    let name = TemporaryName.make()
    let file = try folder.open(name, for: .creating(permissions: 0o600))
    do throws(Failure) {
      try folder.remove(name)
    } catch {
      folder.removeQuietly(name)
      throw error
    }
    return file
  }

  /// Appends all of `bytes`.
  package mutating func append(_ bytes: RawSpan) throws(Failure) {
    try Self.naming(folder, .writeTemporary) { () throws(Failure) in try file.write(bytes) }
    size += UInt64(bytes.byteCount)
  }

  /// Extends the file to this size; the added part is a hole, which reads as zeros and uses no
  /// space.
  package mutating func extend(to size: UInt64) throws(Failure) {
    try Self.naming(folder, .writeTemporary) { () throws(Failure) in try file.truncate(to: size) }
    self.size = size
  }

  /// Writes all of `bytes` from `offset` on; several threads may do this at the same time, at
  /// different offsets.
  package borrowing func write(_ bytes: RawSpan, at offset: UInt64) throws(Failure) {
    try Self.naming(folder, .writeTemporary) { () throws(Failure) in
      try file.write(bytes, at: offset)
    }
  }

  /// Returns the bytes for random access; they are kept while any source uses them.
  package borrowing func source() throws(Failure) -> ByteSource {
    try Self.naming(folder, .readTemporary) { () throws(Failure) in
      try ByteSource(try file.duplicate())
    }
  }

  /// Reads up to `limit` bytes from `offset` on into the free space of `output`, once; returns 0 at
  /// the end of the file.
  package borrowing func read(
    into output: inout OutputRawSpan, at offset: UInt64, upTo limit: Int
  ) throws(Failure) -> Int {
    try Self.naming(folder, .readTemporary) { () throws(Failure) in
      try file.read(into: &output, at: offset, upTo: limit)
    }
  }

  /// Adds the folder to a failure: the user never sees the file itself.
  private static func naming<Success: ~Copyable>(
    _ folder: String, _ operation: Operation, _ body: () throws(Failure) -> Success
  ) throws(Failure) -> Success {
    try explaining({ Failure(operation, folder, code: $0.code) }, body)
  }
}

extension FileDescriptor {
  /// Creates a file without a name in this folder (`openat` with `O_TMPFILE`); nil if the file
  /// system cannot do that.
  func openNameless(
    for access: Int32, permissions: mode_t, shown path: String
  ) throws(Failure) -> FileDescriptor? {
    // `O_TMPFILE`, which Swift's Glibc module does not define.
    let nameless = 0o20_000_000 | O_DIRECTORY
    do throws(Failure) {
      let number = try perform(.open, path) {
        unsafe openat(self.number, ".", nameless | access | O_CLOEXEC, permissions)
      }
      return FileDescriptor(owning: number, path: path)
    } catch {
      // Some systems return EPERM in a folder that was removed: a file with a name gets the actual
      // error.
      guard [EOPNOTSUPP, EISDIR, EINVAL, ENOENT, EPERM].contains(error.code) else { throw error }
      return nil
    }
  }
}
