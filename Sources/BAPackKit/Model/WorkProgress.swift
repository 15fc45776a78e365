package import SystemIO

/// How far long work has come.
public struct WorkProgress: Sendable, Equatable {
  /// What is being done.
  public enum Step: Sendable, Equatable {
    /// Selectors are looking for files.
    case selecting
    /// A pack is being written.
    case packing
    /// A pack is being read and checked.
    case verifying
    /// Files are being extracted from a pack.
    case extracting
  }

  /// What is being done.
  public var step: Step
  /// The pack that is being worked on, by its ID or its path.
  public var pack: String
  /// The current file, by its path in the pack; nil between files.
  public var file: String?
  /// How many bytes are done; while files are looked for, how many files.
  public var done: UInt64
  /// How many there are, if that is known.
  public var total: UInt64?

  fileprivate init(step: Step, pack: String, file: String?, done: UInt64, total: UInt64?) {
    self.step = step
    self.pack = pack
    self.file = file
    self.done = done
    self.total = total
  }
}

extension Work {
  /// Throws if the operation must stop.
  package func checkCancellation() throws(PackError) {
    if isStopped { throw PackError(.interrupted, "interrupted") }
  }

  /// The operation with a callback of the public API for its progress.
  ///
  /// The item of a progress is the index of its pack among `packs`.
  func reporting(
    _ step: WorkProgress.Step, of packs: [String],
    to callback: @escaping @Sendable (WorkProgress) -> Void
  ) -> Work {
    reporting { at in
      callback(
        WorkProgress(
          step: step, pack: packs[at.item], file: at.path.map { shownBytes($0) }, done: at.done,
          total: at.total))
    }
  }

  /// Does work on a thread of its own, and stops it when the task is cancelled.
  ///
  /// The work waits for disks. The threads of Swift tasks and of Dispatch are few, and are for code
  /// that does not wait.
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable (Work) throws(PackError) -> Value
  ) async throws(PackError) -> Value {
    let alarm = try mapFailure(.reading) { () throws(Failure) in try Alarm() }
    let work = Work(until: alarm)
    let result: Result<Value, PackError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        do throws(Failure) {
          try WorkerThreads.startAlone {
            continuation.resume(
              returning: Result { () throws(PackError) in
                try work.checkCancellation()
                return try body(work)
              })
          }
        } catch {
          continuation.resume(returning: .failure(PackError(error, while: .reading)))
        }
      }
    } onCancel: {
      alarm.ring()
    }
    return try result.get()
  }
}
