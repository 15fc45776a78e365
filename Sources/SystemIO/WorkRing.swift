import Glibc
import Synchronization

/// Work done in parallel and taken in the order in which it was given.
///
/// The caller's thread fills slots and takes them back; worker threads do the work between. A slot
/// is always taken back in the order of filling, so order needs no numbers: the caller fills the
/// next free slot and posts it, and when none is free it waits for the oldest, takes what is in it,
/// and uses it again. Memory is the slots, allocated once, and one `Worker` a thread: the value
/// that a thread makes for itself and that the work may change. What goes wrong is left in the slot.
///
/// With one thread there are no others: ``post()`` does the work at once, on the caller's.
@safe
package struct WorkRing<Slot: ~Copyable & Sendable, Worker: ~Copyable>: ~Copyable {
  private let slots: RingSlots<Slot>
  private let perform: @Sendable (inout Worker, inout Slot) -> Void
  // They stop when this value ends. The ring has no `deinit` of its own for it: on Swift 6.3 an
  // optimised build leaves that out where a generic value that cannot be copied is consumed in parts.
  private var threads: WorkerThreads?
  private var inlineWorker: Worker?
  /// How many slots were posted, and how many of those were taken back.
  private var posted = 0
  private var taken = 0
  /// Whether the caller has waited for the oldest slot already.
  private var isOldestDone = false

  /// Makes a ring of `window` slots served by `threads` threads.
  package init(
    window: Int, threads count: Int, makeSlot: () throws(SystemError) -> Slot,
    makeWorker: @escaping @Sendable () -> Worker,
    perform: @escaping @Sendable (inout Worker, inout Slot) -> Void
  ) throws(SystemError) {
    precondition(window > 0 && count > 0)
    let slots = try RingSlots(count: window, makeSlot)
    var threads: WorkerThreads?
    if count > 1 {
      threads = try WorkerThreads(count, stop: { slots.stop() }) {
        var worker = makeWorker()
        while let index = slots.nextJob() {
          perform(&worker, &slots[index])
          slots.markDone(index)
        }
      }
    }
    self.slots = slots
    self.perform = perform
    self.threads = threads.take()
    inlineWorker = count > 1 ? nil : makeWorker()
  }

  /// Whether there is a slot to fill.
  package var hasFreeSlot: Bool { posted - taken < slots.count }

  /// Whether nothing is under way or waiting to be taken.
  package var isEmpty: Bool { posted == taken }

  /// The next free slot; there must be one.
  package var free: Slot {
    _read { yield slots[posted % slots.count] }
    _modify { yield &slots[posted % slots.count] }
  }

  /// Hands the free slot to the workers.
  package mutating func post() {
    let index = posted % slots.count
    posted += 1
    guard var worker = inlineWorker.take() else { return slots.give(index) }
    perform(&worker, &slots[index])
    inlineWorker = consume worker
    slots.markDone(index)
  }

  /// Waits until the work on the oldest slot is done; there must be one.
  package mutating func waitForOldest() {
    guard !isOldestDone else { return }
    slots.wait(for: taken % slots.count)
    isOldestDone = true
  }

  /// The oldest slot, whose work is done.
  package var oldest: Slot {
    _read { yield slots[taken % slots.count] }
    _modify { yield &slots[taken % slots.count] }
  }

  /// Makes the oldest slot free again.
  package mutating func releaseOldest() {
    waitForOldest()
    isOldestDone = false
    taken += 1
  }
}

/// What the threads of a ring share: the slots, and who may touch which.
///
/// A slot belongs to the caller until it is given, then to the one worker that got its index, and to
/// the caller again once it is done; the semaphores order what they do to it.
@safe
private final class RingSlots<Slot: ~Copyable & Sendable>: @unchecked Sendable {
  let count: Int
  private let slots: UnsafeMutablePointer<Slot>
  private let done: UnsafeMutablePointer<Semaphore>
  /// The indices given to the workers, in order; never more than there are slots.
  private let jobs: UnsafeMutablePointer<Int>
  private var given = 0
  private let begun = Atomic<Int>(0)
  private let available = Semaphore()
  private let isStopping = Atomic<Bool>(false)

  init(count: Int, _ makeSlot: () throws(SystemError) -> Slot) throws(SystemError) {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
    var made = 0
    do throws(SystemError) {
      while made < count {
        unsafe (slots + made).initialize(to: try makeSlot())
        made += 1
      }
    } catch {
      unsafe slots.deinitialize(count: made).deallocate()
      throw error
    }
    unsafe done = .allocate(capacity: count)
    unsafe jobs = .allocate(capacity: count)
    for index in 0..<count {
      unsafe (done + index).initialize(to: Semaphore())
      unsafe (jobs + index).initialize(to: 0)
    }
    self.count = count
    unsafe self.slots = slots
  }

  deinit {
    unsafe slots.deinitialize(count: count).deallocate()
    unsafe done.deinitialize(count: count).deallocate()
    unsafe jobs.deallocate()
  }

  subscript(index: Int) -> Slot {
    _read { yield unsafe slots[index] }
    _modify { yield unsafe &slots[index] }
  }

  func give(_ index: Int) {
    unsafe jobs[given % count] = index
    given += 1
    available.signal()
  }

  func markDone(_ index: Int) { unsafe done[index].signal() }

  func wait(for index: Int) { unsafe done[index].wait() }

  /// The next index to work on; nil when there will be none.
  func nextJob() -> Int? {
    available.wait()
    if isStopping.load(ordering: .relaxed) {
      // The next one that waits shall hear of it too.
      available.signal()
      return nil
    }
    // Whoever was signalled for this job may have taken the one before: what they know of both goes
    // from one to the next with the number.
    let number = begun.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
    return unsafe jobs[number % count]
  }

  /// Ends the workers after what they are doing; what was given and not begun stays undone.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    available.signal()
  }
}
