package import AssetArchive
import BAPackKit
package import SystemIO
import Transfers

/// A cache of blocks on a server that several computers share, over HTTP.
///
/// The encoding threads look up blocks, and other threads send new blocks during a run.
///
/// The server is not trusted. Received blocks are verified before use, and a ``WaitingBudget``
/// limits the total waiting time of a run. After a rejection or several failures, no further
/// requests are sent.
///
/// Memory: one connection and response for each encoding thread, `outgoingLimit` bytes of entries
/// to send, and four connections to send them.
package final class SharedCache: SharedBlocks {
  package struct Options: Sendable {
    package var access = CacheAccess.none
    /// Additional trusted certificates in PEM format.
    package var roots: [[UInt8]] = []
    /// Whether no blocks are sent.
    package var isReadOnly = false
    /// The number of blocks that are encoded in parallel.
    package var threads = 1
    /// The maximum time that a run loses by waiting for the server.
    package var patience: Duration = Self.standardPatience

    /// The default patience.
    ///
    /// Tests increase it, because a busy machine delays responses.
    @TaskLocal package static var standardPatience: Duration = .seconds(2)

    package init() {}
  }

  /// The results of a run's requests.
  package struct Report: Sendable, Equatable {
    /// The number of blocks that the server had.
    package var found = 0
    /// The number of blocks that the server did not have, or did not return in time.
    package var missed = 0
    /// The number of blocks for which no request was sent, because the server was too slow or
    /// rejected requests.
    package var unasked = 0
    /// The number of responses with other data than the block.
    package var wrong = 0
    /// The number of blocks that were sent to the server.
    package var added = 0
    /// The number of blocks that could not be sent.
    package var unsent = 0
    /// A description of the first failure.
    package var trouble: String?
  }

  package let address: CacheAddress
  private let options: Options
  private let transfers: Pool<Transfers>
  /// Cancels requests in progress at the end of a run.
  private let end: Alarm
  /// Rings after an entry was sent.
  private let progress: Bell
  private let offers = Semaphore()

  private let state: Guarded<State>
  /// The threads that send entries; nil until the first entry.
  private let senders = InTurn<WorkerThreads?>(nil)

  private struct State {
    var budget: WaitingBudget
    var report = Report()
    var sendsRequests = true
    var sendsBlocks: Bool
    var faults = 0
    var outgoing: [Outgoing] = []
    var outgoingBytes = 0
    var inProgress = 0
    var isOver = false

    /// Records a failure.
    mutating func note(_ phrase: String, isFinal: Bool) {
      faults += 1
      if report.trouble == nil { report.trouble = phrase }
      guard isFinal || faults >= SharedCache.faultLimit else { return }
      sendsRequests = false
      sendsBlocks = false
    }

    /// Records that an entry was rejected.
    ///
    /// The server may be read-only, so requests continue.
    mutating func noteRejection(_ phrase: String, isFinal: Bool) {
      faults += 1
      if report.trouble == nil { report.trouble = "it rejected a block: \(phrase)" }
      guard isFinal || faults >= SharedCache.faultLimit else { return }
      sendsBlocks = false
      report.unsent += outgoing.count
      outgoingBytes -= outgoing.reduce(0) { $0 + $1.bytes.count }
      outgoing = []
    }
  }

  private struct Outgoing {
    let key: BlockKey
    let bytes: [UInt8]
  }

  private static let outgoingLimit = 64 << 20
  private static let senderCount = 4
  /// The number of failures after which no more requests are sent.
  private static let faultLimit = 8
  /// The timeout for sending one entry.
  private static let sendingTime: Duration = .seconds(10)

  /// Opens libcurl; throws if it is missing.
  package init(_ address: CacheAddress, _ options: Options = Options()) throws(Failure) {
    let end = try Alarm()
    progress = try Bell()
    var transfers = Transfers.Options()
    transfers.allowsHTTP = !address.address.isSecure
    transfers.roots = options.roots
    transfers.backoff.attempts = 1
    self.transfers = Pool { [transfers] () throws(Failure) in try Transfers(transfers) }
    try self.transfers.with { _ throws(Failure) in }
    self.address = address
    self.options = options
    self.end = end
    state = Guarded(
      State(
        budget: WaitingBudget(limit: options.patience, threads: options.threads),
        sendsBlocks: !options.isReadOnly))
  }
}

// MARK: - Requests

extension SharedCache {
  private enum Reply {
    case entry([UInt8])
    case nothing
    case fault(String, isFinal: Bool)
    /// The run was cancelled.
    case ended
  }

  package func find(
    _ key: BlockKey, ofSize size: Int, into encoded: inout ByteBuffer, _ work: Work,
    _ isRight: (BlockEncoding, RawSpan) -> Bool
  ) -> BlockEncoding? {
    let now = ContinuousClock.now
    let begun = state.with { state -> WaitingBudget.Wait? in
      guard state.sendsRequests, state.budget.left(at: now) > .zero else {
        state.report.unasked += 1
        return nil
      }
      let wait = state.budget.begin(at: now)
      if wait == nil { state.report.missed += 1 }
      return wait
    }
    guard let wait = begun else { return nil }
    let reply = request(key, upTo: size, until: wait.deadline, work)
    let responded = ContinuousClock.now
    guard case .entry(let bytes) = reply else {
      state.with { state in
        state.budget.end(wait, at: responded)
        state.report.missed += 1
        if case .fault(let phrase, let isFinal) = reply { state.note(phrase, isFinal: isFinal) }
      }
      return nil
    }
    let entry = SharedEntry(bytes, for: key, secret: options.access.secret)
    let form = bytes.withRawSpan { bytes -> BlockEncoding? in
      guard let entry else { return nil }
      let payload = bytes.extracting(entry.payload)
      guard isRight(entry.form, payload), encoded.append(payload) == payload.byteCount else {
        return nil
      }
      return entry.form
    }
    let proved = ContinuousClock.now
    state.with { state in
      if form == nil {
        state.budget.end(wait, at: responded)
        state.report.missed += 1
        state.report.wrong += 1
      } else {
        state.budget.end(wait, at: responded, provedIn: proved - responded)
        state.report.found += 1
      }
    }
    return form
  }

  private func request(
    _ key: BlockKey, upTo size: Int, until deadline: ContinuousClock.Instant, _ work: Work
  ) -> Reply {
    do throws(Failure) {
      var request = Exchange(
        "GET", address.url(try SharedEntry.name(of: key)), fields: options.access.fields)
      request.responseLimit = size + SharedEntry.overhead
      request.leavesRateLimits = true
      request.deadline = deadline
      let response = try transfers.with { (transfers) throws(Failure) in
        try transfers.exchange(request, work)
      }
      switch response.status {
      case 200: return .entry(response.body)
      case 404, 410: return .nothing
      default: return fault(response)
      }
    } catch {
      return fault(error)
    }
  }

  private func fault(_ response: HTTPResponse) -> Reply {
    let phrase = TransferError.status(response.status).description
    let isTransient = Transient.includes(status: response.status, forCache: true)
    return .fault(phrase, isFinal: !isTransient)
  }

  private func fault(_ failure: Failure) -> Reply {
    switch failure.transferError {
    // A closed connection, or a response that is invalid or too large.
    case .cutOff, .notHTTP, .tooLarge, .headerTooLarge:
      return .fault(failure.reason, isFinal: false)
    case .some: return .fault(failure.reason, isFinal: true)
    case nil: break
    }
    return switch failure.kind {
    case .interrupted: .ended
    case .timedOut: .fault("the request timed out", isFinal: false)
    default: .fault(failure.description, isFinal: true)
    }
  }
}

// MARK: - Sending

extension SharedCache {
  package func offer(
    _ key: BlockKey, _ form: BlockEncoding, _ encoded: RawSpan, after time: Duration
  ) {
    let size = encoded.byteCount
    let isAccepted = state.with { state in
      state.budget.note(encodedIn: time)
      guard !options.isReadOnly else { return false }
      guard state.sendsBlocks, state.outgoingBytes + size <= Self.outgoingLimit else {
        state.report.unsent += 1
        return false
      }
      state.outgoingBytes += size
      return true
    }
    guard isAccepted else { return }
    let entry = try? SharedEntry.bytes(key, form, encoded, secret: options.access.secret)
    let isSent = entry != nil && startSenders()
    state.with { state in
      state.outgoingBytes -= size
      // The run may have ended since.
      guard let entry, isSent, !state.isOver else {
        state.report.unsent += 1
        return
      }
      state.outgoingBytes += entry.count
      state.outgoing.append(Outgoing(key: key, bytes: entry))
    }
    offers.signal()
  }

  /// Starts the sending threads, once; returns false if there are none.
  private func startSenders() -> Bool {
    senders.with { senders in
      if state.with({ $0.isOver }) { return false }
      if senders == nil {
        senders = try? WorkerThreads(Self.senderCount, stop: {}) { [self] in deliver() }
      }
      return senders != nil
    }
  }

  /// Sends one entry after the other until the run ends.
  private func deliver() {
    while true {
      offers.wait()
      let next = state.with { state -> Outgoing? in
        guard !state.isOver, !state.outgoing.isEmpty else { return nil }
        state.inProgress += 1
        return state.outgoing.removeFirst()
      }
      guard let next else {
        if state.with({ $0.isOver }) { return }
        continue
      }
      let reply = put(next)
      state.with { state in
        state.inProgress -= 1
        state.outgoingBytes -= next.bytes.count
        switch reply {
        case nil: state.report.added += 1
        case .fault(let phrase, let isFinal):
          state.report.unsent += 1
          state.noteRejection(phrase, isFinal: isFinal)
        case .entry, .nothing, .ended: state.report.unsent += 1
        }
      }
      progress.ring()
    }
  }

  /// Sends an entry to the server; returns nil on success.
  private func put(_ entry: Outgoing) -> Reply? {
    do throws(Failure) {
      var request = Exchange(
        "PUT", address.url(try SharedEntry.name(of: entry.key)),
        fields: options.access.fields + [HeaderField("Content-Type", "application/octet-stream")],
        body: .bytes(entry.bytes))
      request.leavesRateLimits = true
      request.deadline = .now + Self.sendingTime
      let response = try transfers.with { (transfers) throws(Failure) in
        try transfers.exchange(request, Work(until: end))
      }
      return response.isSuccess ? nil : fault(response)
    } catch {
      return fault(error)
    }
  }

  /// Ends the run: waits for the entries to be sent within the waiting budget, and returns the
  /// results.
  ///
  /// The sending threads run until this call.
  @discardableResult
  package func finish(waiting: Bool = true, _ work: Work) -> Report {
    let now = ContinuousClock.now
    let deadline = now + (waiting ? state.with { $0.budget.left(at: now) } : .zero)
    while state.with({ $0.inProgress > 0 || !$0.outgoing.isEmpty }) {
      guard (try? progress.wait(until: deadline, "", work)) == true else { break }
    }
    state.with { state in
      state.isOver = true
      state.sendsRequests = false
      state.sendsBlocks = false
      state.report.unsent += state.outgoing.count
      state.outgoing = []
    }
    end.ring()
    for _ in 0..<Self.senderCount { offers.signal() }
    // Waits for the threads.
    senders.with { $0 = nil }
    return state.with { $0.report }
  }
}
