import Dispatch
import Synchronization

/// How far long work is: what it is at, and how much of it is done.
public struct WorkProgress: Sendable, Equatable {
  /// What is being done.
  public enum Step: Sendable, Equatable {
    /// Files are looked for that selectors choose.
    case selecting
    /// A pack is written.
    case packing
    /// A pack is read and checked.
    case verifying
    /// Files are taken out of a pack.
    case extracting
  }

  /// What is being done.
  public var step: Step
  /// The pack that it is done for, by its ID or its path.
  public var pack: String
  /// The file that it is at, by its path in the pack; nil between files.
  public var file: String?
  /// How many bytes, or files while they are looked for, are done.
  public var done: UInt64
  /// How many there are, where that is known.
  public var total: UInt64?

  init(step: Step, pack: String, file: String? = nil, done: UInt64, total: UInt64? = nil) {
    self.step = step
    self.pack = pack
    self.file = file
    self.done = done
    self.total = total
  }
}

/// Long work as the code that does it sees it: somebody may want to know how far it is, or to end it.
package struct Work: Sendable {
  /// Whether to give up; it reads no more than an atomic value.
  package let isCancelled: @Sendable () -> Bool
  /// Told about each file and each block; nil where nobody wants to know.
  package let progress: (@Sendable (WorkProgress) -> Void)?

  package init(
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: (@Sendable (WorkProgress) -> Void)? = nil
  ) {
    self.isCancelled = isCancelled
    self.progress = progress
  }

  /// Throws when the work is to end.
  func checkCancellation() throws(PackError) {
    if isCancelled() { throw PackError(.interrupted, "interrupted") }
  }

  /// Does work on a thread that may block, and ends it when the task is cancelled.
  ///
  /// Swift's own threads are as many as there are processors, and are for code that never waits;
  /// this work waits for disks.
  static func run<Value: Sendable>(
    _ progress: @escaping @Sendable (WorkProgress) -> Void,
    _ body: @escaping @Sendable (Work) throws(PackError) -> Value
  ) async throws(PackError) -> Value {
    let wish = Wish()
    let work = Work(isCancelled: { wish.isCancelled.load(ordering: .relaxed) }, progress: progress)
    let result: Result<Value, PackError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(
            returning: Result { () throws(PackError) in
              try work.checkCancellation()
              return try body(work)
            })
        }
      }
    } onCancel: {
      wish.isCancelled.store(true, ordering: .relaxed)
    }
    return try result.get()
  }

  /// The wish that the work ends.
  private final class Wish: Sendable {
    let isCancelled = Atomic(false)
  }
}
