import CSystem
import Glibc

/// Threads that all run the same code; their creator waits for them.
///
/// They block all signals, so that another thread of the process handles an interrupt.
@safe
package struct WorkerThreads: ~Copyable {
  private var threads: [pthread_t] = []
  private let stop: @Sendable () -> Void

  /// Starts `count` threads that each run `body` once (`pthread_create`).
  ///
  /// If the system allows fewer threads, fewer are started; throws if none can be started. `stop`
  /// must make every `body` return; it is called once, before the threads are waited for.
  package init(
    _ count: Int, stop: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () -> Void
  ) throws(Failure) {
    self.stop = stop
    for _ in 0..<count {
      let code = Self.start(body, &threads)
      if code == 0 { continue }
      if threads.isEmpty { throw Failure(.start, "a thread", code: code) }
      break
    }
  }

  /// Starts a detached thread, for work that may take longer than the caller waits.
  ///
  /// Its stack may be smaller than the default, if there are many such threads.
  package static func startAlone(
    stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void
  ) throws(Failure) {
    var threads: [pthread_t] = []
    let code = start(body, &threads, stackSize: stackSize)
    guard code == 0 else { throw Failure(.start, "a thread", code: code) }
    for thread in threads { pthread_detach(thread) }
  }

  /// Runs `body`, and in parallel `other` on another thread; returns both results.
  ///
  /// If the system allows no other thread, `other` runs after `body`.
  package static func run<Other: Sendable, Success, Fault>(
    beside other: @escaping @Sendable () -> Other, _ body: () throws(Fault) -> Success
  ) throws(Fault) -> (Other, Success) {
    let result = Guarded<Other?>(nil)
    let success: Success
    do {
      let threads = try? WorkerThreads(1, stop: {}) {
        let value = other()
        result.with { $0 = value }
      }
      success = try body()
      // Waits for the thread.
      _ = consume threads
    }
    return (result.with { $0 } ?? other(), success)
  }

  /// Yields the processor to other threads and programs (`sched_yield`).
  ///
  /// Afterwards, the result that this thread needs may be available. With many short exchanges in
  /// parallel, this avoids the cost of a wait and a wakeup.
  package static func letOthersRun() { sched_yield() }

  private static func start(
    _ body: @escaping @Sendable () -> Void, _ threads: inout [pthread_t], stackSize: Int? = nil
  ) -> Int32 {
    GuardedSection.checkThatWaitingIsAllowed()
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    if let stackSize { unsafe pthread_attr_setstacksize(&attributes, stackSize) }
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let argument = unsafe Unmanaged.passRetained(Body(run: body))
    let code = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
      }, argument.toOpaque())
    if code == 0 { threads.append(thread) } else { unsafe argument.release() }
    return code
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }

  deinit {
    GuardedSection.checkThatWaitingIsAllowed()
    stop()
    for thread in threads { pthread_join(thread, nil) }
  }
}
