import CCurl
package import SystemIO

/// Downloads and uploads over HTTP, with libcurl, which is loaded at the first transfer.
///
/// Every call runs on the calling thread until the transfer ends. It throws
/// ``Failure/Kind/interrupted`` when its ``Work`` is stopped. Connections are reused between calls.
/// Each thread needs its own value.
///
/// Memory: 5 MiB for libcurl and its libraries, 0.6 MiB for each connection, and 1 MiB for each
/// download. The size of the transferred data does not matter.
package final class Transfers {
  package struct Options: Sendable {
    /// The `User-Agent`.
    package var agent = "ba-package"
    /// Whether http URLs are allowed, for servers under test.
    package var allowsHTTP = false
    /// Trusted certificates in PEM format, in addition to those of the system.
    package var roots: [[UInt8]] = []
    package var proxies = Proxies.environment
    /// The time limit for establishing a connection.
    package var connectTime: Duration = .seconds(20)
    /// The maximum time with a speed below ``slowest``, in whole seconds.
    package var stallTime: Duration = .seconds(30)
    /// The minimum speed of a connection in bytes per second; a slower one is stalled.
    package var slowest = 1
    /// The maximum number of redirects.
    package var redirects = 5
    /// The pauses before a request is repeated; each request has its own.
    package var backoff = Backoff(
      first: .milliseconds(500), longest: .seconds(30), attempts: 5, patience: .seconds(300))
    /// The number of new bytes with which an attempt of a download counts as a success.
    package var progress: UInt64 = 64 << 10
    /// Whether a request may be repeated after a transient failure.
    ///
    /// The argument is the head of the response; nil: there was no response.
    package var mayRepeat: @Sendable (ResponseHead?) -> Bool = { _ in true }
    /// The time limit of all transfers.
    package var deadline: ContinuousClock.Instant?
    /// Called before each pause after which a request is repeated.
    package var retried: @Sendable (Retry) -> Void = { _ in }

    package init() {}
  }

  /// Returns the pause after a failure, and reports it; nil if the request must not be repeated.
  func pause(
    after failure: Failure, of request: CurlRequest, _ backoff: inout Backoff,
    requested: Duration? = nil
  ) -> Duration? {
    guard options.mayRepeat(request.hasResponse ? request.head : nil),
      let pause = backoff.next(requested: requested)
    else { return nil }
    options.retried(Retry(failure, pause: pause, isRequested: backoff.isRequested))
    return pause
  }

  /// Returns the target of a redirect, and counts the redirect.
  func target(
    of request: CurlRequest, from address: TransferAddress, _ redirects: inout Int,
    _ operation: Operation
  ) throws(Failure) -> TransferAddress {
    func failure(_ error: TransferError) -> Failure {
      Failure(.transfer(operation, error), address.shown)
    }
    guard let target = request.text(CURLINFO_REDIRECT_URL) else { throw failure(.notHTTP) }
    redirects += 1
    guard redirects <= options.redirects else {
      throw failure(.tooManyRedirects(options.redirects))
    }
    let next = try TransferAddress(target, curl, for: operation)
    guard next.isSecure || (!address.isSecure && options.allowsHTTP) else {
      throw failure(.insecureRedirect)
    }
    return next
  }

  let curl: CurlLibrary
  let options: Options
  private let loop: TransferLoop
  private let trust: Trust

  /// Loads libcurl; throws if it is missing.
  package init(_ options: Options = Options()) throws(Failure) {
    // A write to a closed connection must fail instead of ending the process.
    ProcessState.failInsteadOfEnding()
    curl = try CurlLibrary.load()
    loop = try TransferLoop(curl)
    trust = try Trust(options.roots, curl)
    self.options = options
  }

  /// Runs transfers, up to a number at the same time, until there are no more; the first error ends
  /// all of them.
  ///
  /// They end at the deadline of the options or at their own deadline, if that is earlier.
  func run(
    atOnce count: Int = 1, until deadline: ContinuousClock.Instant? = nil, _ work: Work,
    _ next: () throws(Failure) -> (any TransferTask)?
  ) throws(Failure) {
    try loop.run(
      atOnce: count, until: [deadline, options.deadline].compactMap { $0 }.min(),
      work, next)
  }

  /// Creates a request with the common options.
  func request(
    _ address: TransferAddress, _ events: any CurlCallbacks
  ) throws(Failure) -> CurlRequest {
    let request = try CurlRequest(curl, events)
    try request.set(CURLOPT_URL, address.text)
    try request.set(CURLOPT_USERAGENT, options.agent)
    try request.set(
      CURLOPT_PROTOCOLS,
      Int(options.allowsHTTP ? CURLPROTO_HTTP | CURLPROTO_HTTPS : CURLPROTO_HTTPS))
    // Redirects are handled by this module, so that other hosts do not get secret fields.
    try request.set(CURLOPT_FOLLOWLOCATION, 0)
    try request.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    try request.set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    try request.set(CURLOPT_PATH_AS_IS, 1)
    // libcurl itself repeats a request if a reused connection was closed.
    if !options.mayRepeat(nil) { try request.set(CURLOPT_FRESH_CONNECT, 1) }
    try request.set(CURLOPT_NOSIGNAL, 1)
    // A cancelled request does not wait for name resolution.
    request.setIfKnown(CURLOPT_QUICK_EXIT, 1)
    // Always set: an empty value keeps libcurl from reading the environment.
    try request.set(CURLOPT_PROXY, options.proxies.proxy(for: address) ?? "")
    try request.set(CURLOPT_NOPROXY, options.proxies.exceptions ?? "")
    try request.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    try request.set(CURLOPT_BUFFERSIZE, Self.pieceSize)
    try request.set(CURLOPT_UPLOAD_BUFFERSIZE, Self.pieceSize)
    try request.set(CURLOPT_CONNECTTIMEOUT_MS, options.connectTime.milliseconds)
    try request.set(CURLOPT_LOW_SPEED_LIMIT, max(1, options.slowest))
    try request.set(CURLOPT_LOW_SPEED_TIME, max(1, options.stallTime.milliseconds / 1000))
    try trust.apply(to: request)
    return request
  }

  /// The buffer size of libcurl: 4096 pieces per gibibyte.
  private static let pieceSize = 256 << 10
}

/// The trusted certificates: those of the system and additional ones.
private struct Trust {
  private var file: String?
  private var folder: String?
  private var blob: [UInt8] = []

  init(_ roots: [[UInt8]], _ curl: CurlLibrary) throws(Failure) {
    // The same variables as OpenSSL and curl(1).
    let named = Self.variable("SSL_CERT_FILE")
    let namedFolder = Self.variable("SSL_CERT_DIR")
    file = named ?? (namedFolder == nil ? curl.trustFile : nil)
    folder = namedFolder ?? (named == nil ? curl.trustFolder : nil)
    guard !roots.isEmpty else { return }
    // Certificates from memory replace the file, but not the folder. Without a folder, the
    // certificates of the system are also passed from memory.
    if folder == nil, let path = file {
      blob += try FileDescriptor.open(path, for: .reading).readToEnd(atMost: Self.largestFile)
    }
    for root in roots { blob += [0x0A] + root }
    file = nil
  }

  private static let largestFile = 16 << 20

  private static func variable(_ name: String) -> String? {
    ProcessState.variable(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  func apply(to request: CurlRequest) throws(Failure) {
    // For the server, and for a proxy with TLS.
    if let file {
      try request.set(CURLOPT_CAINFO, file)
      try request.set(CURLOPT_PROXY_CAINFO, file)
    }
    if let folder {
      try request.set(CURLOPT_CAPATH, folder)
      try request.set(CURLOPT_PROXY_CAPATH, folder)
    }
    if !blob.isEmpty {
      try request.set(CURLOPT_CAINFO_BLOB, bytes: blob)
      try request.set(CURLOPT_PROXY_CAINFO_BLOB, bytes: blob)
    }
  }
}

extension Duration {
  /// The duration in whole milliseconds, at most one day.
  var milliseconds: Int {
    Int(min(max(self, .zero), .seconds(86_400)).wholeMilliseconds)
  }
}
