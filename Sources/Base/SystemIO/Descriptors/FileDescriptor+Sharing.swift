import Glibc

/// Functions for processes that share files.
extension FileDescriptor {
  /// Opens a folder; creates it and its parents if they are missing.
  package static func openFolder(making path: String) throws(Failure) -> FileDescriptor {
    var made: [String] = []
    return try openFolder(making: path, noting: &made)
  }

  /// Opens a folder; `made` receives the created folders, the outermost first, even if it throws.
  package static func openFolder(
    making path: String, noting made: inout [String]
  ) throws(Failure) -> FileDescriptor {
    let place = OutputPlace(path)
    do throws(Failure) {
      return try open(path, for: .directory)
    } catch {
      guard error.code == ENOENT, !path.isEmpty, place.folder != path else { throw error }
    }
    // A removed current folder can be opened, but no file can be created in it.
    let parent = try openFolder(making: place.folder, noting: &made)
    if try parent.makeMissingFolder(place.name) { made.append(path) }
    return try open(path, for: .directory)
  }

  /// Creates a folder in this one if it is missing (`mkdirat`); returns whether it was missing.
  package func makeMissingFolder(_ name: FileName) throws(Failure) -> Bool {
    do throws(Failure) {
      try makeFolder(name)
      return true
    } catch {
      // Another process may have created it already.
      guard error.code == EEXIST else { throw error }
      return false
    }
  }

  /// Returns standard input under a separate descriptor number (`fcntl` with `F_DUPFD_CLOEXEC`).
  ///
  /// A read waits for bytes; the wait ends when the operation must stop.
  package static func standardInput(_ work: Work) throws(Failure) -> FileDescriptor {
    let path = "standard input"
    let number = try perform(.open, path) { fcntl(0, F_DUPFD_CLOEXEC, 3) }
    return FileDescriptor(owning: number, path: path, waiting: work)
  }

  /// Locks this file until the descriptor is closed (`flock`); false if another process holds the
  /// lock.
  package func tryLock() throws(Failure) -> Bool {
    do throws(Failure) {
      _ = try perform(.lock, path) { flock(number, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      guard error.code == EWOULDBLOCK else { throw error }
      return false
    }
  }

  /// Unlocks this file now (`flock`).
  ///
  /// Closing the descriptor is not sufficient while a copy of it is open. A child process has
  /// copies of all descriptors until it executes its program.
  package func unlock() { _ = flock(number, LOCK_UN) }

  /// Locks this file until the descriptor is closed, and waits for a process that holds the lock
  /// (`flock`).
  ///
  /// `waiting` is called once if the lock is held; an error from it ends the wait. The end of the
  /// operation ends the wait with ``Failure/Kind/interrupted``.
  package func lock(
    _ work: Work, waiting: () throws(Failure) -> Void = {}
  ) throws(Failure) {
    var hasWaited = false
    while try !tryLock() {
      if !hasWaited { try waiting() }
      hasWaited = true
      // A wait inside `flock` could not be interrupted, so the lock is polled.
      try work.pause(until: .now + .milliseconds(5), path)
    }
  }

  /// Sets the time when `name` in this folder was modified to now (`utimensat`).
  package func touch(_ name: FileName) throws(Failure) {
    _ = try perform(.changeTimes, joined(name)) {
      unsafe name.withCString { unsafe utimensat(number, $0, nil, AT_SYMLINK_NOFOLLOW) }
    }
  }

  /// Removes the file `name` in this folder (`unlinkat`); a missing file is no failure.
  package func remove(_ name: FileName) throws(Failure) {
    do throws(Failure) {
      _ = try perform(.unlink, joined(name)) {
        unsafe name.withCString { unsafe unlinkat(number, $0, 0) }
      }
    } catch {
      guard error.code == ENOENT else { throw error }
    }
  }

  /// Returns the free and the total space of this file's file system in bytes (`fstatvfs`).
  package func space() throws(Failure) -> (free: UInt64, total: UInt64) {
    var facts = statvfs()
    _ = try perform(.freeSpace, path) { unsafe fstatvfs(number, &facts) }
    let unit = UInt64(facts.f_frsize)
    return (UInt64(facts.f_bavail) * unit, UInt64(facts.f_blocks) * unit)
  }
}
