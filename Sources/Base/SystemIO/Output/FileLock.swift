import Glibc

/// The right to change a file, which one process has at a time.
///
/// It is a lock on a second file, `<name>.lock`, which exists while a process has the right. The
/// file itself cannot be locked: a change replaces it with a new file, which would not be locked.
/// When a process is killed, the system releases its lock.
package struct FileLock: ~Copyable {
  private let folder: FileDescriptor
  private let name: FileName
  private let file: FileDescriptor

  /// Waits for the right to change the file.
  ///
  /// If another process has it, `waiting` is called once. An error that it throws ends the wait.
  /// The wait also ends when the operation must stop, with ``Failure/Kind/interrupted``.
  package init(
    besides path: String, _ work: Work, waiting: () throws(Failure) -> Void
  ) throws(Failure) {
    let place = OutputPlace(path)
    let name = FileName(place.name.bytes + Array(".lock".utf8))
    let folder = try FileDescriptor.open(place.folder, for: .directory)
    var hasWaited = false
    while true {
      let file = try folder.open(name, for: .locking)
      try file.lock(work) { () throws(Failure) in
        if !hasWaited { try waiting() }
        hasWaited = true
      }
      // The process that held the lock may have removed the lock file, and another process may have
      // created a new one.
      guard try file.isCalled(name, in: folder) else { continue }
      self.folder = folder
      self.name = name
      self.file = file
      return
    }
  }

  /// Unlocks the file.
  package consuming func release() {}

  deinit { folder.removeQuietly(name) }
}
