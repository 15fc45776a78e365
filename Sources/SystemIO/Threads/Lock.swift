import Glibc

/// Lets one thread at a time do something; it lives on the heap because it may never move.
///
/// It is a mutex of the system's: that of Swift's `Synchronization` takes hundreds of times as long
/// when many threads want it. Whoever has it must not ask for it again.
@safe
package struct Lock: ~Copyable, @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Does `body` while no other thread does anything with this lock.
  @inline(__always)
  package borrowing func with<Success, Thrown: Error>(
    _ body: () throws(Thrown) -> Success
  ) throws(Thrown) -> Success {
    take()
    defer { giveBack() }
    return try body()
  }

  /// `pthread_mutex_lock`.
  package borrowing func take() { unsafe pthread_mutex_lock(mutex) }

  /// `pthread_mutex_unlock`.
  package borrowing func giveBack() { unsafe pthread_mutex_unlock(mutex) }
}
