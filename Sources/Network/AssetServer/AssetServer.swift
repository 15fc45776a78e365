import BAPackKit
import BlockCodecs
import Faults
import FoundationEssentials
package import HTTPServer
import SourceDiagnostics
import SystemIO

/// A server of asset packs: it responds to requests of devices for the manifest and for packs.
package final class AssetServer: Sendable {
  package struct Options: Sendable {
    /// Whether the manifest contains the language of a pack; Apple does not document this member.
    package var showsLanguages = true
    /// The required user name and password; nil to accept all clients.
    package var credentials: BasicCredentials?
    /// The host names, in lower case, that the manifest may copy from the `Host` of a request.
    package var hosts: Set<String> = []
    /// The hint for a device that does not trust the server.
    package var trustAdvice = ""
    /// The live page at `/`; nil to serve no page.
    package var page: (@Sendable (Request) -> Response)?

    package init() {}
  }

  package let catalogue: Catalogue
  package let switches: LiveFaults
  private let options: Options
  private let port: UInt16
  private let log: @Sendable (RequestEvent) -> Void

  /// Serves the packs in the catalogue.
  ///
  /// The server calls `log` on the threads of the connections: when a request begins, progresses or
  /// ends, and when a client fails before it sends a valid request. Requests for the page are not
  /// logged.
  package init(
    _ catalogue: Catalogue, switches: LiveFaults, options: Options = Options(), port: UInt16,
    log: @escaping @Sendable (RequestEvent) -> Void = { _ in }
  ) {
    self.catalogue = catalogue
    self.switches = switches
    self.options = options
    self.port = port
    self.log = log
  }

  package var handler: HTTPServer.Handler {
    var handler = HTTPServer.Handler { [self] request in respond(to: request) }
    let (switches, log, advice) = (switches, log, options.trustAdvice)
    handler.refused = { log(RequestEvent(refused: $1, from: $0, $2)) }
    handler.handshakeFailed = { log(RequestEvent(handshakeFailure: $1, from: $0, advice: advice)) }
    // Without a network, responses in progress end, too.
    handler.attached = { responses in
      switches.reportGoingOffline { responses.end() }
    }
    return handler
  }

  package func respond(to request: Request) -> Response {
    var event = RequestEvent(request)
    var response = makeResponse(to: request, &event)
    response.delay += switches.latency
    // Requests for the page are not logged: they are not requests of devices.
    if event.isForPage { return response }
    let log = log
    // A response that ends immediately is logged only once, at its end.
    if !response.isQuick || event.fault != nil || switches.throttle(for: event.device) != nil {
      log(event)
      event.hasBegun = true
    }
    let noted = event
    let switches = switches
    response.onEnd = { outcome in
      var event = noted
      event.end(outcome)
      if !outcome.isWhole, event.fault == nil, switches.isOffline { event.fault = Self.offline }
      log(event)
    }
    return response
  }

  /// The fault of every request while the server is offline.
  private static let offline = "offline"

  private func makeResponse(to request: Request, _ event: inout RequestEvent) -> Response {
    if switches.isOffline {
      event.fault = Self.offline
      return Response(503, body: .noResponse)
    }
    if let credentials = options.credentials, !credentials.admit(request.head["authorization"]) {
      return .text(
        401, "this server requires a user name and a password",
        fields: [("WWW-Authenticate", "Basic realm=\"asset packs\", charset=\"UTF-8\"")])
    }
    let head = request.head
    var named: ServedPack?
    let route = Route(head.path) { id in
      named = catalogue[id]
      return named != nil
    }
    if route == .unknown { return .text(404, "unknown path") }
    guard ["GET", "HEAD"].contains(head.method) else {
      return .text(405, "method not allowed; use GET or HEAD", fields: [("Allow", "GET, HEAD")])
    }
    switch route {
    case .manifest: return manifest(request, &event)
    case .pack:
      guard let pack = named else { return .text(404, "no such pack") }
      return archive(pack, request, &event)
    case .page:
      event.isForPage = options.page != nil
      return options.page?(request) ?? .text(404, "unknown path")
    case .unknown: return .text(404, "unknown path")
    }
  }

  // MARK: The manifest

  private func manifest(_ request: Request, _ event: inout RequestEvent) -> Response {
    let requested = RequestedPlatform(request.head.query("platform"))
    if case .unknown(let name) = requested { event.remark = "unknown platform '\(name)'" }
    let base = "\(request.isSecure ? "https" : "http")://\(host(of: request))/assetpacks"
    guard let urls = try? PackURLs(base: base, allowingHTTP: true) else {
      return .text(400, "'Host' is not a host name or a host name with a port")
    }
    var outages: [PackID: String] = [:]
    for pack in catalogue.all {
      guard let outage = catalogue.noteRequest(of: pack) else { continue }
      outages[pack.id] = outage
      event.remark = "'\(pack.id.text)' is omitted: \(outage)"
    }
    func json(_ packs: [ServedPack]) -> [UInt8] {
      var packs = packs.filter { outages[$0.id] == nil }
      if case .known(let platform) = requested {
        packs.removeAll { !$0.archive.isOffered(for: platform) }
      }
      return DownloadManifest(packs: packs.map { published($0, at: urls) }).json()
    }
    var bytes = json(catalogue.all)
    let stale = switches.faults.contains { $0.effect == .stale } ? json(catalogue.previous) : bytes
    // A manifest equal to the current one is not stale.
    let fault = strike(
      .manifest, request, &event, bodyOf: UInt64(bytes.count), except: stale == bytes ? .stale : nil
    )
    if fault?.effect == .stale { bytes = stale }
    if fault?.effect == .notJSON {
      bytes = Array(bytes.dropLast(bytes.count / 2)) + Array("<html>".utf8)
    }
    let fields: ResponseFields = [
      ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
      ServedPack.digestField(try? sha256(of: bytes)),
    ]
    return disturbed(
      fault, size: UInt64(bytes.count), status: 200, fields: fields, part: 0..<UInt64(bytes.count),
      PackFile(ByteSource(bytes, name: "manifest")), of: nil, &event)
  }

  /// Returns the description of a pack for the manifest.
  private func published(_ pack: ServedPack, at urls: PackURLs) -> PublishedPack {
    var published = pack.archive.published(as: pack.version, at: urls)
    if options.showsLanguages, let language = pack.archive.manifest.language {
      published.otherMembers.append(
        .init(Manifest.key(of: \.language), .string(language.description)))
    }
    return published
  }

  /// The host in the URLs of the manifest: `Host` of the request if it is a name of this server.
  private func host(of request: Request) -> String {
    let given = request.head.host?.lowercased()
    if let given, options.hosts.contains(Self.withoutPort(given)) { return given }
    let own = request.ownAddress.hostText
    let name = own.contains(":") ? "[\(own)]" : own
    if let given, Self.withoutPort(given) == name { return given }
    return "\(name):\(port)"
  }

  private static func withoutPort(_ host: String) -> String {
    if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
    return host.firstIndex(of: ":").map { String(host[..<$0]) } ?? host
  }

  // MARK: Packs

  private func archive(
    _ pack: ServedPack, _ request: Request, _ event: inout RequestEvent
  ) -> Response {
    let head = request.head
    event.pack = pack.id
    event.version = pack.version
    let size = pack.archive.size
    // Read before the check: then one check is enough for the response and its bytes.
    let bytes = size <= Self.smallSize && head.method == "GET" ? pack.file.all() : nil
    if let outage = catalogue.noteRequest(of: pack) {
      event.remark = outage
      return .text(503, "the pack cannot be delivered: \(outage)", fields: [("Retry-After", "1")])
    }
    var fields = pack.fields
    // The order of RFC 9110. 'If-Match' compares strongly: a weak tag never matches.
    if let known = head["if-match"], !Self.matches(known, pack.tag, isStrong: true) {
      return .text(412, "the pack has changed")
    }
    if let known = head["if-none-match"], Self.matches(known, pack.tag, isStrong: false) {
      return Response(304, fields: fields)
    }
    // A client that resumes a download of other bytes gets the complete pack.
    let isSame = head["if-range"].map { $0 == pack.tag } ?? true
    switch ByteRange(isSame && head.method == "GET" ? head["range"] : nil, of: size) {
    case .outside:
      return .text(
        416, "the range is outside the pack of \(size) bytes",
        fields: [("Content-Range", "bytes */\(size)")])
    case .whole:
      let fault = strike(.pack(pack.id.text), request, &event, bodyOf: size)
      if fault == nil, let bytes, UInt64(bytes.count) == size,
        switches.throttle(for: event.device) == nil
      {
        event.size = size
        return Response(200, fields: fields, body: .bytes(bytes))
      }
      return disturbed(
        fault, size: size, status: 200, fields: fields, part: 0..<size, pack.file,
        of: pack.archive.sha256, &event)
    case .part(let part):
      fields.append(
        ("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"))
      let size = part.upperBound - part.lowerBound
      let fault = strike(.pack(pack.id.text), request, &event, bodyOf: size)
      return disturbed(
        fault, size: size, status: 206, fields: fields, part: part, pack.file,
        of: pack.archive.sha256, &event)
    }
  }

  /// The largest pack that is read before its response begins; it fits into one TLS record.
  private static let smallSize: UInt64 = 12 << 10

  /// Returns whether a list of entity tags contains `tag`; a weak tag matches only in a weak
  /// comparison.
  private static func matches(_ list: String, _ tag: String, isStrong: Bool) -> Bool {
    list.split(separator: ",").contains { part in
      var name = part.filter { $0 != " " && $0 != "\t" }
      if !isStrong, name.hasPrefix("W/") { name.removeFirst(2) }
      return name == tag || name == "*"
    }
  }

  // MARK: Faults

  /// Returns the fault to apply to the response; nil for a response to `HEAD`, which has no body.
  private func strike(
    _ target: DownloadFault.Target, _ request: Request, _ event: inout RequestEvent,
    bodyOf size: UInt64,
    except excluded: DownloadEffect? = nil
  ) -> DownloadFault? {
    guard request.head.method != "HEAD" else { return nil }
    let fault = switches.strike(
      target, for: event.device, bodyOf: size, except: excluded)
    event.fault = fault?.description
    return fault
  }

  /// Returns a response with a body, which the fault changes if there is one.
  private func disturbed(
    _ fault: DownloadFault?, size: UInt64, status: Int, fields: ResponseFields,
    part: Range<UInt64>, _ file: PackFile, of sha256: String?, _ event: inout RequestEvent
  ) -> Response {
    let count = part.upperBound - part.lowerBound
    var fields = fields
    if let fault { fields.append((DownloadFault.fieldName, fault.effect.description)) }
    var disturbance = PackFile.Disturbance()
    let (switches, device) = (switches, event.device)
    disturbance.throttle = { switches.throttle(for: device) }
    var sent = part
    switch fault?.effect {
    case .status(let status, let seconds):
      fields = [(DownloadFault.fieldName, fault?.effect.description ?? "")]
      if let seconds { fields.append(("Retry-After", "\(seconds)")) }
      return .text(status, "injected fault: \(fault?.description ?? "")", fields: fields)
    case .tlsClose: return Response(503, body: .noResponse)
    case .cut(let amount): disturbance.end = (amount.bytes(of: count), false)
    case .reset(let amount): disturbance.end = (amount.bytes(of: count), true)
    case .stall(let time): disturbance.stall = (count / 2, time)
    case .truncate: sent = part.lowerBound..<part.upperBound - (count + 1) / 2
    case .corrupt: disturbance.corrupted = count / 2
    case .stale, .notJSON, nil: break
    }
    event.size = count
    let log = log
    var begun = event
    begun.hasBegun = true
    let noted = begun
    let settled = disturbance
    let range = sent
    return Response(
      status, fields: fields,
      body: .writing(range.upperBound - range.lowerBound) { writer throws(Failure) in
        var lastReport = ContinuousClock.now
        try file.write(range, of: sha256, to: &writer, disturbed: settled) { progress in
          guard .now - lastReport >= .milliseconds(100) else { return }
          lastReport = .now
          var event = noted
          event.sent = progress.done
          log(event)
        }
      })
  }
}

extension Response {
  /// Whether the socket buffer accepts the whole response immediately, even if the client is slow.
  fileprivate var isQuick: Bool {
    guard delay == .zero else { return false }
    switch body {
    case .none, .noResponse, .bytes: return true
    case .writing(let size, _): return size <= 64 << 10
    case .writingToEnd: return false
    }
  }
}

/// A user name and a password, as in an override address: `https://name:password@host`.
package struct BasicCredentials: Sendable {
  private let expected: [UInt8]

  package init(user: String, password: String) {
    expected = Array("\(user):\(password)".utf8)
  }

  /// Returns whether the value of `Authorization` contains the credentials.
  func admit(_ value: String?) -> Bool {
    guard let value else { return false }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "basic",
      let given = Data(base64Encoded: String(parts[1]))
    else { return false }
    return isSameSecret(Array(given), expected)
  }
}
