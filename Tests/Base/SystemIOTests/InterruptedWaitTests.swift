import Glibc
import Synchronization
import SystemIO
import TestSupport
import Testing

/// Tests with real signals, each in a separate process.
@Suite(.mustEnd)
struct InterruptedWaitTests {
  @Test func `a signal ends every wait immediately`() async {
    await #expect(processExitsWith: .success) {
      Interrupt.install()
      let work = Work(until: Interrupt.alarm)
      let folder = try TemporaryFolder()
      let pipe = folder.path("pipe")
      #expect(unsafe mkfifo(pipe, 0o600) == 0)
      let held = try FileLock(besides: folder.path("file"), .unstoppable, waiting: {})
      let listener = try Listener()
      let near = try SocketTests.connect(to: listener.address, work)
      let writer = try SocketTests.connect(to: listener.address, work)
      let silent = try SocketTests.End.next(of: listener)
      let deaf = try SocketTests.End.next(of: listener)
      let before = try WaitingThreads.all()
      let endings = Noted<String>()
      let (reading, writing) = (SocketTests.End(near), SocketTests.End(writer))
      let waits: [@Sendable () throws -> Void] = [
        { try work.pause(until: nil) },
        { _ = try reading.connection.read(atMost: 1) },
        { while true { try writing.connection.write([UInt8](repeating: 0, count: 1 << 16)) } },
        { _ = try FileDescriptor.open(pipe, for: .waiting(work)).readToEnd(atMost: 1) },
        { try FileLock(besides: folder.path("file"), work, waiting: {}).release() },
      ]
      let next = Atomic(0)
      let threads = try WorkerThreads(waits.count, stop: {}) {
        let wait = waits[next.add(1, ordering: .relaxed).oldValue]
        do {
          try wait()
          endings.add("it did not wait")
        } catch {
          endings.add("\(error)")
        }
      }
      // Threads that fill the buffer of a socket, or poll a lock, sleep between attempts.
      try WaitingThreads.settle(besides: before, count: waits.count)
      kill(getpid(), SIGINT)
      threads.join()
      held.release()
      withExtendedLifetime((silent, deaf)) {}
      #expect(Interrupt.pending == SIGINT)
      #expect(endings.all == [String](repeating: "interrupted", count: waits.count))
    }
  }

  @Test func `a signal between the check and the wait ends the wait`() async {
    await #expect(processExitsWith: .success) {
      Interrupt.install()
      let work = Work(until: Interrupt.alarm)
      #expect(!work.isStopped)
      let error = #expect(throws: Failure.self) {
        try ForcedFailures.inject(ForcedFailure(.poll, .run { kill(getpid(), SIGTERM) }, times: 1))
        {
          try work.pause(until: nil)
        }
      }
      #expect(error?.kind == .interrupted)
      #expect(Interrupt.pending == SIGTERM)
      #expect(work.isStopped)
      // All later waits fail immediately.
      #expect(throws: Failure.self) { try work.pause(until: nil) }
    }
  }

  @Test func `a closed reader is an error and does not end the program`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let listener = try Listener()
      let near = try SocketTests.connect(to: listener.address)
      try listener.accept()?.close()
      let error = #expect(throws: Failure.self) {
        while true { try near.write([UInt8](repeating: 0, count: 1 << 16)) }
      }
      #expect(error?.code == EPIPE || error?.code == ECONNRESET)
    }
  }
}

/// The threads of this process, according to the system.
private enum WaitingThreads {
  static func all() throws -> Set<String> {
    let folder = try FileDescriptor.open("/proc/self/task", for: .directory)
    let listing = try folder.list()
    return Set(
      listing.items.map { String(decoding: listing.fileName(of: $0).bytes, as: UTF8.self) })
  }

  /// Returns when this number of threads in addition to those sleep.
  static func settle(besides before: Set<String>, count: Int) throws {
    let end = ContinuousClock.now + SocketTests.patience
    while ContinuousClock.now < end {
      let sleeping = try all().subtracting(before).filter { thread in
        let status = try? FileDescriptor.open("/proc/self/task/\(thread)/stat", for: .reading)
          .readToEnd(atMost: 512)
        let text = String(decoding: status ?? [], as: UTF8.self)
        return text.split(separator: ") ").last?.hasPrefix("S") == true
      }
      if sleeping.count >= count { return }
      sched_yield()
    }
    Issue.record("the threads did not wait in time")
  }
}
