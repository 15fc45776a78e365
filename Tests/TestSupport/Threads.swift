package import SystemIO

extension WorkerThreads {
  /// Waits until all of them have ended by themselves.
  package consuming func join() {}
}

/// Does something on `count` threads at once, each of which gets its number, and waits for them.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws(Failure) {
  let numbers = Noted<Int>()
  try WorkerThreads(count, stop: {}) { body(numbers.add(0)) }.join()
}

/// What threads have to say, in the order in which they said it.
package final class Noted<Note: Sendable>: @unchecked Sendable {
  private let lock = Lock()
  private var notes: [Note] = []

  package init() {}

  package var all: [Note] { lock.with { notes } }

  /// Adds a note, and says how many there were before.
  @discardableResult package func add(_ note: Note) -> Int {
    lock.with {
      notes.append(note)
      return notes.count - 1
    }
  }
}
