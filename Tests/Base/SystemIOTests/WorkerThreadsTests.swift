import SystemIO
import TestSupport
import Testing

@Suite(.mustEnd) struct WorkerThreadsTests {
  @Test func `both parts of the work run at the same time`() throws {
    let (first, second) = (try Alarm(), try Alarm())
    // Each side waits for the other.
    let (other, own) = try WorkerThreads.run {
      first.ring()
      return (try? waitUntil(.readable, second.number, "", until: nil, .unstoppable)) != nil
    } _: { () throws(Failure) in
      second.ring()
      _ = try waitUntil(.readable, first.number, "", until: nil, .unstoppable)
      return 7
    }
    #expect(other)
    #expect(own == 7)
  }

  @Test func `an error is thrown after the other work has ended`() {
    let ended = Noted<Void>()
    #expect(throws: Failure(.interrupted)) {
      try WorkerThreads.run {
        WorkerThreads.letOthersRun()
        ended.add(())
      } _: { () throws(Failure) in
        throw Failure(.interrupted)
      }
    }
    #expect(ended.all.count == 1)
  }
}
