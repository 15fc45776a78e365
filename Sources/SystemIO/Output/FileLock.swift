import Glibc

/// The right to change a file, which one process has at a time.
///
/// It is a lock on a file beside it, `<name>.lock`, that is there as long as somebody has the right:
/// the file itself is replaced when it changes, and a lock on it would go with the old one. The lock of
/// a process that was killed is nobody's.
package struct FileLock: ~Copyable {
  private let folder: FileDescriptor
  private let name: FileName
  private let file: FileDescriptor

  /// Waits for the right.
  ///
  /// If somebody else has it, `waiting` is called once. A signal that asks to stop ends the waiting
  /// with `EINTR`.
  package init(besides path: String, waiting: () -> Void) throws(Failure) {
    let place = OutputPlace(path)
    let name = FileName(place.name.bytes + Array(".lock".utf8))
    let folder = try FileDescriptor.open(place.folder, for: .directory)
    var hasWaited = false
    while true {
      let file = try folder.open(name, for: .locking)
      while try !file.tryLock() {
        if !hasWaited { waiting() }
        hasWaited = true
        if Interrupt.pending != nil {
          throw Failure(.lock, path, code: EINTR)
        }
        // A lock that is waited for cannot be given up when a signal comes, so it is asked for again.
        usleep(5_000)
      }
      // Whoever had it may have taken the name away, and somebody else may have made it anew.
      guard try Self.is(file, called: name, in: folder) else { continue }
      self.folder = folder
      self.name = name
      self.file = file
      return
    }
  }

  private static func `is`(
    _ file: borrowing FileDescriptor, called name: FileName, in folder: borrowing FileDescriptor
  ) throws(Failure) -> Bool {
    do throws(Failure) {
      return try folder.status(of: name).identity == file.status().identity
    } catch {
      guard error.code == ENOENT else { throw error }
      return false
    }
  }

  /// Gives the right back.
  package consuming func release() {}

  deinit { folder.removeQuietly(name) }
}
