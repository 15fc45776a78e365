import BlockCodecs
import CCurl
package import SystemIO

/// A request with a short response: a call of an interface, or an upload.
///
/// Its URL and its body can be secret, so descriptions omit them.
package struct Exchange: Sendable, CustomStringConvertible, CustomReflectable {
  package var method: String
  package var url: String
  package var fields: [HeaderField]
  package var body: Body
  /// The maximum size of a response in bytes.
  package var responseLimit = 4 << 20
  /// Whether the server may receive the request twice.
  ///
  /// Otherwise it is repeated only if the server reports that it did nothing. After a lost
  /// response, the caller has to query the result.
  package var isRepeatable: Bool
  /// Whether the caller handles rate limits (status 429).
  package var leavesRateLimits = false
  /// Whether redirects of a request without a body are followed.
  ///
  /// Otherwise the redirect is the response.
  package var followsRedirects = false
  /// Whether the request is sent only once.
  ///
  /// The caller gets every response and every failure.
  package var isTriedOnce = false
  /// The time limit of the response; of several simultaneous requests, the earliest one applies.
  package var deadline: ContinuousClock.Instant?

  package enum Body: Sendable {
    case none
    case bytes([UInt8])
    case part(UploadFile, Range<UInt64>)

    var size: UInt64 {
      switch self {
      case .none: 0
      case .bytes(let bytes): UInt64(bytes.count)
      case .part(_, let range): range.upperBound - range.lowerBound
      }
    }
  }

  package init(
    _ method: String, _ url: String, fields: [HeaderField] = [], body: Body = .none,
    isRepeatable: Bool? = nil
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
    self.isRepeatable = isRepeatable ?? !["POST", "PATCH"].contains(method)
  }

  /// Creates a request with a JSON body.
  package init(_ method: String, _ url: String, fields: [HeaderField] = [], json: [UInt8]) {
    self.init(
      method, url, fields: fields + [HeaderField("Content-Type", "application/json")],
      body: .bytes(json))
  }

  package var description: String { "\(method) with \(body.size) bytes" }
  package var customMirror: Mirror { Mirror(self, children: ["method": method]) }

  var operation: Operation { if case .part = body { .upload } else { .ask } }
}

/// An open file, or bytes, of which several uploads can read parts at the same time.
package final class UploadFile: Sendable {
  /// The file; nil for bytes in memory.
  private let file: FileDescriptor?
  /// The status of the file when it was opened.
  private let status: FileStatus?
  private let bytes: [UInt8]
  package let path: String

  package init(_ path: String) throws(Failure) {
    let file = try FileDescriptor.open(path, for: .reading)
    let status = try file.status()
    guard status.kind == .file else { throw Failure(.read, path, code: Self.notRegular) }
    self.status = status
    self.file = consume file
    self.path = path
    bytes = []
  }

  /// Creates a file in memory; `name` is its name in messages.
  package init(_ bytes: [UInt8], named name: String) {
    file = nil
    status = nil
    self.bytes = bytes
    path = name
  }

  /// The error code for files without random access (`ESPIPE`).
  private static let notRegular: Int32 = 29

  /// Whether the system shows no change since the file was opened.
  ///
  /// Users can set the time of the last write, but not that of the last change. Writes through a
  /// memory mapping, and two writes within the resolution of the clock, may show no change. Only
  /// digests detect these.
  package func isUnchanged() throws(Failure) -> Bool {
    guard let status, let now = try file?.status() else { return true }
    return now.isSameFile(as: status)
  }

  package func isFile(with status: FileStatus, size: UInt64) -> Bool {
    self.status.map { $0.isSameFile(as: status) && $0.size == size } ?? false
  }

  /// The digests of a file and of its parts, from one read of the file.
  package struct Sums: Sendable, Equatable {
    package let sha256: [UInt8]
    package let md5: [UInt8]
    package let size: UInt64
    /// The MD5 of each part, in the order in which the parts were given.
    package let parts: [[UInt8]]
  }

  /// Reads the whole file once.
  ///
  /// The parts must cover it without gaps, and must not overlap.
  package func sums(of parts: [Range<UInt64>], _ work: Work) throws(Failure) -> Sums {
    var sha256 = try Digest(.sha256)
    var md5 = try Digest(.md5)
    var found = [[UInt8]](repeating: [], count: parts.count)
    var offset: UInt64 = 0
    for index in parts.indices.sorted(by: { parts[$0].lowerBound < parts[$1].lowerBound }) {
      var part = try Digest(.md5)
      try pass(from: offset, to: parts[index].upperBound, work) { bytes in
        sha256.update(bytes)
        md5.update(bytes)
        part.update(bytes)
        offset += UInt64(bytes.byteCount)
      }
      found[index] = part.finish()
    }
    // Bytes after the last part are read, too: they show that the file is longer than announced.
    try pass(from: offset, to: .max, work) { bytes in
      sha256.update(bytes)
      md5.update(bytes)
      offset += UInt64(bytes.byteCount)
    }
    return Sums(sha256: sha256.finish(), md5: md5.finish(), size: offset, parts: found)
  }

  /// Reads bytes in pieces, up to an offset or to the end of the file.
  ///
  /// Throws if the operation is stopped.
  private func pass(
    from start: UInt64, to end: UInt64, _ work: Work, _ body: (RawSpan) -> Void
  ) throws(Failure) {
    var buffer = try ByteBuffer(capacity: 1 << 20)
    var offset = start
    while offset < end {
      try work.check(path)
      buffer.removeAll()
      let room = Int(min(UInt64(buffer.capacity), end - offset))
      try buffer.append(upTo: room) { (output) throws(Failure) in
        _ = try read(into: &output, at: offset, upTo: room)
      }
      guard buffer.count > 0 else { return }
      buffer.withBytes { body($0) }
      offset += UInt64(buffer.count)
    }
  }

  /// Returns the bytes of a range; fewer if the file ends earlier.
  package func bytes(of range: Range<UInt64>, _ work: Work) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    try pass(from: range.lowerBound, to: range.upperBound, work) { bytes.append(copying: $0) }
    return bytes
  }

  fileprivate func read(
    into output: inout OutputRawSpan, at offset: UInt64, upTo limit: Int
  ) throws(Failure) -> Int {
    if let count = try file?.read(into: &output, at: offset, upTo: limit) { return count }
    guard offset < bytes.count else { return 0 }
    let piece = bytes[Int(offset)...].prefix(limit)
    for byte in piece { output.append(byte) }
    return piece.count
  }
}

/// A response of a server.
package struct HTTPResponse: Sendable, Equatable {
  package let head: ResponseHead
  package let body: [UInt8]
  /// The pause that the server requests before the next request (`Retry-After`).
  package let wait: Duration?
  /// The time of the server (`Date`).
  package let date: Moment?
  /// The MD5 digest of the part of a file, computed from the sent bytes.
  package let sentMD5: [UInt8]?

  package init(
    head: ResponseHead, body: [UInt8], wait: Duration? = nil, date: Moment? = nil,
    sentMD5: [UInt8]? = nil
  ) {
    self.head = head
    self.body = body
    self.wait = wait
    self.date = date
    self.sentMD5 = sentMD5
  }

  package var status: Int { head.status }
  package var isSuccess: Bool { (200..<300).contains(status) }
}

extension Transfers {
  /// Sends a request, and returns the response with any status.
  ///
  /// A redirect is returned as the response, unless the exchange follows redirects.
  package func exchange(_ exchange: Exchange, _ work: Work) throws(Failure) -> HTTPResponse {
    var found: HTTPResponse?
    try self.exchange([exchange], work) { found = $1 }
    guard let found else { throw Failure(.transfer(exchange.operation, .notHTTP)) }
    return found
  }

  /// Sends several requests, up to a number at the same time.
  ///
  /// The progress is the number of sent bytes of each body. Each response is given to `responded`.
  package func exchange(
    _ exchanges: [Exchange], atOnce count: Int = 1, _ work: Work,
    responded: @escaping (Int, HTTPResponse) throws(Failure) -> Void
  ) throws(Failure) {
    var next = 0
    var last = ""
    do throws(Failure) {
      try run(atOnce: count, until: exchanges.compactMap(\.deadline).min(), work) {
        () throws(Failure) in
        guard next < exchanges.count else { return nil }
        let index = next
        next += 1
        let exchange = exchanges[index]
        let address = try address(exchange.url, for: exchange.operation)
        last = address.shown
        return RunningExchange(
          self, address, exchange, work.of(item: index),
          responded: { (answer) throws(Failure) in try responded(index, answer) })
      }
    } catch {
      throw error.path.isEmpty ? error.withPath(last) : error
    }
  }
}

/// A running request.
private final class RunningExchange: TransferTask, CurlCallbacks {
  var operation: Operation { exchange.operation }
  private let transfers: Transfers
  private let first: TransferAddress
  private var address: TransferAddress
  private var redirects = 0
  private let exchange: Exchange
  private let work: Work
  private let responded: (HTTPResponse) throws(Failure) -> Void
  private var body: [UInt8] = []
  /// The number of sent bytes of the body.
  private var sent: UInt64 = 0
  /// The largest number of bytes that was reported: a request that is repeated reports no less.
  private var reported: UInt64 = 0
  /// The digest of the bytes of a file that were already sent; nil if it is unknown.
  private var digest: Digest?
  private var backoff: Backoff
  private var wasReached = false

  init(
    _ transfers: Transfers, _ address: TransferAddress, _ exchange: Exchange, _ work: Work,
    responded: @escaping (HTTPResponse) throws(Failure) -> Void
  ) {
    self.transfers = transfers
    first = address
    self.address = address
    self.exchange = exchange
    self.work = work
    self.responded = responded
    backoff = transfers.options.backoff
  }

  func begin() throws(Failure) -> CurlRequest {
    body = []
    try restart()
    let request = try transfers.request(address, self)
    // Another host does not get the fields for the first host.
    try request.set(address.isSameHost(as: first) ? exchange.fields : [])
    switch exchange.method {
    case "GET": break
    case "HEAD": try request.set(CURLOPT_NOBODY, 1)
    default: try request.set(CURLOPT_CUSTOMREQUEST, exchange.method)
    }
    if exchange.body.size > 0 || ["POST", "PUT", "PATCH"].contains(exchange.method) {
      try request.set(CURLOPT_UPLOAD, 1)
      try request.set(CURLOPT_INFILESIZE_LARGE, size: exchange.body.size)
    }
    // On a reused connection, libcurl itself would repeat the request if the connection is closed.
    if !exchange.isRepeatable { try request.set(CURLOPT_FRESH_CONNECT, 1) }
    return request
  }

  func end(_ request: CurlRequest, _ code: CURLcode) throws(Failure) -> Duration? {
    if let failure = request.failure {
      throw failure.path.isEmpty ? failure.withPath(address.shown) : failure
    }
    if request.wasConnected { wasReached = true }
    if code == CURLE_OK, request.hasResponse {
      let head = request.head
      if exchange.followsRedirects, head.isRedirect, exchange.body.size == 0 {
        address = try transfers.target(of: request, from: address, &redirects, operation)
        return .zero
      }
      let isTransient =
        head.status == 429
        ? !exchange.leavesRateLimits
        : exchange.isRepeatable && Transient.includes(head, body)
      let requested = head.wait(transfers.curl, at: .now)
      let refused = Failure(.transfer(operation, .status(head.status)), address.shown)
      if isTransient, !exchange.isTriedOnce,
        let pause = transfers.pause(after: refused, of: request, &backoff, requested: requested)
      {
        return pause
      }
      let date = head["date"].flatMap { transfers.curl.seconds(ofDate: $0) }
      try responded(
        HTTPResponse(
          head: head, body: body, wait: requested, date: date.map { Moment(seconds: $0) },
          sentMD5: sent == exchange.body.size ? digest.take()?.finish() : nil))
      return nil
    }
    let failure = transfers.failure(
      of: request, code == CURLE_OK ? CURLE_GOT_NOTHING : code, address, operation,
      received: UInt64(body.count), expected: request.hasResponse ? request.head.length : nil)
    // A request that was never sent can always be repeated.
    guard !exchange.isTriedOnce, exchange.isRepeatable || !request.wasConnected,
      Transient.includes(code, wasReached: wasReached),
      let pause = transfers.pause(after: failure, of: request, &backoff)
    else { throw failure }
    return pause
  }

  func begin(_ head: ResponseHead) throws(Failure) {
    body = []
    // Reserve at most the maximum size.
    if let length = head.length, length <= exchange.responseLimit {
      body.reserveCapacity(Int(length))
    }
  }

  func receive(_ bytes: RawSpan) throws(Failure) {
    guard body.count + bytes.byteCount <= exchange.responseLimit else {
      throw Failure(
        .transfer(operation, .tooLarge(limit: UInt64(exchange.responseLimit))),
        address.shown)
    }
    body.append(copying: bytes)
  }

  func supply(into output: inout OutputRawSpan) throws(Failure) {
    let left = exchange.body.size - sent
    guard left > 0 else { return }
    let room = Int(min(left, UInt64(output.freeCapacity)))
    switch exchange.body {
    case .none: return
    case .bytes(let bytes):
      let start = Int(sent)
      bytes.withRawSpan { output.append($0.extracting(start..<start + room)) }
      sent += UInt64(room)
    case .part(let file, let range):
      let before = output.byteCount
      let count = try file.read(into: &output, at: range.lowerBound + sent, upTo: room)
      // The body would be shorter than announced.
      guard count > 0 else {
        throw Failure(.malformed("the file became shorter during the upload"), file.path)
      }
      digest?.update(output.bytes.extracting(before..<before + count))
      sent += UInt64(count)
    }
    reported = max(reported, sent)
    work.report?(Work.Progress(done: reported, total: exchange.body.size))
  }

  func rewind(to place: UInt64) {
    sent = place
    digest = nil
    if place == 0 { try? restart() }
  }

  private func restart() throws(Failure) {
    sent = 0
    digest = if case .part = exchange.body { try Digest(.md5) } else { nil }
  }
}
