import Glibc

/// A value that several threads share.
///
/// One thread at a time has access to it, inside a closure. The closure must not wait: it makes no
/// system call, and uses no other `Guarded` and no ``InTurn``. A debug build traps if it does. A
/// change that needs the disk and a guarded value runs in an ``InTurn``: it copies the value out of
/// its `Guarded`, does the work, and stores the result in the `Guarded`.
package struct Guarded<State: ~Copyable>: Sendable {
  private let cell: Cell<State>

  /// Creates a guarded value.
  package init(_ state: consuming sending State) { cell = Cell(state) }

  /// Runs `body` with the value while no other thread can reach it.
  package func with<Success: ~Copyable, Thrown: Error>(
    _ body: (inout sending State) throws(Thrown) -> sending Success
  ) throws(Thrown) -> sending Success {
    GuardedSection.checkThatWaitingIsAllowed()
    return try cell.with { state throws(Thrown) in
      GuardedSection.begin()
      defer { GuardedSection.end() }
      return try body(&state)
    }
  }
}

/// A value that threads use one after another, each possibly for a long time: a file, a terminal,
/// changes that must not overlap.
///
/// Other threads may wait without a limit. So a server must not use such a value to respond to a
/// request.
package struct InTurn<State: ~Copyable>: Sendable {
  private let cell: Cell<State>

  /// Creates a value that threads use one after another.
  package init(_ state: consuming sending State) { cell = Cell(state) }

  /// Runs `body` with the value as soon as no other thread uses it.
  package func with<Success: ~Copyable, Thrown: Error>(
    _ body: (inout sending State) throws(Thrown) -> sending Success
  ) throws(Thrown) -> sending Success {
    GuardedSection.checkThatWaitingIsAllowed()
    return try cell.with(body)
  }
}

/// A record of whether this thread is inside the closure of a ``Guarded``, in debug builds only.
package enum GuardedSection {
  /// Traps in debug builds if this thread is inside the closure of a ``Guarded``.
  @inline(__always)
  package static func checkThatWaitingIsAllowed() {
    assert(!isActive, "a wait, a system call or another lock inside a 'Guarded'")
  }

  fileprivate static func begin() { mark(true) }

  fileprivate static func end() { mark(false) }

  private static var isActive: Bool { unsafe pthread_getspecific(key) != nil }

  @inline(__always)
  private static func mark(_ isActive: Bool) {
    #if DEBUG
      unsafe pthread_setspecific(key, isActive ? UnsafeRawPointer(bitPattern: 1) : nil)
    #endif
  }

  /// The key of a thread-local flag.
  ///
  /// Swift has no thread-local variables.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key, nil)
    return key
  }()
}
