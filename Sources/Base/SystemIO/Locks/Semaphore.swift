import Glibc

/// A counting semaphore (`sem_t`) on the heap, because its address must not change.
///
/// The writes of a thread before ``signal()`` are visible to the thread whose ``wait()`` returns
/// because of that signal.
///
/// Unchecked: the pointer never changes, and any thread may use a `sem_t`.
@safe
package struct Semaphore: ~Copyable, @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t>

  package init(_ value: UInt32 = 0) {
    unsafe semaphore = .allocate(capacity: 1)
    unsafe semaphore.initialize(to: sem_t())
    unsafe sem_init(semaphore, 0, value)
  }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Raises the number by one and wakes one waiting thread (`sem_post`).
  package borrowing func signal() {
    unsafe sem_post(semaphore)
  }

  /// Waits until the number is above zero, then lowers it by one (`sem_wait`).
  package borrowing func wait() {
    GuardedSection.checkThatWaitingIsAllowed()
    while unsafe sem_wait(semaphore) == -1 && errno == EINTR {}
  }

  /// Lowers the number by one if it is above zero, and returns whether it was (`sem_trywait`).
  package borrowing func tryWait() -> Bool { unsafe sem_trywait(semaphore) == 0 }
}
