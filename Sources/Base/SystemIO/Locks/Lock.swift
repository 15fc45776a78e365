import Glibc

/// A mutex (`pthread_mutex_t`) on the heap, because its address must not change.
///
/// `Mutex` of Swift's `Synchronization` is hundreds of times slower under contention. The lock is
/// not recursive.
///
/// Unchecked: the pointer never changes, and any thread may use a `pthread_mutex_t`.
@safe
struct Lock: ~Copyable, @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    var attributes = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&attributes)
    #if DEBUG
      // A thread that locks twice, or unlocks a lock that it does not hold, fails instead of
      // blocking forever.
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

  /// Locks the mutex (`pthread_mutex_lock`).
  borrowing func lock() {
    let code = unsafe pthread_mutex_lock(mutex)
    assert(code == 0, "a thread locks a lock that it already holds")
  }

  /// Unlocks the mutex (`pthread_mutex_unlock`).
  borrowing func unlock() {
    let code = unsafe pthread_mutex_unlock(mutex)
    assert(code == 0, "a thread unlocks a lock that it does not hold")
  }
}

/// A value that a lock protects, for ``Guarded``, ``InTurn`` and ``Pool``.
///
/// The value is at its own address on the heap: the lock guarantees exclusive access, so the checks
/// of a property are unnecessary.
///
/// Unchecked: only the functions of this class use the value, while they hold the lock.
@safe
final class Cell<State: ~Copyable>: @unchecked Sendable {
  private let lock = Lock()
  private let state: UnsafeMutablePointer<State>

  init(_ state: consuming sending State) {
    unsafe self.state = .allocate(capacity: 1)
    unsafe self.state.initialize(to: state)
  }

  deinit {
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Runs `body`, from which no reference into the value can escape.
  func with<Success: ~Copyable, Thrown: Error>(
    _ body: (inout sending State) throws(Thrown) -> sending Success
  ) throws(Thrown) -> sending Success {
    lock.lock()
    defer { lock.unlock() }
    return try unsafe body(&state.pointee)
  }

  /// Runs `body`, which moves objects into the value or out of it.
  func exchange<Success>(_ body: (inout State) -> Success) -> Success {
    lock.lock()
    defer { lock.unlock() }
    return unsafe body(&state.pointee)
  }
}
