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
package struct Noted<Note: Sendable>: Sendable {
  private let notes = Guarded<[Note]>([])

  package init() {}

  package var all: [Note] { notes.with { $0 } }

  /// Adds a note, and says how many there were before.
  @discardableResult package func add(_ note: Note) -> Int {
    notes.with { notes in
      notes.append(note)
      return notes.count - 1
    }
  }
}
