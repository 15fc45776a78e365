package import SystemIO

/// The progress of an operation.
public struct WorkProgress: Sendable, Equatable {
  /// A step of an operation.
  public enum Step: Sendable, Equatable {
    /// The selection of files.
    case selecting
    /// The writing of a pack.
    case packing
    /// The verification of a pack.
    case verifying
    /// The extraction of files from a pack.
    case extracting
  }

  /// The current step.
  public var step: Step
  /// The ID or the path of the current pack.
  public var pack: String
  /// The path of the current file in the pack; nil between files.
  public var file: String?
  /// The number of processed bytes; for the selection, the number of files.
  public var done: UInt64
  /// The total number of bytes or files; nil if it is unknown.
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
  /// Throws ``PackError/Kind/interrupted`` if the operation was cancelled.
  package func checkCancellation() throws(PackError) {
    if isStopped { throw PackError(.interrupted, "interrupted") }
  }

  /// Returns the operation with a callback of the public API for its progress.
  ///
  /// The item of a progress is the index of the pack in `packs`.
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

  /// Runs an operation on a separate thread, and stops it when the task is cancelled.
  ///
  /// The operation blocks on file access. The thread pools of Swift and Dispatch are for code that
  /// does not block.
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable (Work) throws(PackError) -> Value
  ) async throws(PackError) -> Value {
    let alarm = try mapFailure(.reading) { () throws(Failure) in try Alarm() }
    let work = Work(until: alarm)
    let result: Result<Value, PackError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        OperationLimit.start { failure in
          continuation.resume(
            returning: Result { () throws(PackError) in
              if let failure { throw PackError(failure, while: .reading) }
              try work.checkCancellation()
              return try body(work)
            })
        }
      }
    } onCancel: {
      alarm.ring()
    }
    return try result.get()
  }
}

/// The operations of the public API, of which at most four run at the same time.
///
/// An operation has a thread, and starts more of them for the encoders. Further operations wait in
/// order without a thread. The number of threads and the memory are therefore bounded even if a
/// program starts an operation for each of many packs.
private enum OperationLimit {
  /// An operation; the argument is not nil if no thread could be started for it.
  typealias Operation = @Sendable (Failure?) -> Void

  private struct State {
    var running = 0
    var waiting: [Operation] = []
  }

  private static let mostRunning = 4
  private static let state = Guarded(State())

  static func start(_ operation: @escaping Operation) {
    let canRun = state.with { state -> Bool in
      guard state.running < mostRunning else {
        state.waiting.append(operation)
        return false
      }
      state.running += 1
      return true
    }
    guard canRun else { return }
    do throws(Failure) {
      try WorkerThreads.startAlone { run(operation) }
    } catch {
      // The threads of other operations run the waiting ones.
      let stranded = state.with { state -> [Operation] in
        state.running -= 1
        guard state.running == 0 else { return [] }
        defer { state.waiting = [] }
        return state.waiting
      }
      for operation in [operation] + stranded { operation(error) }
    }
  }

  private static func run(_ first: @escaping Operation) {
    var next: Operation? = first
    while let operation = next {
      operation(nil)
      next = state.with { state -> Operation? in
        guard !state.waiting.isEmpty else {
          state.running -= 1
          return nil
        }
        return state.waiting.removeFirst()
      }
    }
  }
}
