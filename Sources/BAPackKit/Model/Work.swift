import Synchronization
import SystemIO

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

  init(step: Step, pack: String, file: String? = nil, done: UInt64, total: UInt64? = nil) {
    self.step = step
    self.pack = pack
    self.file = file
    self.done = done
    self.total = total
  }
}

/// What long work needs to know from its caller: whether to stop, and whom to tell how far it is.
package struct Work: Sendable {
  /// Whether to stop; it only reads an atomic value.
  package let isCancelled: @Sendable () -> Bool
  /// Called for each file and each block; nil if nobody wants to know.
  package let progress: (@Sendable (WorkProgress) -> Void)?

  package init(
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: (@Sendable (WorkProgress) -> Void)? = nil
  ) {
    self.isCancelled = isCancelled
    self.progress = progress
  }

  /// Throws if the work should stop.
  func checkCancellation() throws(PackError) {
    if isCancelled() { throw PackError(.interrupted, "interrupted") }
  }

  /// Does work on a thread of its own, and stops it when the task is cancelled.
  ///
  /// The work waits for disks. The threads of Swift tasks and of Dispatch are few, and are for code that
  /// does not wait.
  static func run<Value: Sendable>(
    _ progress: @escaping @Sendable (WorkProgress) -> Void,
    _ body: @escaping @Sendable (Work) throws(PackError) -> Value
  ) async throws(PackError) -> Value {
    let alarm: Alarm
    do throws(Failure) {
      alarm = try Alarm()
    } catch {
      throw PackError(error, while: .reading)
    }
    let wish = Wish()
    let work = Work(isCancelled: { wish.isCancelled.load(ordering: .relaxed) }, progress: progress)
    let result: Result<Value, PackError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        do throws(Failure) {
          try WorkerThreads.startAlone {
            continuation.resume(
              returning: Alarm.$ofTask.withValue(alarm) {
                Result { () throws(PackError) in
                  try work.checkCancellation()
                  return try body(work)
                }
              })
          }
        } catch {
          continuation.resume(returning: .failure(PackError(error, while: .reading)))
        }
      }
    } onCancel: {
      wish.isCancelled.store(true, ordering: .relaxed)
      alarm.ring()
    }
    return try result.get()
  }

  /// Whether the work should stop.
  private final class Wish: Sendable {
    let isCancelled = Atomic(false)
  }
}
