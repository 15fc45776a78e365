import BlockCodecs
import CCurl
package import SystemIO
import TerminalText

/// What is known of a file before it is downloaded.
package struct ExpectedFile: Sendable {
  /// How many bytes it has.
  package var size: UInt64?
  /// Its SHA-256.
  package var sha256: [UInt8]?
  /// How large it may be at most.
  package var limit: UInt64 = 1 << 42
  /// The time at which an incomplete download fails; nil: no limit.
  package var deadline: ContinuousClock.Instant?

  package init(size: UInt64? = nil, sha256: [UInt8]? = nil) {
    self.size = size
    self.sha256 = sha256
  }
}

/// What was downloaded.
package struct Received: Sendable, Equatable {
  package let size: UInt64
  package let sha256: [UInt8]
  /// The server's name for exactly these bytes, if it has one (a strong `ETag`).
  package let validator: String?
  /// The server's digest of the whole file (`Repr-Digest`), as the text of the header field.
  package let statedDigest: String?
  /// How many bytes came over the network: less than the size when it went on with what was there,
  /// more when it had to begin anew.
  package let transferred: UInt64
  /// How many requests it took.
  package let requests: Int
}

/// The beginning of a file that was downloaded before: its bytes are in the file, and what comes
/// next is put behind them if the server still has the same.
package struct Beginning: Sendable, Equatable {
  package var size: UInt64
  /// The server's name for the bytes that they are the beginning of.
  package var validator: String

  package init(size: UInt64, validator: String) {
    self.size = size
    self.validator = validator
  }
}

extension Transfers {
  /// Downloads a file; it appears under its name whole, or not at all.
  ///
  /// A connection that is cut is made again, and what came before is kept if the server can tell
  /// that it still has the same bytes (`If-Range`); otherwise everything comes anew, never a
  /// mixture.
  package func get(
    _ url: String, to path: String, replacing isReplacing: Bool = false,
    fields: [HeaderField] = [], expecting expectation: ExpectedFile = ExpectedFile(),
    _ work: Work
  ) throws(Failure) -> Received {
    let file = try AtomicFile(path, replacing: isReplacing)
    let received = try get(
      url, into: file.descriptor, fields: fields, expecting: expectation, work)
    try file.publish()
    return received
  }

  /// Downloads into an open file, from its start or behind the beginning that is in it.
  ///
  /// After a failure the file holds what had come, from its start; it is for the caller to keep it
  /// or throw it away. `noted` is told what the bytes that come next are the part of, before they
  /// come.
  package func get(
    _ url: String, into file: borrowing FileDescriptor, after beginning: Beginning? = nil,
    fields: [HeaderField] = [], expecting expectation: ExpectedFile = ExpectedFile(),
    noted: @escaping (Beginning?) throws(Failure) -> Void = { _ in },
    _ work: Work
  ) throws(Failure) -> Received {
    let address = try address(url, for: .download)
    let download = try Download(
      self, address, try file.duplicate(), fields, expectation, noted, work)
    if let beginning { try download.goOn(after: beginning) }
    var isFirst = true
    do throws(Failure) {
      try run(until: expectation.deadline, work) { () throws(Failure) in
        defer { isFirst = false }
        return isFirst ? download : nil
      }
    } catch {
      download.stop()
      throw error.path.isEmpty ? error.about(address.shown) : error
    }
    return try download.finish()
  }

  /// Splits an address, and refuses one that is not allowed.
  func address(_ text: String, for operation: Operation) throws(Failure) -> TransferAddress {
    let address = try TransferAddress(text, curl, for: operation)
    guard address.isSecure || options.allowsHTTP else {
      throw Failure(.transfer(operation, .badAddress("only https is allowed here")), address.shown)
    }
    return address
  }
}

/// A download under way.
private final class Download: Errand, RequestEvents {
  private let transfers: Transfers
  private let first: TransferAddress
  private let file: FileDescriptor
  private let fields: [HeaderField]
  private let expectation: ExpectedFile
  private let noted: (Beginning?) throws(Failure) -> Void
  private let work: Work

  private var address: TransferAddress
  private var redirects = 0
  private var digest: Digest?
  /// How many bytes are there, in the file and in the piece that is on its way to it.
  private var count: UInt64 = 0
  private var piece: ByteBuffer
  /// What the bytes that are there are a part of.
  private var validator: String?
  private var size: UInt64?
  private var statedDigest: String?
  private var transferred: UInt64 = 0
  /// The largest number of bytes that was reported: a download that starts again reports no less.
  private var reported: UInt64 = 0
  private var requests = 0
  private var backoff: Backoff
  /// The largest number of bytes after a request from which the next request could resume.
  private var kept: UInt64 = 0
  private var changes = 0
  /// Where the request that is under way began to bring something.
  private var start: UInt64 = 0
  /// Whether the body that comes now is what is wanted.
  private var isWanted = false
  /// Whether the bytes that are there are of no use for what the server has now.
  private var isOutdated = false
  private var wasReached = false
  /// Whether the server says that all of it had come before.
  private var isThere = false

  private static let pieceSize = 1 << 20
  private static let mostChanges = 3

  init(
    _ transfers: Transfers, _ address: TransferAddress, _ file: consuming FileDescriptor,
    _ fields: [HeaderField], _ expectation: ExpectedFile,
    _ noted: @escaping (Beginning?) throws(Failure) -> Void,
    _ work: Work
  ) throws(Failure) {
    self.transfers = transfers
    first = address
    self.address = address
    self.file = file
    self.fields = fields
    self.expectation = expectation
    self.noted = noted
    self.work = work
    backoff = transfers.options.backoff
    digest = try Digest(.sha256)
    piece = try ByteBuffer(capacity: Self.pieceSize)
  }

  /// Takes up what the file has already.
  func goOn(after beginning: Beginning) throws(Failure) {
    var left = beginning.size
    while left > 0 {
      piece.removeAll()
      let place = beginning.size - left
      let count = try piece.append(upTo: Int(min(left, UInt64(Self.pieceSize)))) {
        (output) throws(Failure) in try file.read(into: &output, at: place)
      }
      // Shorter than was noted: it is not what we left there.
      guard count > 0 else { return try beginAnew() }
      piece.withBytes { digest?.update($0) }
      left -= UInt64(count)
    }
    piece.removeAll()
    try file.truncate(to: beginning.size)
    try file.seek(to: beginning.size)
    count = beginning.size
    validator = beginning.validator
  }

  private func beginAnew() throws(Failure) {
    piece.removeAll()
    digest = try Digest(.sha256)
    count = 0
    size = nil
    statedDigest = nil
    validator = nil
    isOutdated = false
    try file.truncate(to: 0)
    try file.seek(to: 0)
  }

  // MARK: Requests

  func begin() throws(Failure) -> CurlRequest {
    requests += 1
    isWanted = false
    if isOutdated || (validator == nil && count > 0) { try beginAnew() }
    start = count
    let request = try transfers.request(address, self)
    var fields = fields
    // Another host does not get the fields for the first host.
    if !address.isSameHost(as: first) { fields = [] }
    if count > 0, let validator {
      fields.append(HeaderField("Range", "bytes=\(count)-"))
      fields.append(HeaderField("If-Range", validator))
    }
    try request.set(fields)
    return request
  }

  func end(_ request: CurlRequest, _ code: CURLcode) throws(Failure) -> Duration? {
    if request.wasConnected { wasReached = true }
    // What came is kept, also when the next attempt is the last one.
    try flush()
    noteProgress()
    let head = request.head
    if isThere { return nil }
    if request.isAnswered, head.isRedirect { return try follow(request) }
    if isOutdated, code != CURLE_OK {
      changes += 1
      guard changes <= Self.mostChanges else { throw fault(.keepsChanging) }
      return .zero
    }
    if let failure = request.failure {
      throw failure.path.isEmpty ? failure.about(address.shown) : failure
    }
    var failure: Failure
    var mayPass: Bool
    var asked: Duration?
    if request.isAnswered, !isWanted {
      failure = fault(.status(head.status))
      mayPass = Transient.includes(status: head.status)
      asked = head.wait(transfers.curl, at: .now)
    } else if code == CURLE_OK, size == nil || count == size {
      return nil
    } else {
      let cause = code == CURLE_OK ? CURLE_PARTIAL_FILE : code
      failure = transfers.failure(
        of: request, cause, address, .download, received: count, expected: size)
      mayPass = Transient.includes(cause, wasReached: wasReached)
    }
    guard mayPass,
      let pause = transfers.pause(after: failure, of: request, &backoff, requested: asked)
    else {
      throw failure
    }
    return pause
  }

  /// Resets the number of attempts if the next request can resume after enough new bytes.
  ///
  /// Bytes without a validator are discarded. If a server starts again at the first byte, only
  /// bytes above the earlier maximum are new.
  private func noteProgress() {
    guard validator != nil, !isOutdated, count > kept else { return }
    if count - kept >= transfers.options.progress { backoff.succeed() }
    kept = count
  }

  private func follow(_ request: CurlRequest) throws(Failure) -> Duration? {
    address = try transfers.target(of: request, from: address, &redirects, .download)
    return .zero
  }

  private func fault(_ fault: TransferFault) -> Failure {
    Failure(.transfer(.download, fault), address.shown)
  }

  // MARK: What comes

  func begin(_ head: AnswerHead) throws(Failure) {
    switch head.status {
    case 206 where count > 0:
      // A part of something else, or another part, is of no use.
      guard let range = head.range, range.start == count, size == nil || range.total == size,
        head.validator == nil || head.validator == validator
      else { return try outdated() }
      if let total = range.total { try expect(total) }
    case 200:
      if count > 0 { try beginAnew() }
      start = 0
      validator = head.validator
      if let length = head.length { try expect(length) }
      try noted(validator.map { Beginning(size: 0, validator: $0) })
    case 416 where count > 0:
      // The server has the same, or it would not speak of a part; perhaps nothing is missing.
      guard head.total == count else { return try outdated() }
      try expect(count)
    default: return
    }
    statedDigest = head.digest ?? statedDigest
    isWanted = head.status != 416
    isThere = head.status == 416
  }

  /// Ends the request: what is there does not fit to what the server has.
  private func outdated() throws(Failure) {
    isOutdated = true
    throw fault(.keepsChanging)
  }

  /// Takes note of how large it is.
  private func expect(_ total: UInt64) throws(Failure) {
    if let expected = expectation.size, total != expected {
      throw fault(.wrongSize(total, expected: expected))
    }
    guard total <= expectation.limit else { throw fault(.tooLarge(limit: expectation.limit)) }
    size = total
  }

  func receive(_ bytes: RawSpan) throws(Failure) {
    guard isWanted else { return }
    let sum = count + UInt64(bytes.byteCount)
    if let expected = expectation.size, sum > expected {
      throw fault(.wrongSize(sum, expected: expected))
    }
    guard sum <= expectation.limit else { throw fault(.tooLarge(limit: expectation.limit)) }
    var done = 0
    while done < bytes.byteCount {
      done += piece.append(bytes.extracting(done..<bytes.byteCount))
      if piece.freeCapacity == 0 { try flush() }
    }
    count = sum
    transferred += UInt64(bytes.byteCount)
    report(of: size ?? expectation.size)
  }

  private func report(of total: UInt64?) {
    reported = max(reported, count)
    work.report?(Progress(done: reported, total: total))
  }

  /// Ends early: what has come is for whoever goes on.
  func stop() { try? flush() }

  /// Writes what is collected.
  private func flush() throws(Failure) {
    guard piece.count > 0 else { return }
    try piece.withBytes { (bytes) throws(Failure) in
      digest?.update(bytes)
      try file.write(bytes)
    }
    piece.removeAll()
  }

  func give(into output: inout OutputRawSpan) throws(Failure) {}

  func rewind(to place: UInt64) {}

  /// Compares what has come with what was to come.
  func finish() throws(Failure) -> Received {
    if let expected = expectation.size, count != expected {
      throw fault(.wrongSize(count, expected: expected))
    }
    let sha256 = digest.take()?.finish() ?? []
    if let expected = expectation.sha256, sha256 != expected {
      throw fault(.wrongDigest(hexadecimal(sha256), expected: hexadecimal(expected)))
    }
    report(of: count)
    return Received(
      size: count, sha256: sha256, validator: validator, statedDigest: statedDigest,
      transferred: transferred, requests: requests)
  }
}
