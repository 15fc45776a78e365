import Foundation
import SystemIO
package import Testing

/// A trait that runs tests on separate threads, each with a time limit.
///
/// Swift has one thread for each processor. A test that waits for a server, a pause or a program
/// blocks such a thread and delays the other tests.
package struct PeerTests: SuiteTrait, TestTrait, TestScoping {
  /// Far longer than any such test, also on a busy machine.
  private static let limit: Duration = .seconds(25 * 60)

  package var isRecursive: Bool { true }

  @concurrent package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let watch = Task {
      try await Task.sleep(for: Self.limit)
      Issue.record("the test has not ended after \(Self.limit)")
    }
    defer { watch.cancel() }
    try await withTaskExecutorPreference(PeerThreads.shared) { try await function() }
  }
}

extension Trait where Self == PeerTests {
  /// Marks tests that wait for a peer.
  ///
  /// At most eight of them run at the same time (two under a sanitizer), in parallel with the other
  /// tests.
  ///
  /// A test that exceeds the time limit fails.
  package static var mustEnd: Self { Self() }
}

/// Threads that exist until the process ends.
private final class PeerThreads: TaskExecutor {
  /// Under a sanitizer, more threads block each other whenever one of them maps memory.
  static let shared = PeerThreads(count: isSanitized ? 2 : 8)

  private static var isSanitized: Bool {
    let environment = ProcessInfo.processInfo.environment
    return environment["TSAN_OPTIONS"] != nil || environment["ASAN_OPTIONS"] != nil
  }

  private let jobs = Guarded<[UnownedJob]>([])
  private let waiting = Semaphore()

  private init(count: Int) {
    // `WorkerThreads` block signals, which the programs that tests start would inherit.
    for _ in 0..<count { Thread { self.runJobs() }.start() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.with { $0.append(job) }
    waiting.signal()
  }

  private func runJobs() {
    while true {
      waiting.wait()
      let job = jobs.with { $0.removeFirst() }
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
