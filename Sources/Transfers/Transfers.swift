import CCurl
package import SystemIO

/// Downloads and uploads over HTTP, on libcurl, which is opened for the first of them.
///
/// Every call works on the thread that makes it, and comes back when all is done. It ends, with
/// ``Failure/Kind/interrupted``, as soon as its ``Work`` must stop. Connections are kept between
/// the calls. Several threads have a value each.
///
/// Memory: libcurl and what it loads take 5 MiB, each connection 0.6 MiB, and each download one
/// piece of 1 MiB on its way to the disk; the size of what is moved does not matter.
package final class Transfers {
  /// How transfers are made.
  package struct Options: Sendable {
    /// Who we say we are.
    package var agent = "ba-package"
    /// Whether addresses without encryption are allowed, for servers under test.
    package var allowsHTTP = false
    /// Certificates in PEM form that are trusted besides those of the system.
    package var roots: [[UInt8]] = []
    package var proxies = Proxies.environment
    /// How long making a connection may take.
    package var connectTime: Duration = .seconds(20)
    /// How long the speed may be below ``slowest``, in whole seconds.
    package var stallTime: Duration = .seconds(30)
    /// The lowest speed of a connection, in bytes a second; a slower one counts as stalled.
    package var slowest = 1
    /// How often an address may lead on to another.
    package var redirects = 5
    /// The pauses before a request is repeated; each request has its own.
    package var backoff = Backoff(
      first: .milliseconds(500), longest: .seconds(30), attempts: 5, patience: .seconds(300))
    /// The number of new bytes with which an attempt of a download counts as a success.
    package var progress: UInt64 = 64 << 10
    /// Whether a request may be repeated after a transient failure.
    ///
    /// The argument is the head of the response; nil: there was no response.
    package var mayRepeat: @Sendable (AnswerHead?) -> Bool = { _ in true }
    /// When everything has to be done.
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
    guard options.mayRepeat(request.isAnswered ? request.head : nil),
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
    func fault(_ fault: TransferFault) -> Failure {
      Failure(.transfer(operation, fault), address.shown)
    }
    guard let target = request.text(CURLINFO_REDIRECT_URL) else { throw fault(.noAnswer) }
    redirects += 1
    guard redirects <= options.redirects else {
      throw fault(.tooManyRedirects(options.redirects))
    }
    let next = try TransferAddress(target, curl, for: operation)
    guard next.isSecure || (!address.isSecure && options.allowsHTTP) else {
      throw fault(.insecureRedirect)
    }
    return next
  }

  let curl: CurlLibrary
  let options: Options
  private let loop: TransferLoop
  private let trust: Trust

  /// Opens libcurl; where it is missing, the failure says so.
  package init(_ options: Options = Options()) throws(Failure) {
    // A write to a server that has gone must fail, and not end the program.
    ProcessState.failInsteadOfEnding()
    curl = try CurlLibrary.load()
    loop = try TransferLoop(curl)
    trust = try Trust(options.roots, curl)
    self.options = options
  }

  /// Runs errands, so many at once, until there are no more; the first failure ends all.
  ///
  /// They end at the deadline for everything, or at an earlier one of their own.
  func run(
    atOnce count: Int = 1, until deadline: ContinuousClock.Instant? = nil, _ work: Work,
    _ next: () throws(Failure) -> (any Errand)?
  ) throws(Failure) {
    try loop.run(
      atOnce: count, until: [deadline, options.deadline].compactMap { $0 }.min(),
      work, next)
  }

  /// A request to an address, with all that is common to ours.
  func request(
    _ address: TransferAddress, _ events: any RequestEvents
  ) throws(Failure) -> CurlRequest {
    let request = try CurlRequest(curl, events)
    try request.set(CURLOPT_URL, address.text)
    try request.set(CURLOPT_USERAGENT, options.agent)
    try request.set(
      CURLOPT_PROTOCOLS,
      Int(options.allowsHTTP ? CURLPROTO_HTTP | CURLPROTO_HTTPS : CURLPROTO_HTTPS))
    // We follow ourselves, so that fields with secrets go to nobody else.
    try request.set(CURLOPT_FOLLOWLOCATION, 0)
    try request.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    try request.set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    try request.set(CURLOPT_PATH_AS_IS, 1)
    // libcurl itself repeats a request if a reused connection was closed.
    if !options.mayRepeat(nil) { try request.set(CURLOPT_FRESH_CONNECT, 1) }
    try request.set(CURLOPT_NOSIGNAL, 1)
    // Who stops does not wait for the search of a name.
    request.setIfKnown(CURLOPT_QUICK_EXIT, 1)
    // Set in any case: an empty one keeps libcurl from looking into the environment itself.
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

  /// How much libcurl reads or writes at once: 4,096 pieces a gibibyte.
  private static let pieceSize = 256 << 10
}

/// Whom to believe: who the system believes, and roots of one's own besides.
private struct Trust {
  private var file: String?
  private var folder: String?
  private var blob: [UInt8] = []

  init(_ roots: [[UInt8]], _ curl: CurlLibrary) throws(Failure) {
    // As OpenSSL and curl(1) have it.
    let named = Self.variable("SSL_CERT_FILE")
    let namedFolder = Self.variable("SSL_CERT_DIR")
    file = named ?? (namedFolder == nil ? curl.trustFile : nil)
    folder = namedFolder ?? (named == nil ? curl.trustFolder : nil)
    guard !roots.isEmpty else { return }
    // Certificates from memory stand in the place of the file, but beside the folder. Where there
    // is a folder, the system's are looked up in it; else they go the same way as ours.
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
    // For the server, and for a proxy that is spoken to in TLS.
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
  /// In whole milliseconds, at most a day.
  var milliseconds: Int {
    Int(min(max(self, .zero), .seconds(86_400)).wholeMilliseconds)
  }
}
