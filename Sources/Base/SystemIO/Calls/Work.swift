/// The context of a long operation: a signal to stop, and a callback for its progress.
///
/// Each function that waits, or that takes a long time, receives it from its caller. So a wait ends
/// in the same way when the user sends a signal, when a Swift task is cancelled and when a server
/// stops.
package struct Work: Sendable {
  /// Rings when the operation must stop; nil if it cannot be stopped.
  package let stop: Alarm?
  /// Called for each file and each block, on any thread; nil if the caller does not show progress.
  package let report: (@Sendable (Progress) -> Void)?

  /// Creates the context of an operation that an alarm stops.
  package init(until stop: Alarm?) {
    self.init(until: stop, report: nil)
  }

  private init(until stop: Alarm?, report: (@Sendable (Progress) -> Void)?) {
    self.stop = stop
    self.report = report
  }

  /// An operation that cannot be stopped.
  package static let unstoppable = Work(until: nil)

  /// Returns the same operation with another callback for its progress.
  package func reporting(_ report: @escaping @Sendable (Progress) -> Void) -> Work {
    Work(until: stop, report: report)
  }

  /// Returns the part of the operation that processes one of several items.
  package func of(item: Int) -> Work {
    guard let report else { return self }
    return reporting { progress in
      var progress = progress
      progress.item = item
      report(progress)
    }
  }

  /// Whether the operation must stop.
  package var isStopped: Bool { stop?.isRinging ?? false }

  /// Throws ``Failure/Kind/interrupted`` if the operation must stop.
  package func check(_ name: @autoclosure () -> String = "") throws(Failure) {
    if isStopped { throw Failure(.interrupted, name()) }
  }

  /// Waits until the deadline, or until the operation must stop (``waitUntil(_:_:_:until:_:)``).
  package func pause(
    until deadline: ContinuousClock.Instant?, _ name: @autoclosure () -> String = ""
  ) throws(Failure) {
    _ = try waitUntil(.readable, -1, name(), until: deadline, self)
  }
}

extension Work {
  /// The progress of an operation.
  package struct Progress: Sendable, Equatable {
    /// The index of the current item among those of the operation: a pack, a request.
    package var item: Int
    /// The path of the current file; nil between files.
    package var path: ArraySlice<UInt8>?
    /// Whether the file has just begun.
    package var isBeginning: Bool
    /// The number of processed bytes; during a search for files, the number of files.
    package var done: UInt64
    /// The total number of bytes; nil if it is unknown.
    package var total: UInt64?

    package init(
      item: Int = 0, path: ArraySlice<UInt8>? = nil, isBeginning: Bool = false, done: UInt64,
      total: UInt64? = nil
    ) {
      self.item = item
      self.path = path
      self.isBeginning = isBeginning
      self.done = done
      self.total = total
    }
  }
}
