package import SystemIO

extension WorkerThreads {
  /// Waits until all of them have ended.
  package consuming func join() {}
}

/// Runs work on `count` threads in parallel, each with its number, and waits for them.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws(Failure) {
  let numbers = Noted<Int>()
  try WorkerThreads(count, stop: {}) { body(numbers.add(0)) }.join()
}

/// Messages of threads, in order.
package struct Noted<Note: Sendable>: Sendable {
  private let notes = Guarded<[Note]>([])

  package init() {}

  package var all: [Note] { notes.with { $0 } }

  /// Adds a message, and returns the earlier number of messages.
  @discardableResult package func add(_ note: Note) -> Int {
    notes.with { notes in
      notes.append(note)
      return notes.count - 1
    }
  }
}
