import BlockCodecs
import CCurl
package import SystemIO
import TerminalText

/// The known properties of a file before its download.
package struct ExpectedFile: Sendable {
  /// The size in bytes.
  package var size: UInt64?
  /// The SHA-256 digest.
  package var sha256: [UInt8]?
  /// The maximum size in bytes.
  package var limit: UInt64 = 1 << 42
  /// The time at which an incomplete download fails; nil: no limit.
  package var deadline: ContinuousClock.Instant?

  package init(size: UInt64? = nil, sha256: [UInt8]? = nil) {
    self.size = size
    self.sha256 = sha256
  }
}

/// The result of a download.
package struct Received: Sendable, Equatable {
  package let size: UInt64
  package let sha256: [UInt8]
  /// The strong `ETag` of the file, if the server sends one.
  package let validator: String?
  /// The digest of the complete file (`Repr-Digest`), as the text of the header field.
  package let statedDigest: String?
  /// The number of bytes received: less than the size if the download was resumed, more if it was
  /// restarted.
  package let transferred: UInt64
  /// The number of requests.
  package let requests: Int
}

/// The start of a file from an earlier download.
///
/// The bytes are in the file. The next bytes are appended if the server still has the same file.
package struct PartialContent: Sendable, Equatable {
  package var size: UInt64
  /// The strong `ETag` of the file.
  package var validator: String

  package init(size: UInt64, validator: String) {
    self.size = size
    self.validator = validator
  }
}

extension Transfers {
  /// Downloads into an open file, from its start or after the partial content in it.
  ///
  /// A lost connection is replaced, and the download resumes if the server confirms that it still
  /// has the same bytes (`If-Range`). Otherwise the download restarts: the file never mixes
  /// versions. After an error, the file contains the received bytes; the caller keeps or discards
  /// them.
  ///
  /// `noted` is called with the validator of the next bytes before they arrive.
  package func get(
    _ url: String, into file: borrowing FileDescriptor, after beginning: PartialContent? = nil,
    fields: [HeaderField] = [], expecting expectation: ExpectedFile = ExpectedFile(),
    noted: @escaping (String?) -> Void = { _ in },
    _ work: Work
  ) throws(Failure) -> Received {
    let address = try address(url, for: .download)
    let download = try Download(
      self, address, try file.duplicate(), fields, expectation, noted, work)
    if let beginning { try download.resume(after: beginning) }
    var isFirst = true
    do throws(Failure) {
      try run(until: expectation.deadline, work) { () throws(Failure) in
        defer { isFirst = false }
        return isFirst ? download : nil
      }
    } catch {
      download.stop()
      throw error.path.isEmpty ? error.withPath(address.shown) : error
    }
    return try download.finish()
  }

  /// Parses a URL; throws if it is not allowed.
  func address(_ text: String, for operation: Operation) throws(Failure) -> TransferAddress {
    let address = try TransferAddress(text, curl, for: operation)
    guard address.isSecure || options.allowsHTTP else {
      throw Failure(.transfer(operation, .badAddress("https is required")), address.shown)
    }
    return address
  }
}

/// A running download.
private final class Download: TransferTask, CurlCallbacks {
  let operation = Operation.download
  private let transfers: Transfers
  private let first: TransferAddress
  private let file: FileDescriptor
  private let fields: [HeaderField]
  private let expectation: ExpectedFile
  private let noted: (String?) -> Void
  private let work: Work

  private var address: TransferAddress
  private var redirects = 0
  private var digest: Digest?
  /// The number of bytes in the file and in the current piece.
  private var count: UInt64 = 0
  private var piece: ByteBuffer
  /// The validator of the received bytes.
  private var validator: String?
  private var size: UInt64?
  private var statedDigest: String?
  private var transferred: UInt64 = 0
  /// The largest number of bytes that was reported: a download that starts again reports no less.
  private var reported: UInt64 = 0
  private var requests = 0
  private var backoff: Backoff
  /// The largest number of received bytes from which a later request could resume.
  private var kept: UInt64 = 0
  private var changes = 0
  /// The offset of the first byte that the current request adds.
  private var start: UInt64 = 0
  /// Whether the body of the current response is used.
  private var usesBody = false
  /// Whether the server has another version than the received bytes.
  private var isOutdated = false
  private var wasReached = false
  /// Whether the file was complete before the request.
  private var isAlreadyComplete = false

  private static let pieceSize = 1 << 20
  private static let mostChanges = 3

  init(
    _ transfers: Transfers, _ address: TransferAddress, _ file: consuming FileDescriptor,
    _ fields: [HeaderField], _ expectation: ExpectedFile,
    _ noted: @escaping (String?) -> Void,
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

  /// Resumes after the partial content of the file.
  func resume(after beginning: PartialContent) throws(Failure) {
    var left = beginning.size
    while left > 0 {
      piece.removeAll()
      let place = beginning.size - left
      let count = try piece.append(upTo: Int(min(left, UInt64(Self.pieceSize)))) {
        (output) throws(Failure) in try file.read(into: &output, at: place)
      }
      // The file is shorter than recorded, so its content is unknown.
      guard count > 0 else { return try restart() }
      piece.withBytes { digest?.update($0) }
      left -= UInt64(count)
    }
    piece.removeAll()
    try file.truncate(to: beginning.size)
    try file.seek(to: beginning.size)
    count = beginning.size
    validator = beginning.validator
  }

  private func restart() throws(Failure) {
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
    usesBody = false
    if isOutdated || (validator == nil && count > 0) { try restart() }
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
    // Received bytes are kept even if no attempt is left.
    try flush()
    noteProgress()
    let head = request.head
    if isAlreadyComplete { return nil }
    if request.hasResponse, head.isRedirect { return try follow(request) }
    if isOutdated, code != CURLE_OK {
      changes += 1
      guard changes <= Self.mostChanges else { throw self.failure(.keepsChanging) }
      return .zero
    }
    if let failure = request.failure {
      throw failure.path.isEmpty ? failure.withPath(address.shown) : failure
    }
    var failure: Failure
    var isTransient: Bool
    var requested: Duration?
    if request.hasResponse, !usesBody {
      failure = self.failure(.status(head.status))
      isTransient = Transient.includes(status: head.status)
      requested = head.wait(transfers.curl, at: .now)
    } else if code == CURLE_OK, size == nil || count == size {
      return nil
    } else {
      let cause = code == CURLE_OK ? CURLE_PARTIAL_FILE : code
      failure = transfers.failure(
        of: request, cause, address, operation, received: count, expected: size)
      isTransient = Transient.includes(cause, wasReached: wasReached)
    }
    guard isTransient,
      let pause = transfers.pause(after: failure, of: request, &backoff, requested: requested)
    else {
      throw failure
    }
    return pause
  }

  /// Counts the request as a success if the next one can resume after enough new bytes.
  ///
  /// Bytes without a validator are discarded. If a server starts again at the first byte, only
  /// bytes above the earlier maximum are new.
  private func noteProgress() {
    guard validator != nil, !isOutdated, count > kept else { return }
    if count - kept >= transfers.options.progress { backoff.succeed() }
    kept = count
  }

  private func follow(_ request: CurlRequest) throws(Failure) -> Duration? {
    address = try transfers.target(of: request, from: address, &redirects, operation)
    return .zero
  }

  private func failure(_ error: TransferError) -> Failure {
    Failure(.transfer(operation, error), address.shown)
  }

  // MARK: Callbacks

  func begin(_ head: ResponseHead) throws(Failure) {
    switch head.status {
    case 206 where count > 0:
      // Another range, or a range of another version, cannot be appended.
      guard let range = head.range, range.start == count, size == nil || range.total == size,
        head.validator == nil || head.validator == validator
      else { return try outdated() }
      if let total = range.total { try expect(total) }
    case 200:
      if count > 0 { try restart() }
      start = 0
      validator = head.validator
      if let length = head.length { try expect(length) }
      noted(validator)
    case 416 where count > 0:
      // The server still has the same version; possibly all bytes were received.
      guard head.total == count else { return try outdated() }
      try expect(count)
    default: return
    }
    statedDigest = head.digest ?? statedDigest
    usesBody = head.status != 416
    isAlreadyComplete = head.status == 416
  }

  /// Ends the request, because the server has another version.
  private func outdated() throws(Failure) {
    isOutdated = true
    throw failure(.keepsChanging)
  }

  /// Records the size of the file.
  private func expect(_ total: UInt64) throws(Failure) {
    if let expected = expectation.size, total != expected {
      throw failure(.wrongSize(total, expected: expected))
    }
    guard total <= expectation.limit else { throw failure(.tooLarge(limit: expectation.limit)) }
    size = total
  }

  func receive(_ bytes: RawSpan) throws(Failure) {
    guard usesBody else { return }
    let sum = count + UInt64(bytes.byteCount)
    if let expected = expectation.size, sum > expected {
      throw failure(.wrongSize(sum, expected: expected))
    }
    guard sum <= expectation.limit else { throw failure(.tooLarge(limit: expectation.limit)) }
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
    work.report?(Work.Progress(done: reported, total: total))
  }

  /// Keeps the received bytes when the download is cancelled.
  func stop() { try? flush() }

  /// Writes the current piece.
  private func flush() throws(Failure) {
    guard piece.count > 0 else { return }
    try piece.withBytes { (bytes) throws(Failure) in
      digest?.update(bytes)
      try file.write(bytes)
    }
    piece.removeAll()
  }

  func supply(into output: inout OutputRawSpan) throws(Failure) {}

  func rewind(to place: UInt64) {}

  /// Compares the file with the expected size and digest.
  func finish() throws(Failure) -> Received {
    if let expected = expectation.size, count != expected {
      throw failure(.wrongSize(count, expected: expected))
    }
    let sha256 = digest.take()?.finish() ?? []
    if let expected = expectation.sha256, sha256 != expected {
      throw failure(.wrongDigest(hexadecimal(sha256), expected: hexadecimal(expected)))
    }
    report(of: count)
    return Received(
      size: count, sha256: sha256, validator: validator, statedDigest: statedDigest,
      transferred: transferred, requests: requests)
  }
}
