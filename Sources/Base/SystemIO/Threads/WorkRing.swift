import Synchronization

/// Parallel work whose results are returned in the order of submission.
///
/// The caller submits slots and receives them again when their work is done. A slot has one owner
/// at any moment: the caller gets a submitted slot back only by waiting for it (``takeOldest()``).
/// The ring contains at most `window` slots. Each thread creates one `Worker`, a value that the
/// work may change. An error during the work is stored in the slot.
///
/// The caller's thread is one of the threads: instead of waiting, it does the work on slots that no
/// thread has begun. If there were one more thread than processors, the system would often leave a
/// processor idle while two threads share another one. With one thread, ``give(_:)`` does the work
/// immediately.
@safe
package struct WorkRing<Slot: ~Copyable & Sendable, Worker: ~Copyable>: ~Copyable {
  private let places: RingPlaces<Slot>
  private let perform: @Sendable (inout Worker, inout Slot) -> Void
  // The threads stop when this value ends. The ring has no `deinit` for that: on Swift 6.3 an
  // optimized build leaves out the `deinit` of a generic value that cannot be copied and is
  // consumed in parts.
  private var threads: WorkerThreads?
  /// The worker of the caller's thread.
  private var ownWorker: Worker
  private let isAlone: Bool
  /// The number of slots that were received again; the next one is the slot after them.
  private var taken = 0
  /// The number of slots that were submitted and not yet received again.
  package private(set) var count = 0

  /// Creates a ring that has room for `window` slots and uses `threads` threads, one of which is
  /// the caller's.
  package init(
    window: Int, threads count: Int, makeWorker: @escaping @Sendable () -> Worker,
    perform: @escaping @Sendable (inout Worker, inout Slot) -> Void
  ) throws(Failure) {
    precondition(window > 0 && count > 0)
    let places = RingPlaces<Slot>(count: window)
    var threads: WorkerThreads?
    if count > 1 {
      let body = ForcedFailures.carrying {
        var worker = makeWorker()
        while let place = places.nextJob() { places.work(place, &worker, perform) }
      }
      threads = try WorkerThreads(count - 1, stop: { places.stop() }, body)
    }
    self.places = places
    self.perform = perform
    self.threads = threads.take()
    ownWorker = makeWorker()
    isAlone = count == 1
  }

  /// Whether another slot can be submitted.
  package var hasRoom: Bool { count < places.count }

  /// Submits a slot to the workers; there must be room.
  package mutating func give(_ slot: consuming Slot) {
    precondition(hasRoom)
    let place = (taken + count) % places.count
    count += 1
    places.put(slot, at: place)
    places.announce()
    if isAlone, let job = places.nextJobIfAny() { places.work(job, &ownWorker, perform) }
  }

  /// Returns the slot that was submitted first as soon as the work on it is done; nil if the ring
  /// is empty.
  package mutating func takeOldest() -> Slot? {
    guard count > 0 else { return nil }
    let place = taken % places.count
    taken += 1
    count -= 1
    while !places.isDone(place) {
      guard let job = places.nextJobIfAny() else {
        places.wait(for: place)
        break
      }
      places.work(job, &ownWorker, perform)
    }
    return places.lift(place)
  }
}

extension WorkRing where Worker: ~Copyable {
  /// Submits all these slots, and passes each to `take` when the work on it is done, in their
  /// order.
  package mutating func run<Refusal: Error>(
    _ slots: some Sequence<Slot>, _ take: (Slot) throws(Refusal) -> Void
  ) throws(Refusal) {
    for slot in slots {
      if !hasRoom, let oldest = takeOldest() { try take(oldest) }
      give(slot)
    }
    while let oldest = takeOldest() { try take(oldest) }
  }
}

/// The shared state of a ring's threads: the places through which slots are passed.
///
/// Unchecked: a slot in a place belongs to the caller until it is submitted, then to one worker,
/// and to the caller again when the work is done. Semaphores ensure that two owners never use it
/// concurrently.
@safe
private final class RingPlaces<Slot: ~Copyable & Sendable>: @unchecked Sendable {
  let count: Int
  private let slots: UnsafeMutablePointer<Slot?>
  private let done: UnsafeMutablePointer<Semaphore>
  private let begun = Atomic<Int>(0)
  private let available = Semaphore()
  private let isStopping = Atomic<Bool>(false)

  init(count: Int) {
    self.count = count
    unsafe slots = .allocate(capacity: count)
    unsafe done = .allocate(capacity: count)
    for place in 0..<count {
      unsafe (slots + place).initialize(to: nil)
      unsafe (done + place).initialize(to: Semaphore())
    }
  }

  deinit {
    unsafe slots.deinitialize(count: count).deallocate()
    unsafe done.deinitialize(count: count).deallocate()
  }

  func put(_ slot: consuming Slot, at place: Int) { unsafe slots[place] = consume slot }

  func lift(_ place: Int) -> Slot? { unsafe slots[place].take() }

  func announce() { available.signal() }

  func markDone(_ place: Int) { unsafe done[place].signal() }

  func wait(for place: Int) { unsafe done[place].wait() }

  /// Returns whether the work on a place is done; after true, it must not be waited for.
  func isDone(_ place: Int) -> Bool { unsafe done[place].tryWait() }

  /// Does the work on a place.
  func work<Worker: ~Copyable>(
    _ place: Int, _ worker: inout Worker, _ perform: (inout Worker, inout Slot) -> Void
  ) {
    guard var slot = lift(place) else { return }
    perform(&worker, &slot)
    put(slot, at: place)
    markDone(place)
  }

  /// Returns the next place to work on; nil when the ring ends.
  func nextJob() -> Int? {
    available.wait()
    if isStopping.load(ordering: .relaxed) {
      // Wake the next waiting worker too.
      available.signal()
      return nil
    }
    return takeJob()
  }

  /// Returns the next place to work on without waiting; nil if there is none.
  func nextJobIfAny() -> Int? { available.tryWait() ? takeJob() : nil }

  private func takeJob() -> Int {
    // The signal for this job may have woken another worker, which then took an earlier job. So
    // the atomic operation makes the writes that one worker has seen visible to the other.
    begun.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue % count
  }

  /// Makes the workers end after their current slots; the other slots are unchanged.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    available.signal()
  }
}
