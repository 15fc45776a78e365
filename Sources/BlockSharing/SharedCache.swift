package import AssetArchive
import BAPackKit
package import SystemIO
import Transfers

/// Blocks on a server that many machines share, over HTTP: looked up by the threads that would encode
/// them, and sent there by threads of its own, for the whole of a run.
///
/// It bears with any server. What comes is proved before it is used, and the waits of a run together
/// are limited by a ``WaitingBudget``; who is refused, or fails again and again, asks no more.
///
/// Memory: a connection and an answer for each thread that asks, `outgoingLimit` of entries on their
/// way, and four connections for these.
package final class SharedCache: SharedBlocks, @unchecked Sendable {
  /// How a server is used.
  package struct Options: Sendable {
    package var access = CacheAccess.none
    /// Certificates in PEM form that are trusted besides those of the system.
    package var roots: [[UInt8]] = []
    /// Whether nothing is sent there.
    package var isReadOnly = false
    /// How many blocks are encoded at once.
    package var threads = 1
    /// How much time a run may lose, waiting for the server.
    package var patience: Duration = .seconds(2)

    package init() {}
  }

  /// What became of a run's questions.
  package struct Report: Sendable, Equatable {
    /// The blocks that the server had.
    package var found = 0
    /// Those that it did not have, or not in time.
    package var missed = 0
    /// Those that nobody asked it about, because it was too slow or refused.
    package var unasked = 0
    /// What it had under the name of a block, and was something else.
    package var wrong = 0
    /// The blocks that were sent there.
    package var added = 0
    /// Those that should have been.
    package var unsent = 0
    /// What went wrong first, in words.
    package var trouble: String?
  }

  package let address: CacheAddress
  private let options: Options
  private let transferOptions: Transfers.Options
  /// Ends what is under way when a run is over.
  private let end: Alarm
  /// Rings when something was sent.
  private let progress: Bell
  private let offers = Semaphore()

  private let lock = Lock()
  // All that follows is guarded by the lock.
  private var budget: WaitingBudget
  private var report = Report()
  private var idle: [Transfers] = []
  private var asks = true
  private var adds: Bool
  private var faults = 0
  private var outgoing: [Outgoing] = []
  private var outgoingBytes = 0
  private var underWay = 0
  private var isOver = false
  private var senders: WorkerThreads?

  private struct Outgoing {
    let key: BlockKey
    let bytes: [UInt8]
  }

  private static let outgoingLimit = 64 << 20
  private static let senderCount = 4
  /// So many faults are borne with.
  private static let mostFaults = 8
  /// How long sending one entry may take: nobody waits for it.
  private static let sendingTime: Duration = .seconds(10)

  /// Opens libcurl; where it is missing, the failure says so.
  package init(_ address: CacheAddress, _ options: Options = Options()) throws(Failure) {
    let end = try Alarm()
    progress = try Bell()
    var transfers = Transfers.Options()
    transfers.allowsHTTP = !address.address.isSecure
    transfers.roots = options.roots
    transfers.backoff.attempts = 1
    idle = [try Transfers(transfers)]
    self.address = address
    self.options = options
    transferOptions = transfers
    self.end = end
    budget = WaitingBudget(limit: options.patience, threads: options.threads)
    adds = !options.isReadOnly
  }
}

// MARK: - Asking

extension SharedCache {
  private enum Reply {
    case entry([UInt8])
    case nothing
    case fault(String, isFinal: Bool)
    /// We stopped.
    case ended
  }

  package func find(
    _ key: BlockKey, ofSize size: Int, into encoded: inout ByteBuffer, _ work: Work,
    _ isRight: (BlockForm, RawSpan) -> Bool
  ) -> BlockForm? {
    let begun = lock.with { () -> WaitingBudget.Wait? in
      let now = ContinuousClock.now
      guard asks, budget.left(at: now) > .zero else {
        report.unasked += 1
        return nil
      }
      let wait = budget.begin(at: now)
      if wait == nil { report.missed += 1 }
      return wait
    }
    guard let wait = begun else { return nil }
    let reply = ask(key, upTo: size, until: wait.deadline, work)
    let answered = ContinuousClock.now
    guard case .entry(let bytes) = reply else {
      lock.with {
        budget.end(wait, at: answered)
        report.missed += 1
        if case .fault(let words, let isFinal) = reply { note(words, isFinal: isFinal) }
      }
      return nil
    }
    let entry = SharedEntry(bytes, for: key, secret: options.access.secret)
    let form = bytes.withRawSpan { bytes -> BlockForm? in
      guard let entry else { return nil }
      let payload = bytes.extracting(entry.payload)
      guard isRight(entry.form, payload), encoded.append(payload) == payload.byteCount else {
        return nil
      }
      return entry.form
    }
    let proved = ContinuousClock.now
    lock.with {
      if form == nil {
        budget.end(wait, at: answered)
        report.missed += 1
        report.wrong += 1
      } else {
        budget.end(wait, at: answered, provedIn: proved - answered)
        report.found += 1
      }
    }
    return form
  }

  private func ask(
    _ key: BlockKey, upTo size: Int, until deadline: ContinuousClock.Instant, _ work: Work
  ) -> Reply {
    do throws(Failure) {
      var question = Exchange(
        "GET", address.url(try SharedEntry.name(of: key)), fields: options.access.fields)
      question.answerLimit = size + SharedEntry.overhead
      question.leavesRateLimits = true
      question.deadline = deadline
      let answer = try withTransfers { (transfers) throws(Failure) in
        try transfers.exchange(question, work)
      }
      switch answer.status {
      case 200: return .entry(answer.body)
      case 404, 410: return .nothing
      default: return fault(answer)
      }
    } catch {
      return fault(error)
    }
  }

  private func fault(_ answer: HTTPResponse) -> Reply {
    let words = TransferFault.status(answer.status).description
    let isTransient = Transient.includes(status: answer.status, forCache: true)
    return .fault(words, isFinal: !isTransient)
  }

  private func fault(_ failure: Failure) -> Reply {
    switch failure.kind {
    case .interrupted: .ended
    case .timedOut: .fault("it did not answer in time", isFinal: false)
    // A connection that ended, an answer that is none or is too large.
    case .transfer(_, .cutOff), .transfer(_, .noAnswer), .transfer(_, .tooLarge),
      .transfer(_, .headerTooLarge):
      .fault(failure.reason, isFinal: false)
    case .transfer: .fault(failure.reason, isFinal: true)
    default: .fault(failure.description, isFinal: true)
    }
  }

  /// Notes what went wrong; whoever has the lock calls it.
  private func note(_ words: String, isFinal: Bool) {
    faults += 1
    if report.trouble == nil { report.trouble = words }
    guard isFinal || faults >= Self.mostFaults else { return }
    asks = false
    adds = false
  }

  /// Lends connections that nobody else has meanwhile.
  private func withTransfers<Success>(
    _ body: (Transfers) throws(Failure) -> Success
  ) throws(Failure) -> Success {
    let transfers: Transfers
    if let kept = lock.with({ idle.popLast() }) {
      transfers = kept
    } else {
      transfers = try Transfers(transferOptions)
    }
    defer { lock.with { idle.append(transfers) } }
    return try body(transfers)
  }
}

// MARK: - Sending

extension SharedCache {
  package func offer(
    _ key: BlockKey, _ form: BlockForm, _ encoded: RawSpan, after time: Duration
  ) {
    let isWanted = lock.with { () -> Bool in
      budget.note(encodedIn: time)
      guard !options.isReadOnly else { return false }
      guard adds, outgoingBytes + encoded.byteCount <= Self.outgoingLimit else {
        report.unsent += 1
        return false
      }
      outgoingBytes += encoded.byteCount
      return true
    }
    guard isWanted else { return }
    let entry = try? SharedEntry.bytes(key, form, encoded, secret: options.access.secret)
    lock.with {
      outgoingBytes += (entry?.count ?? 0) - encoded.byteCount
      guard let entry, startSenders() else {
        outgoingBytes -= entry?.count ?? 0
        report.unsent += 1
        return
      }
      outgoing.append(Outgoing(key: key, bytes: entry))
    }
    offers.signal()
  }

  /// Starts the threads that send, once; whoever has the lock calls it.
  private func startSenders() -> Bool {
    if isOver { return false }
    if senders != nil { return true }
    senders = try? WorkerThreads(Self.senderCount, stop: {}) { [self] in deliver() }
    return senders != nil
  }

  /// Sends one entry after the other until the run is over.
  private func deliver() {
    while true {
      offers.wait()
      let next = lock.with { () -> Outgoing? in
        guard !isOver, !outgoing.isEmpty else { return nil }
        underWay += 1
        return outgoing.removeFirst()
      }
      guard let next else {
        if lock.with({ isOver }) { return }
        continue
      }
      let reply = put(next)
      lock.with {
        underWay -= 1
        outgoingBytes -= next.bytes.count
        switch reply {
        case nil: report.added += 1
        case .fault(let words, let isFinal):
          report.unsent += 1
          refuse(words, isFinal: isFinal)
        default: report.unsent += 1
        }
      }
      progress.ring()
    }
  }

  /// Notes that an entry was not taken; whoever has the lock calls it.
  ///
  /// A server may be there for reading alone: it is asked further on.
  private func refuse(_ words: String, isFinal: Bool) {
    faults += 1
    if report.trouble == nil { report.trouble = "it did not take a block: \(words)" }
    guard isFinal || faults >= Self.mostFaults else { return }
    adds = false
    report.unsent += outgoing.count
    outgoingBytes -= outgoing.reduce(0) { $0 + $1.bytes.count }
    outgoing = []
  }

  /// Brings an entry to the server; nil when it has it.
  private func put(_ entry: Outgoing) -> Reply? {
    do throws(Failure) {
      var request = Exchange(
        "PUT", address.url(try SharedEntry.name(of: entry.key)),
        fields: options.access.fields + [HeaderField("Content-Type", "application/octet-stream")],
        body: .bytes(entry.bytes))
      request.leavesRateLimits = true
      request.deadline = .now + Self.sendingTime
      let answer = try withTransfers { (transfers) throws(Failure) in
        try transfers.exchange(request, Work(until: end))
      }
      return answer.isSuccess ? nil : fault(answer)
    } catch {
      return fault(error)
    }
  }

  /// Ends the run: waits, as long as it still may, until everything is sent, and says what was done.
  ///
  /// Without it the threads that send would go on.
  @discardableResult
  package func finish(waiting: Bool = true, _ work: Work) -> Report {
    let now = ContinuousClock.now
    let deadline = now + (waiting ? lock.with { budget.left(at: now) } : .zero)
    while lock.with({ underWay > 0 || !outgoing.isEmpty }) {
      guard (try? progress.wait(until: deadline, "", work)) == true else { break }
    }
    var ending: WorkerThreads?
    lock.with {
      isOver = true
      asks = false
      adds = false
      report.unsent += outgoing.count
      outgoing = []
      ending = senders.take()
    }
    end.ring()
    for _ in 0..<Self.senderCount { offers.signal() }
    // Waits for the threads.
    _ = ending.take()
    return lock.with { report }
  }
}
