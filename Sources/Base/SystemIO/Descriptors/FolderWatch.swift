import Glibc

/// Detects changes in folders (`inotify`).
///
/// It detects that something changed, not what: the caller examines the files again. So a lost or
/// overflown event does not matter. The system needs about 1 KB for each folder.
package final class FolderWatch: Sendable {
  private let number: Int32

  package init() throws(Failure) {
    number = try perform(.watch, "folders") {
      inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    }
  }

  deinit {
    GuardedSection.checkThatWaitingIsAllowed()
    _ = close(number)
  }

  /// Watches the entries of a folder and their contents, without those of its subfolders.
  ///
  /// A file has changed when a program closes it after writing: a log that remains open does not
  /// count.
  ///
  /// A folder that is watched already is not watched twice.
  package func add(_ path: String) throws(Failure) {
    let changes = IN_ATTRIB | IN_CLOSE_WRITE
    let entries = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
    let folder = IN_DELETE_SELF | IN_MOVE_SELF
    let mask = UInt32(truncatingIfNeeded: changes | entries | folder)
    _ = try perform(.watch, path) { unsafe inotify_add_watch(number, path, mask) }
  }

  /// Waits until something has changed since the last wait; returns false at the deadline.
  package func wait(
    until deadline: ContinuousClock.Instant? = nil, _ work: Work
  ) throws(Failure) -> Bool {
    guard try waitUntil(.readable, number, "changes of files", until: deadline, work) else {
      return false
    }
    // The events are dropped.
    unsafe withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
      while unsafe read(number, buffer.baseAddress, buffer.count) > 0 {}
    }
    return true
  }
}
