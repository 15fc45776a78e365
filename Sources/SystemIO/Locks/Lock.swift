import Glibc

/// A mutex (`pthread_mutex_t`); it lives on the heap because it may never move.
///
/// `Mutex` of Swift's `Synchronization` is hundreds of times slower when many threads want it. A thread
/// that has the lock must not take it again.
@safe
package struct Lock: ~Copyable, @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    var attributes = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&attributes)
    #if DEBUG
      // A thread that locks twice, or unlocks a lock that it does not hold, gets an error instead
      // of a deadlock.
      let kind = Int32(PTHREAD_MUTEX_ERRORCHECK)
      unsafe pthread_mutexattr_settype(&attributes, kind)
    #endif
    unsafe pthread_mutex_init(mutex, &attributes)
    unsafe pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Runs `body` while no other thread has the lock.
  @inline(__always)
  package borrowing func with<Success, Thrown: Error>(
    _ body: () throws(Thrown) -> Success
  ) throws(Thrown) -> Success {
    lock()
    defer { unlock() }
    return try body()
  }

  /// Takes the lock (`pthread_mutex_lock`).
  package borrowing func lock() {
    let code = unsafe pthread_mutex_lock(mutex)
    assert(code == 0, "a thread locks a lock that it already holds")
  }

  /// Gives the lock back (`pthread_mutex_unlock`).
  package borrowing func unlock() {
    let code = unsafe pthread_mutex_unlock(mutex)
    assert(code == 0, "a thread unlocks a lock that it does not hold")
  }
}
